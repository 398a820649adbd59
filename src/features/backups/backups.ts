/** The backups of a server: at planned times, and when an admin begins one. One process at a time makes one. */
import { setTimeout as later } from 'node:timers/promises';
import { makeFolder } from '../../adapters/make-folder.ts';
import { latestKept, type PlannedTimes } from '../../adapters/planned-times.ts';
import { withTimeout } from '../../async/timeout.ts';
import { badRequest, contested, type Core, type Services } from '../../core.ts';
import { embeddedFolder } from '../../ports/core.ts';
import type { Lease } from '../../shared/contract.ts';
import { notOfMongo, timesOf } from './checks.ts';
import { BackupMaker } from './make.ts';
import { bytesOf, folderFault, folderOf } from './place.ts';
import { type BackupRow, BackupRows, type BegunBackup } from './rows.ts';

const leaseMs = 15_000;
/** Maximum milliseconds between two looks at the clock, which may be set. */
const lookEveryMs = 30_000;
/** Milliseconds after which what has failed for the database is tried again. */
const retryMs = 1000;
/** Milliseconds that a backup has to end when the server stops; what it has left is removed by the next start. */
const graceMs = 5000;

/** How often, and after how many milliseconds, a lease is asked for whose backup has ended. */
const endTries = 10;
const endPauseMs = 50;

/** A backup as admins see it. */
interface ShownBackup {
  readonly file: string;
  readonly at: string;
  /** 0 for a backup that has failed. */
  readonly bytes: number;
  readonly ms: number;
  /** Whether the whole file was read after it was written, and passed the checks of a restore. */
  readonly verified: boolean;
  readonly error?: string;
}

/** What the feature makes for a server. */
export const backupsOf = (core: Core): Backups => new Backups(core);

export class Backups {
  readonly #services: Services;
  readonly #rows: BackupRows;
  readonly #maker: BackupMaker;
  readonly #dir: string;
  readonly #times: PlannedTimes | undefined;
  readonly #isFirst: boolean;
  #next: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #looking: Promise<void> = Promise.resolve();
  #running: Promise<void> = Promise.resolve();

  constructor({ services, auth, worker }: Core) {
    this.#services = services;
    this.#dir = folderOf(services.settings);
    this.#rows = new BackupRows(services, this.#dir);
    this.#maker = new BackupMaker({ services, auth, rows: this.#rows, dir: this.#dir });
    this.#times = services.of(embeddedFolder) === undefined ? undefined : timesOf(services.settings);
    this.#isFirst = worker.number === 1;
  }

  /** Begins to make planned backups. Without a schedule it does nothing. @throws SettingsError where the data are in MongoDB */
  async begin(): Promise<() => Promise<void>> {
    const { settings } = this.#services;
    const storeFolder = this.#services.of(embeddedFolder);
    if (settings.backup.schedule !== undefined && settings.mongodb_url !== undefined && storeFolder === undefined)
      throw notOfMongo();
    if (this.#times !== undefined && this.#isFirst) {
      this.#makeFolder();
      await this.#freeEnded();
      this.#next = await this.#firstTime(this.#times);
      await this.#measure();
      this.#arm(0);
    }
    return () => this.#close();
  }

  /** Shows the last backup of all processes in the metrics. */
  async #measure(): Promise<void> {
    const last = (await this.#rows.list()).find(({ outcome }) => outcome === 'ok');
    if (last !== undefined)
      this.#services.metrics.set('dossier_last_backup_timestamp_seconds', last.at.getTime() / 1000);
  }

