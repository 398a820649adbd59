/** The settings of the console. */
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
    {
      variable: 'APP_NAME',
      key: 'console.app_name',
      kind: 'text',
      default: 'Dossier',
      plain: true,
      meaning: 'Name of the project, which the console and the pages show',
    },
  ],
} as const satisfies FeatureConfig;
