/** Functions of models, called by name (docs/functions.md). */
import type { Feature } from '../../core.ts';
import { callConfig } from './config.ts';
import { calls } from './operations.ts';

export const call: Feature = {
  name: 'call',
  config: callConfig,
  operations: [calls],
};
