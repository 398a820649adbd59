/** The rows of backups: atomic writes of single documents, under the lease of backups. */
import { type Collection, internalCollection, type Services } from '../../core.ts';
import { backupModel } from './model.ts';

/** What is known when a backup begins. */
export interface BegunBackup {
  /** The name of its file. */
  readonly _id: string;
  readonly dir: string;
  readonly at: Date;
  /** When it was planned; absent for one that an admin has begun. */
  readonly planned?: Date;
}

/** How a backup has ended. */
export interface BackupEnd {
  readonly outcome: 'ok' | 'failed' | 'interrupted';
  readonly bytes?: number;
  readonly ms?: number;
  readonly error?: string;
}

export type BackupRow = BegunBackup & Partial<BackupEnd>;
export type EndedBackup = BegunBackup & BackupEnd;

/** Failed backups that are kept. */
const maxFailed = 20;

/** How often a planned backup is made whose process ends in it, so that one which ends its process is not made without end. */
const maxInterrupted = 3;

/** Every method throws the driver's errors. */
export class BackupRows {
  readonly #collection: Collection<BackupRow>;
  /** Those whose end could not be stored, such as on a full disk. */
  readonly #unstored = new Map<string, EndedBackup>();

  constructor(
    { registry }: Pick<Services, 'registry'>,
    private readonly dir: string,
  ) {
    this.#collection = internalCollection(registry, `_${backupModel.name}`);
  }

  async begin(backup: BegunBackup): Promise<void> {
    await this.#collection.insertOne(backup);
  }

  /** Stores the end of a backup, whose beginning may not be stored. One that cannot be stored now is stored later. */
  async end(backup: EndedBackup): Promise<void> {
    this.#unstored.set(backup._id, backup);
    const { _id, ...values } = backup;
    await this.#collection.updateOne({ _id }, { $set: values }, { upsert: true });
    this.#unstored.delete(_id);
  }

  /** Stores the ends that could not be stored. */
  async storeEnds(): Promise<void> {
    for (const backup of [...this.#unstored.values()]) await this.end(backup);
  }

  /** Those of this folder, the newest first. */
  async list(): Promise<readonly BackupRow[]> {
    const stored = await this.#find({});
    if (this.#unstored.size === 0) return stored;
    const others = stored.filter(({ _id }) => !this.#unstored.has(_id));
    return [...this.#unstored.values(), ...others].sort((a, b) => b.at.getTime() - a.at.getTime());
  }

  /** Those that have no outcome: under the lease, their processes have ended. */
  async open(): Promise<readonly BackupRow[]> {
    return (await this.#find({ outcome: { $exists: false } })).filter(({ _id }) => !this.#unstored.has(_id));
  }

  /** Whether the processes ended in all backups of a planned time, and there is to be another one. */
  async isInterrupted(planned: Date): Promise<boolean> {
    const made = await this.#find({ planned });
    return made.length > 0 && made.length < maxInterrupted && made.every(({ outcome }) => outcome === 'interrupted');
  }

  /** The last time that was planned, in any folder. @param until the latest that counts; any by default */
  async lastPlanned(until?: Date): Promise<Date | undefined> {
    const planned = until === undefined ? { $exists: true } : { $lte: until };
    const [row] = await this.#collection.find({ planned }, { sort: { planned: -1 }, limit: 1 }).toArray();
    return row?.planned;
  }

  async remove(name: string): Promise<void> {
    await this.#collection.deleteOne({ _id: name });
  }

  /** Removes the oldest rows of backups that have failed. */
  async prune(): Promise<void> {
    const failed = await this.#find({ outcome: { $in: ['failed', 'interrupted'] } });
    for (const { _id } of failed.slice(maxFailed)) await this.remove(_id);
  }

  async #find(filter: object): Promise<readonly BackupRow[]> {
    const found = this.#collection.find({ dir: this.dir, ...filter }, { sort: { at: -1 } });
    return found.toArray();
  }
}
