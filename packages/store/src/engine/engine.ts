/** The state of an open store: documents, sessions, cursors and running commands. */
import type { Storage } from '../storage/storage.ts';
import { Cursors } from './cursors.ts';
import { startExpiry } from './expiry.ts';
import type { Limits } from './limits.ts';
import { Operation, type Origin } from './operation.ts';
import { Scheduler } from './scheduler.ts';
import { Sessions } from './sessions.ts';
import { type Reports, Store } from './store.ts';
import { Usage } from './usage.ts';
import { WriteBatch } from './write-batch.ts';

/** A writing command's hold on the write lock. */
export interface LockHolder {
  /**
   * Whether the command should yield: others wait and it has held the lock for its maximum time, or it has written its
   * maximum bytes.
   */
  readonly due: boolean;
  /** Submits the changes so far and lets other commands write. */
  yield(): Promise<void>;
  /**
   * Submits the changes so far and runs `work` while other commands write. Afterwards the command holds the lock again, and everything
   * that was submitted is on disk.
   */
  beside<T>(work: () => Promise<T>): Promise<T>;
}

export class Engine {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly cursors = new Cursors();
  readonly scheduler = new Scheduler();
  readonly usage: Usage;
  /** Open connections. */
  connections = 0;
  readonly #operations = new Map<number, Operation>();
  readonly #counts = new Map<string, number>();
  readonly #stopExpiry: () => void;
  /** What writing commands do without the write lock. */
  readonly #beside = new Set<Promise<unknown>>();
  #operationId = 1;

  private constructor(store: Store) {
    this.store = store;
    this.sessions = new Sessions(store);
    this.usage = new Usage((ns) => store.catalog.has(ns));
    this.#stopExpiry = startExpiry(this);
  }

  /** Loads the data and starts the background work. */
  static async start(storage: Storage, limits: Limits, reports: Reports): Promise<Engine> {
    const store = new Store(storage, limits, reports);
    store.load();
    store.disk.probe();
    return new Engine(store);
  }

  /** Registers an operation; the caller must finish it. */
  begin(origin: Origin): Operation {
    const operation = new Operation(this.#operationId, origin, this.scheduler, this.store.limits.sliceMs);
    this.#operationId += 1;
    this.#operations.set(operation.id, operation);
    this.#counts.set(origin.name, (this.#counts.get(origin.name) ?? 0) + 1);
    return operation;
  }

  finish(operation: Operation): void {
    this.#operations.delete(operation.id);
    this.usage.add(operation);
  }

  /** The running operations. */
  get operations(): readonly Operation[] {
    return [...this.#operations.values()];
  }

  /** How often each command has run. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Kills an operation; false if there is none. */
  kill(id: number): boolean {
    const operation = this.#operations.get(id);
    operation?.interrupt();
    return operation !== undefined;
  }

  /** Runs `work` under the write lock, and waits until its changes are on disk. */
  async write<T>(work: (batch: WriteBatch, holder: LockHolder) => Promise<T> | T): Promise<T> {
    const { writers } = this.store;
    const batch = new WriteBatch();
    const written: Promise<void>[] = [];
    const submit = (): Promise<void> => {
      const part = this.store.submit(batch);
      part.catch(() => undefined);
      written.push(part);
      return part;
    };
    try {
      await this.store.checkpoints?.room();
      return await writers.run(async () => {
        await this.store.history.waitForReaders();
        this.store.checkAlive();
        this.store.begin(batch);
        try {
          return await work(batch, this.#holder(batch, submit));
        } finally {
          void submit();
          this.store.end(batch);
        }
      });
    } finally {
      await Promise.all(written);
    }
  }

  #holder(batch: WriteBatch, submit: () => Promise<void>): LockHolder {
    const { writers, limits } = this.store;
    let begun = performance.now();
    const resume = async (): Promise<void> => {
      await this.store.checkpoints?.roomUnderLock();
      await this.store.history.waitForReaders();
      this.store.checkAlive();
      begun = performance.now();
    };
    const isFull = (): boolean => batch.weight >= limits.writeLockBytes;
    return {
      get due() {
        return isFull() || (writers.hasWaiters && performance.now() - begun >= limits.writeLockMs);
      },
      yield: async () => {
        const full = isFull();
        const part = submit();
        if (full) await part;
        await writers.yield();
        await resume();
      },
      beside: async (work) => {
        await submit();
        const result = await this.#tracked(writers.beside(work));
        await resume();
        await submit();
        return result;
      },
    };
  }

  /** Lets the end of the engine wait for something. */
  async #tracked<T>(work: Promise<T>): Promise<T> {
    this.#beside.add(work);
    try {
      return await work;
    } finally {
      this.#beside.delete(work);
    }
  }

  /** Closes the store. All acknowledged writes are on disk. */
  async close(): Promise<void> {
    this.#stopExpiry();
    for (const operation of this.operations) operation.interrupt();
    await Promise.allSettled(this.#beside);
    // without it, the next start repeats the log
    await this.store.checkpoints?.close().catch(() => undefined);
    await this.store.writers.run(() => this.store.close());
  }
}
