/** Backups of the embedded store that the server makes by itself (docs/backups.md). */
import type { Feature } from '../feature.ts';
import { adviseOnBackups } from './advice.ts';
import { backupsOf } from './backups.ts';
import { checkBackups } from './checks.ts';
import { backupsConfig } from './config.ts';
import { backupBegun } from './events.ts';
import { backupModel } from './model.ts';
import { backupOperations } from './operations.ts';

export const backups: Feature = {
  name: 'backups',
  ...backupsConfig,
  operations: [backupOperations],
  models: [backupModel],
  accountEvents: [backupBegun],
  ofProject: checkBackups,
  services: [backupsOf],
  advises: adviseOnBackups,
  work: (services) => services.of(backupsOf).begin(),
};
