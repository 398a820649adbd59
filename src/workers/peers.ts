/** The other workers, as one worker reaches them: by calls to the primary. */
import { type KeyedMutex, type KeyedMutexOptions, makeKeyedMutex } from '../async/keyed-mutex.ts';
import type { KeyedSemaphore } from '../async/keyed-semaphore.ts';
import { withTimeout } from '../async/timeout.ts';
import { busy } from '../errors/errors.ts';
import type { Snapshot } from '../metrics/metrics.ts';
import type { Hits } from '../settings/config-file.ts';
import type {
  ChangesMessage,
  CountAgainstLimit,
  FailedLoginRecord,
  Lease,
  Limit,
  SharedClock,
  Topics,
  Window,
} from '../shared/contract.ts';
import { programClock } from '../shared/database-clock.ts';
import { holdLease, type Leases } from '../shared/leases.ts';
import type { FeedStart, Needs, Peers } from './contract.ts';
import type { HubCalls } from './hub.ts';

type Handler = (message: never) => unknown;

/** Calls of the primary; the worker answers `receive`, `permits` and `needed`. */
export type CallHub = <N extends keyof HubCalls>(name: N, value: HubCalls[N]) => Promise<unknown>;

export class WorkerPeers implements Peers {
  /** Workers run on one machine. */
  readonly clock: SharedClock = programClock(() => new Date());
  readonly permits: KeyedSemaphore = { acquire: (keys, permits) => this.#acquire(keys, permits) };
  readonly #handlers = new Map<string, Handler>();
  readonly #open = new Set<Promise<unknown>>();
  /** How permits are looked up, by grant; and the errors with which that refused. */
  readonly #lookups = new Map<number, () => Promise<readonly number[]>>();
  readonly #refusals = new Map<number, unknown>();
  readonly #leases: Leases = {
    take: async (key, holder, ms) => (await this.callHub('takeLease', { key, holder, ms })) === true,
    free: async (key, holder) => void (await this.callHub('freeLease', { key, holder })),
  };
  #grants = 0;
  #needed: Needs = { all: false, documents: [] };

  constructor(private readonly callHub: CallHub) {}

  get needed(): Needs {
    return this.#needed;
  }

  /** Answers a call of the primary. */
  answer(name: string, value: unknown): unknown {
    if (name === 'receive') return this.#receive(value as HubCalls['broadcast']);
    if (name === 'permits') return this.#lookUp(value as number);
    if (name === 'needed') this.#needed = value as Needs;
    return undefined;
  }

  broadcast<T extends keyof Topics>(topic: T, message: Topics[T]['message']): Promise<readonly Topics[T]['answer'][]> {
    // a primary that has ended takes its workers with it
    const answers = this.callHub('broadcast', { topic, message }).catch(() => []) as Promise<
      readonly Topics[T]['answer'][]
    >;
    return this.#whileOpen(answers);
  }

  onMessage<T extends keyof Topics>(topic: T, handle: (message: Topics[T]['message']) => unknown): void {
    this.#handlers.set(topic, handle);
  }

  readonly settled = (): Promise<void> | undefined =>
    this.#open.size === 0 ? undefined : Promise.all(this.#open).then(() => undefined);

  async count(key: string, window: Window): Promise<Hits> {
    return (await this.callHub('count', { key, window })) as Hits;
  }

  async counts(keys: readonly string[]): Promise<readonly (Hits | undefined)[]> {
    return (await this.callHub('counts', { keys })) as readonly (Hits | undefined)[];
  }

  limit({ name, windowMs: ms }: Limit): CountAgainstLimit {
    return (key) => this.count(`${name} ${key}`, { ms });
  }

  lease(key: string, ms: number): Promise<Lease | undefined> {
    return holdLease(this.#leases, key, ms);
  }

  async once(key: string, ms: number): Promise<boolean> {
    return (await this.count(`once ${key}`, { ms })).totalHits === 1;
  }

  mutex(options: KeyedMutexOptions): KeyedMutex {
    return mutexOverWorkers(options, (keys, permits) => this.#acquire(keys, permits));
  }

  async metrics(own: Snapshot): Promise<readonly Snapshot[]> {
    return (await this.callHub('metrics', own)) as readonly Snapshot[];
  }

  async failedLogin(minute: number, key: string): Promise<FailedLoginRecord> {
    return (await this.callHub('failedLogin', { minute, key })) as FailedLoginRecord;
  }

  async #acquire(
    keys: readonly string[],
    permits: readonly number[] | (() => Promise<readonly number[]>),
  ): Promise<() => void> {
    const grant = ++this.#grants;
    if (typeof permits === 'function') this.#lookups.set(grant, permits);
    try {
      await this.callHub('acquire', { keys, grant, permits: typeof permits === 'function' ? undefined : permits });
    } catch (error) {
      throw this.#refusals.has(grant) ? this.#refusals.get(grant) : error;
    } finally {
      this.#lookups.delete(grant);
      this.#refusals.delete(grant);
    }
    return () => void this.callHub('release', { grant }).catch(() => undefined);
  }

  async declare(needs: Needs): Promise<void> {
    await this.callHub('declare', needs);
  }

  async broadcastInOrder(message: ChangesMessage, count: number): Promise<void> {
    await this.#whileOpen(this.callHub('broadcastInOrder', { message, count }).catch(() => undefined));
  }

  async beginFeed(): Promise<FeedStart> {
    return (await this.callHub('beginFeed', undefined)) as FeedStart;
  }

  /** @throws Error while this worker starts: a missing answer is none, and not taken for one */
  #receive({ topic, message }: HubCalls['broadcast']): unknown {
    const handle = this.#handlers.get(topic);
    if (handle === undefined) throw new Error(`${topic}: this worker is not ready`);
    return handle(message as never);
  }

  async #lookUp(grant: number): Promise<readonly number[]> {
    const look = this.#lookups.get(grant);
    try {
      return (await look?.()) ?? [];
    } catch (error) {
      this.#refusals.set(grant, error);
      throw error;
    }
  }

  #whileOpen<T>(call: Promise<T>): Promise<T> {
    this.#open.add(call);
    void call.finally(() => this.#open.delete(call));
    return call;
  }
}

/** @param acquire waits for a permit over all workers, and returns what releases it */
function mutexOverWorkers(
  options: KeyedMutexOptions,
  acquire: (keys: readonly string[], permits: readonly number[]) => Promise<() => void>,
): KeyedMutex {
  const { maxWaitMs, permits = 1 } = options;
  const mutex = makeKeyedMutex(options);
  return (key, work, caller) => {
    const workAlone = async (): ReturnType<typeof work> => {
      const acquiring = acquire([`mutex ${key}`], [permits]);
      let isLate = false;
      const release = await withTimeout(maxWaitMs, acquiring, () => {
        isLate = true;
        return busy();
      }).finally(() => {
        if (isLate)
          void acquiring.then(
            (late) => late(),
            () => undefined,
          );
      });
      try {
        return await work();
      } finally {
        release();
      }
    };
    return mutex(key, workAlone, caller);
  };
}
