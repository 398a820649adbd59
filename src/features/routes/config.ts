/** The setting of routes. */
import type { FeatureConfig } from '../../settings/row.ts';

export const routesConfig = {
  settings: [
    {
      variable: 'ROUTES_DIR',
      key: 'routes_dir',
      kind: 'text',
      default: './routes',
      plain: true,
      meaning: 'Folder of the files of routes; it need not exist',
    },
  ],
  settingsAfter: 'MODELS_FOLDERS',
} as const satisfies FeatureConfig;
