/** The setting of the console. */
import type { FeatureConfig } from '../../settings/row.ts';

export const consoleConfig = {
  settingsAfter: 'DATA_DIR',
  settings: [
    {
      variable: 'CONSOLE_ENABLED',
      key: 'console.enabled',
      kind: 'switch',
      default: 'true',
      meaning: 'Serves the console at `/console`',
    },
  ],
} as const satisfies FeatureConfig;
