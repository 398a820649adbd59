/** What stops the start: settings of backups that cannot work. */
import type { OperationGroup } from '../../operations/operation.ts';
import { type PlannedTimes, plannedTimes } from '../../planned-times.ts';
import { SettingsError } from '../../settings/read.ts';
import type { Settings } from '../../settings/types.ts';
import type { Project } from '../feature.ts';
import { folderFault } from './place.ts';

/** Planned times of backups; undefined without a schedule. @throws SettingsError */
export function timesOf({ backup }: Pick<Settings, 'backup'>): PlannedTimes | undefined {
  if (backup.schedule === undefined) return undefined;
  try {
    return plannedTimes(backup.schedule, 'UTC');
  } catch (error) {
    throw new SettingsError([`BACKUP_SCHEDULE: ${(error as Error).message}; it must be such as "0 3 * * *"`], error);
  }
}

/** @throws SettingsError that names the variable */
export function checkBackups({ settings }: Pick<Project, 'settings'>): Promise<readonly OperationGroup[]> {
  if (settings.backup.schedule !== undefined) {
    timesOf(settings);
    const fault = folderFault(settings);
    if (fault !== undefined) throw new SettingsError([`BACKUP_DIR: ${fault}`]);
  }
  return Promise.resolve([]);
}
