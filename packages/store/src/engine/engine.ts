/** Everything that lives as long as the store is open: documents, sessions, cursors and the commands under way. */
import type { Storage } from '../storage/storage.ts';
import { Cursors } from './cursors.ts';
import { startExpiry } from './expiry.ts';
import type { Limits } from './limits.ts';
import { Operation } from './operation.ts';
import { Sessions } from './sessions.ts';
import { Store, type Reports } from './store.ts';
import { Unit } from './unit.ts';

/** The turn of a writing command. */
export interface Turn {
  /** Others wait to write and the turn has lasted as long as it may, or it has written as much as it may. */
  readonly due: boolean;
  /** Hands over what was changed so far and lets the others write. */
  pass(): Promise<void>;
}

/** An open store. */
export class Engine {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly cursors = new Cursors();
  /** Open connections. */
  connections = 0;
  readonly #operations = new Map<number, Operation>();
  readonly #counts = new Map<string, number>();
  readonly #stopExpiry: () => void;
  #operationId = 1;

  private constructor(store: Store) {
    this.store = store;
    this.sessions = new Sessions(store);
    this.#stopExpiry = startExpiry(this);
  }

  /** Loads what the storage has and begins to work. */
  static async start(storage: Storage, limits: Limits, reports: Reports): Promise<Engine> {
    const store = new Store(storage, limits, reports);
    await store.load();
    store.disk.probe();
    return new Engine(store);
  }

  /** Begins an operation; it must be finished. */
  begin(name: string, ns: string): Operation {
    const operation = new Operation(this.#operationId, name, ns, this.store.limits.sliceMs);
    this.#operationId += 1;
    this.#operations.set(operation.id, operation);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    return operation;
  }

  finish(operation: Operation): void {
    this.#operations.delete(operation.id);
  }

  /** The commands under way. */
  get operations(): readonly Operation[] {
    return [...this.#operations.values()];
  }

  /** How often each command has been run. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Ends a command; false when there is no such one. */
  kill(id: number): boolean {
    const operation = this.#operations.get(id);
    operation?.end();
    return operation !== undefined;
  }

  /** Runs some work as the one writing command, and waits until what it changed is on disk. */
  async write<T>(work: (unit: Unit, turn: Turn) => Promise<T> | T): Promise<T> {
    const { writers } = this.store;
    const unit = new Unit();
    const written: Promise<void>[] = [];
    const submit = (): Promise<void> => {
      const part = this.store.submit(unit);
      part.catch(() => undefined);
      written.push(part);
      return part;
    };
    try {
      return await writers.run(async () => {
        await this.store.history.room();
        this.store.checkAlive();
        this.store.begin(unit);
        try {
          return await work(unit, this.#turn(unit, submit));
        } finally {
          void submit();
          this.store.end(unit);
        }
      });
    } finally {
      await Promise.all(written);
    }
  }

  #turn(unit: Unit, submit: () => Promise<void>): Turn {
    const { writers, limits } = this.store;
    let begun = performance.now();
    const isFull = (): boolean => unit.weight >= limits.turnBytes;
    return {
      get due() {
        return isFull() || (writers.wanted && performance.now() - begun >= limits.turnMs);
      },
      pass: async () => {
        const full = isFull();
        const part = submit();
        if (full) await part;
        await writers.pass();
        await this.store.history.room();
        this.store.checkAlive();
        begun = performance.now();
      },
    };
  }

  /** Ends everything; what was answered is on disk. */
  async close(): Promise<void> {
    this.#stopExpiry();
    for (const operation of this.operations) operation.end();
    await this.store.writers.run(() => this.store.close());
  }
}
