/** Backups of the embedded store that the server makes by itself (docs/backups.md). */
import { clockAdvice } from '../../adapters/planned-times.ts';
import { type Adviser, adviser, type Core, type Feature, ownService, provide } from '../../core.ts';
import { embeddedFolder } from '../../ports/core.ts';
import type { Advice } from '../../services.ts';
import { backupsOf } from './backups.ts';
import { checkBackups } from './checks.ts';
import { backupsConfig } from './config.ts';
import { backupBegun } from './events.ts';
import { backupModel } from './model.ts';
import { backupOperations } from './operations.ts';

/** Milliseconds after which a backup is old, whatever the schedule is. */
const oldMs = 7 * 86_400_000;

const adviseOnBackups =
  ({ services }: Core): Adviser =>
  async () => {
    const { settings, clock } = services;
    const storeFolder = services.of(embeddedFolder);
    // of a MongoDB, the server knows no backups, and a store in memory has nothing to keep
    if (storeFolder === undefined) return [];
    const all = await services.of(backupsOf).list();
    const [last] = all;
    const good = all.find(({ verified }) => verified);
    const found: (readonly [about: string, advice: string])[] = [];
    if (settings.backup.schedule === undefined)
      found.push(['BACKUP_SCHEDULE', 'no backups are planned: set it, such as to "0 3 * * *"']);
    if (last?.error !== undefined) found.push([last.file, `the last backup has failed: ${last.error}`]);
    const ahead = await services.of(backupsOf).timeAhead();
    if (ahead !== undefined) found.push(['BACKUP_SCHEDULE', clockAdvice('a backup', ahead)]);
    if (good === undefined) found.push(['BACKUP_DIR', 'there is no backup: make one by POST /server/backups']);
    else if (clock().getTime() - Date.parse(good.at) > oldMs)
      found.push([good.file, `the last good backup is of ${good.at}: make one by POST /server/backups`]);
    return found.map(([about, advice]): Advice => ({ kind: 'backup', about, advice }));
  };

export const backups: Feature = {
  name: 'backups',
  config: backupsConfig,
  operations: [backupOperations],
  models: [backupModel],
  accountEvents: [backupBegun],
  provides: [provide(ownService, backupsOf), provide(adviser, adviseOnBackups)],
  ofProject: checkBackups,
  work: (services) => services.of(backupsOf).begin(),
};