  /** Those of the folder, the newest first. @throws the driver's errors */
  async list(): Promise<readonly ShownBackup[]> {
    const ended = (await this.#rows.list()).filter(({ outcome }) => outcome !== undefined);
    return Promise.all(ended.map((row) => this.#shown(row)));
  }

  /** The next planned time; undefined without a schedule. */
  async nextTime(): Promise<number | undefined> {
    return this.#times?.next(await this.#services.shared.clock.now());
  }

  /**
   * Begins a backup for an admin.
   * @param record what is written before it begins @returns the name of its file
   * @throws 400 without an embedded store or a folder outside of it, 409 while another one is made
   */
  async make(record: (name: string) => Promise<unknown>): Promise<string> {
    const store = this.#store();
    const lease = await this.#freeLease();
    if (lease === undefined) throw contested('a backup is being made');
    try {
      if (this.#times === undefined) this.#makeFolder();
      const backup = this.#maker.begun();
      await record(backup._id);
      await this.#maker.freeEnded();
      void this.#run(lease, backup, store);
      return backup._id;
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  /** Waits for one that has ended and whose lease is about to be released. @returns undefined while a backup is being made */
  async #freeLease(): Promise<Lease | undefined> {
    for (let left = endTries; ; left--) {
      const lease = await this.#services.shared.lease('backup', leaseMs);
      if (lease !== undefined || left === 0 || (await this.#rows.open()).length > 0) return lease;
      await later(endPauseMs);
    }
  }

  /** A folder that cannot be created is logged: the backup that needs it fails. */
  #makeFolder(): void {
    try {
      makeFolder(this.#dir);
    } catch (error) {
      this.#services.log.error('the folder of backups cannot be created', error);
    }
  }

  #store(): string {
    const { settings } = this.#services;
    const storeFolder = this.#services.of(embeddedFolder);
    if (storeFolder === undefined)
      throw badRequest('backups are of an embedded store on a disk; for MongoDB, use mongodump or snapshots');
    const fault = folderFault(settings);
    if (fault !== undefined) throw badRequest(`BACKUP_DIR ${fault}`);
    return storeFolder;
  }

  /** @param lease is released at the end */
  #run(lease: Lease, backup: BegunBackup, store: string): Promise<void> {
    const stored = this.#rows
      .begin(backup)
      .catch((error: unknown) => this.#services.log.error('the beginning of a backup cannot be stored', error));
    const run = stored.then(() => this.#maker.make(backup, store)).finally(() => lease.release());
    this.#running = run;
    return run;
  }

  async #shown({ _id, at, bytes = 0, ms = 0, outcome, error }: BackupRow): Promise<ShownBackup> {
    const about = { file: _id, at: at.toISOString(), ms };
    if (outcome !== 'ok') return { ...about, bytes, verified: false, error: error ?? 'it was not completed' };
    const isThere = (await bytesOf(this.#dir, _id)) === bytes;
    if (isThere) return { ...about, bytes, verified: true };
    return { ...about, bytes, verified: false, error: 'the file is missing or has changed' };
  }

  /** A time that was planned while no server was there is made up for, and one in whose backup the server ended. */
  async #firstTime(times: PlannedTimes): Promise<number | undefined> {
    const now = await this.#services.shared.clock.now();
    const decided = (await this.#lastPlanned(times))?.getTime();
    const last = times.last(now);
    const isMissed = decided !== undefined && last !== undefined && last > decided;
    return (await this.#interrupted(times)) ?? (isMissed ? last : times.next(now));
  }

  /** The last planned time that was decided, but for one that is ahead of the clock. */
  async #lastPlanned(times: PlannedTimes): Promise<Date | undefined> {
    const now = await this.#services.shared.clock.now();
    return this.#rows.lastPlanned(new Date(latestKept(times, now)));
  }

  /** A planned time that is kept although the clock is not near it: the clock has been set back. */
  async timeAhead(): Promise<Date | undefined> {
    if (this.#times === undefined) return undefined;
    const latest = latestKept(this.#times, await this.#services.shared.clock.now());
    const last = await this.#rows.lastPlanned();
    return last !== undefined && last.getTime() > latest ? last : undefined;
  }

  /** The last planned time, if the server that made its backup has ended in it: this one, before, or another one. */
  async #interrupted(times: PlannedTimes): Promise<number | undefined> {
    if ((await this.#rows.open()).length > 0) await this.#freeEnded();
    const planned = await this.#lastPlanned(times);
    return planned !== undefined && (await this.#rows.isInterrupted(planned)) ? planned.getTime() : undefined;
  }

  readonly #leftovers = (error: unknown): void =>
    this.#services.log.error('leftovers of backups cannot be removed', error);

  /** Ends what was left, unless another process makes a backup. */
  async #freeEnded(): Promise<void> {
    const lease = await this.#services.shared.lease('backup', leaseMs);
    if (lease === undefined) return;
    await this.#maker.freeEnded().catch(this.#leftovers);
    await lease.release();
  }

  #arm(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isStopped) this.#timer = setTimeout(() => void (this.#looking = this.#look()), ms).unref();
  }

  /** Makes the backup that is due. Never rejects. */
  async #look(): Promise<void> {
    const times = this.#times;
    if (times === undefined) return;
    try {
      const now = await this.#services.shared.clock.now();
      this.#resetTime(times, now);
      const planned = (await this.#interrupted(times)) ?? this.#next;
      if (planned !== undefined && planned <= now) {
        await this.#makePlanned(times, new Date(planned));
        this.#next = times.next(now);
      }
      await this.#rows.storeEnds().catch(() => undefined);
      await this.#measure();
      const left = (this.#next ?? Infinity) - (await this.#services.shared.clock.now());
      this.#arm(Math.max(0, Math.min(lookEveryMs, left)));
    } catch (error) {
      this.#services.log.error('a planned backup cannot begin', error);
      this.#arm(retryMs);
    }
  }

  /** Plans by a clock that has been set back. */
  #resetTime(times: PlannedTimes, now: number): void {
    if (this.#next === undefined || this.#next <= latestKept(times, now)) return;
    this.#services.log.warn('the clock has been set back: backups are planned by it', {
      planned: new Date(this.#next).toISOString(),
    });
    this.#next = times.next(now);
  }

  /** A time at which one is being made already is skipped, and one that another server has decided. */
  async #makePlanned(times: PlannedTimes, planned: Date): Promise<void> {
    const store = this.#services.of(embeddedFolder);
    const lease = await this.#services.shared.lease('backup', leaseMs);
    if (lease === undefined || store === undefined) return;
    try {
      await this.#maker.freeEnded().catch(this.#leftovers);
      if (this.#isStopped || !(await this.#isOpen(times, planned))) return await lease.release();
    } catch (error) {
      await lease.release();
      throw error;
    }
    await this.#run(lease, this.#maker.begun(planned), store);
  }

  /** Whether a planned time is still to have its backup. The caller has the lease. */
  async #isOpen(times: PlannedTimes, planned: Date): Promise<boolean> {
    const decided = await this.#lastPlanned(times);
    return decided === undefined || decided < planned || (await this.#rows.isInterrupted(planned));
  }

  async #close(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await withTimeout(graceMs, Promise.all([this.#looking, this.#running]), () => new Error('late')).catch(
      () => undefined,
    );
  }
}
