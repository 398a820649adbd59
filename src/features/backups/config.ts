/** The settings of backups. */
import type { FeatureConfig } from '../../settings/row.ts';

export const backupsConfig = {
  mails: ['backup_failed'],
  settingsAfter: 'STORE_HISTORY_BYTES',
  settings: [
    {
      variable: 'BACKUP_SCHEDULE',
      key: 'backup.schedule',
      kind: 'cron',
      default: undefined,
      meaning: 'When the server backs up the embedded store: a cron expression in UTC such as `0 3 * * *`',
    },
    {
      variable: 'BACKUP_DIR',
      key: 'backup.dir',
      kind: 'text',
      default: './backups',
      plain: true,
      meaning: 'Folder of these backups, outside of `DATA_DIR`',
    },
    {
      variable: 'BACKUP_KEEP',
      key: 'backup.keep',
      kind: 'count',
      default: '7',
      min: 1,
      max: 1000,
      meaning: 'Number of verified backups that are kept; older ones are removed',
    },
  ],
} as const satisfies FeatureConfig;
