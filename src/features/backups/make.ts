/** Makes one backup, and removes old ones. The caller has the lease of backups. */
import { join } from 'node:path';
import { reasonForAdmins } from '../../api/programs.ts';
import { mailAdmins } from '../../auth/mails/admins.ts';
import { mailContent } from '../../auth/mails/content.ts';
import { type AuthCore, type BuiltInMail, monotonicClock, type Services } from '../../core.ts';
import { storeCopies } from '../../database/embedded-store.ts';
import { bytesOf, nameOf, removeBackup, removeDrafts, removeOldDrafts } from './place.ts';
import type { BackupEnd, BackupRow, BackupRows, BegunBackup } from './rows.ts';

/** @param reason a sentence without secrets */
const failedMail = (at: Date, reason: string): BuiltInMail => ({
  kind: 'backup_failed',
  content: mailContent({
    subject: 'A backup has failed',
    opening: `The backup of ${at.toISOString()} has failed: ${reason}`,
    closing: [
      'The backups that were made before are kept. Remove the cause, and begin one with POST /server/backups.',
      'No further mail follows until a backup succeeds and another one fails.',
    ],
  }),
});

interface Parts {
  readonly services: Pick<Services, 'settings' | 'log' | 'clock' | 'of' | 'metrics'>;
  readonly auth: Pick<AuthCore, 'registry' | 'notifier'>;
  readonly rows: BackupRows;
  /** The folder of the backups. */
  readonly dir: string;
}

export class BackupMaker {
  /** Whether the last backup of this process failed; its row may be missing, on a full disk. */
  #hasFailed = false;

  constructor(private readonly parts: Parts) {}

  /** @param planned when it was planned, unless an admin begins it */
  begun(planned?: Date): BegunBackup {
    const { services, dir } = this.parts;
    const at = services.clock();
    return { _id: nameOf(at), dir, at, ...(planned === undefined ? {} : { planned }) };
  }

  /** Ends what processes have left that were killed. @throws the driver's errors */
  async freeEnded(): Promise<void> {
    const { rows, dir, services } = this.parts;
    await rows.storeEnds();
    for (const backup of await rows.open()) {
      // it has its name only after its check
      const bytes = await bytesOf(dir, backup._id);
      if (bytes === undefined) await removeDrafts(dir, backup._id);
      const error = 'the server ended while it made the backup';
      const end: BackupEnd = bytes === undefined ? { outcome: 'interrupted', error } : { outcome: 'ok', bytes };
      await rows.end({ ...backup, ...end });
    }
    await removeOldDrafts(dir, services.clock());
  }

  /** Makes a backup whose row is there. Never rejects. @param store the folder of the data */
  async make(backup: BegunBackup, store: string): Promise<void> {
    const { services, dir } = this.parts;
    const { log, metrics } = services;
    const elapsed = services.of(monotonicClock);
    const begun = elapsed();
    try {
      const { size: bytes } = await (await storeCopies()).backup(store, join(dir, backup._id));
      const ms = Math.round(elapsed() - begun);
      log.info('a backup was made', { file: backup._id, bytes, ms });
      this.#hasFailed = false;
      metrics.set('dossier_last_backup_timestamp_seconds', backup.at.getTime() / 1000);
      await this.#removeOld();
      await this.#end(backup, { outcome: 'ok', bytes, ms });
    } catch (error) {
      await this.#failed(backup, error, Math.round(elapsed() - begun));
    }
  }

  async #failed(backup: BegunBackup, fault: unknown, ms: number): Promise<void> {
    const { services, auth } = this.parts;
    services.metrics.count('dossier_backup_failures_total');
    services.log.error('a backup has failed', fault, { file: backup._id });
    const error = reasonForAdmins(fault, services.settings);
    const isNew = !this.#hasFailed && !(await this.#hadFailed(backup));
    this.#hasFailed = true;
    await this.#end(backup, { outcome: 'failed', ms, error });
    if (isNew)
      await mailAdmins(auth, failedMail(backup.at, error)).catch((reason: unknown) =>
        services.log.error('admins cannot be notified of a failed backup', reason),
      );
  }

  /** Whether the backup before has failed, as an earlier process may have recorded. */
  async #hadFailed({ _id }: BegunBackup): Promise<boolean> {
    const rows = await this.parts.rows.list().catch((): readonly BackupRow[] => []);
    // one whose process ended shows neither
    const before = rows.find((row) => row._id !== _id && ['ok', 'failed'].includes(row.outcome ?? ''));
    return before?.outcome === 'failed';
  }

  /** The database may be away, or its disk full: the backup is there nevertheless. */
  async #end(backup: BegunBackup, end: BackupEnd): Promise<void> {
    const { rows, services } = this.parts;
    const failed = (error: unknown): void => services.log.error('the end of a backup cannot be stored', error);
    await rows.end({ ...backup, ...end }).catch(failed);
  }

  /** Removes backups beyond `BACKUP_KEEP`, after a new one was verified: only those that have a row. */
  async #removeOld(): Promise<void> {
    const { rows, dir, services } = this.parts;
    try {
      const { keep } = services.settings.backup;
      // the new one has no outcome yet
      let kept = 1;
      for (const { _id, outcome, bytes } of await rows.list()) {
        if (outcome !== 'ok') continue;
        const found = await bytesOf(dir, _id);
        // one that has changed does not count as one that is kept
        if (found === bytes && ++kept <= keep) continue;
        if (found !== undefined && kept < keep) continue;
        await removeBackup(dir, _id);
        await rows.remove(_id);
      }
      await rows.prune();
    } catch (error) {
      services.log.error('old backups cannot be removed', error);
    }
  }
}
