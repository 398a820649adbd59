/** What stops the start: settings of backups that cannot work. */
import { type PlannedTimes, plannedTimes } from '../../adapters/planned-times.ts';
import { type OperationGroup, type Project, type Settings, SettingsError } from '../../core.ts';
import { storeHolder } from '../../database/embedded-store.ts';
import { folderFault } from './place.ts';

/** Planned times of backups; undefined without a schedule. */
export const timesOf = ({ backup: { schedule } }: Pick<Settings, 'backup'>): PlannedTimes | undefined =>
  schedule === undefined ? undefined : plannedTimes(schedule, 'UTC');

/** What is refused where the data are in MongoDB, or in a store whose folder is not `DATA_DIR`. */
export const notOfMongo = (): SettingsError =>
  new SettingsError([
    'BACKUP_SCHEDULE: cannot be set with MONGODB_URL; it is for the embedded store: use mongodump or snapshots, or for servers that share dossier store, set DATA_DIR to its folder (docs/backups.md)',
  ]);

/** @throws SettingsError that names the variable */
export function checkBackups({ settings }: Pick<Project, 'settings'>): Promise<readonly OperationGroup[]> {
  if (settings.backup.schedule !== undefined) {
    if (settings.mongodb_url !== undefined && storeHolder(settings.data_dir) === undefined) throw notOfMongo();
    const fault = folderFault(settings);
    if (fault !== undefined) throw new SettingsError([`BACKUP_DIR: ${fault}`]);
  }
  return Promise.resolve([]);
}
