/** The console: a page at which documents are browsed and changed (docs/console.md). */
import type { Feature } from '../feature.ts';
import { consoleConfig } from './config.ts';
import { consoleOperations, consolePath, isOn } from './operations.ts';

export const browserConsole: Feature = {
  name: 'console',
  ...consoleConfig,
  operations: [consoleOperations],
  appName: ({ console }) => console.app_name,
  consolePath: (settings) => (isOn(settings) ? consolePath : undefined),
};
