/** The worker threads that hash and compare passwords, and their queue. */
import { busy } from '../../errors/errors.ts';
import type { HashBudget } from './contract.ts';
import { type HashThread, releaseThread, takeThread } from './hash-threads.ts';
import type { HashResult } from './hash-worker.ts';

type HashWork = HashJob & { readonly password: string } & ({ readonly cost: number } | { readonly hash: string });

export const hashLimits = {
  /** Maximum waiting jobs of one kind for one caller. */
  waitingByCaller: 50,
  /** Maximum waiting jobs. */
  waiting: 1000,
} as const;

type Job = HashWork & { readonly done: (result: string | boolean) => void; readonly failed: (error: Error) => void };

interface Thread extends HashThread {
  current: { readonly job: Job; readonly since: number } | undefined;
}

export class HashPool {
  readonly #idle: Thread[] = [];
  readonly #threads = new Set<Thread>();
  readonly #queue = new HashQueue<Job>();
  /** Milliseconds that one job takes, as measured. */
  #duration = 0;
  #lastId = 0;
  #isClosed = false;

  /** @param size threads at most, each started when it is first needed @param maxWaitMs maximum milliseconds that a job waits */
  constructor(
    private readonly size: number,
    private readonly maxWaitMs: number,
  ) {}

  /** @throws 503 at once when the work would not finish in time, or the pool is closed */
  run(work: HashWork, task?: HashBudget): Promise<string | boolean> {
    return new Promise((done, failed) => {
      const time = task === undefined ? this.maxWaitMs : task.until - performance.now();
      if (this.#isClosed || this.#isTooMuch(work, task?.left ?? 1, time)) return failed(busy());
      const settled = (): void => {
        clearTimeout(timer);
        this.#queue.remove(job);
      };
      const job: Job = {
        ...work,
        done: (result) => {
          settled();
          done(result);
        },
        failed: (error) => {
          settled();
          failed(error);
        },
      };
      // the estimate may be wrong: logins and callers with fewer waiting jobs overtake this job
      const timer = setTimeout(() => job.failed(busy()), time);
      this.#queue.push(job);
      return this.#assign();
    });
  }

  /** Later work is refused: another server may have the threads. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#idle.length = 0;
    await Promise.all([...this.#threads].map((thread) => releaseThread(thread, thread.current === undefined)));
    this.#threads.clear();
  }

  #isTooMuch(work: HashWork, left: number, time: number): boolean {
    return (
      this.#queue.size >= hashLimits.waiting ||
      this.#queue.countOf(work) >= hashLimits.waitingByCaller ||
      (left * (this.#queue.ahead(work) + 1) * this.#duration) / this.size > time
    );
  }

  /** Gives the next work to threads that are free, or can be started. */
  #assign(): void {
    while (this.#queue.size > 0) {
      const thread = this.#idle.pop() ?? (this.#threads.size < this.size ? this.#start() : undefined);
      if (thread === undefined) return;
      const job = this.#queue.next() as Job;
      thread.current = { job, since: performance.now() };
      thread.worker.ref();
      const given = 'hash' in job ? { hash: job.hash } : { cost: job.cost };
      thread.worker.postMessage({ id: ++this.#lastId, password: job.password, ...given });
    }
  }

  #start(): Thread {
    const { worker, isWarm } = takeThread();
    const thread: Thread = { worker, isWarm, current: undefined };
    this.#threads.add(thread);
    worker.on('message', (result: HashResult) => this.#finished(thread, result));
    worker.on('error', (error: unknown) => this.#broke(thread, error));
    return thread;
  }

  #finished(thread: Thread, { result, error }: HashResult): void {
    const { job, since } = thread.current ?? {};
    thread.current = undefined;
    thread.worker.unref();
    this.#idle.push(thread);
    if (thread.isWarm && since !== undefined) this.#duration += (performance.now() - since - this.#duration) / 4;
    thread.isWarm = true;
    if (error === undefined) job?.done(result ?? false);
    else job?.failed(new Error(error));
    this.#assign();
  }

  #broke(thread: Thread, error: unknown): void {
    this.#threads.delete(thread);
    thread.current?.job.failed(error instanceof Error ? error : new Error(String(error)));
    thread.current = undefined;
    this.#assign();
  }
}

/**
 * The queue of password jobs: logins before new passwords, and within each the callers in turn, so that no caller blocks the
 * others.
 */

export type HashKind = 'login' | 'hash';

/** A job: its kind, and its caller (a user's id or an address). */
export interface HashJob {
  readonly kind: HashKind;
  readonly by: string;
}

export class HashQueue<T extends HashJob> {
  /** The jobs of each caller; the next caller comes first. */
  readonly #waiting: Readonly<Record<HashKind, Map<string, T[]>>> = { login: new Map(), hash: new Map() };
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of waiting jobs of a job's caller. */
  countOf({ kind, by }: HashJob): number {
    return this.#waiting[kind].get(by)?.length ?? 0;
  }

  /** The number of waiting jobs that would run before a new one. */
  ahead(work: HashJob): number {
    const own = this.countOf(work);
    let count = 0;
    for (const list of this.#waiting[work.kind].values()) count += Math.min(list.length, own + 1);
    if (work.kind === 'hash') for (const list of this.#waiting.login.values()) count += list.length;
    return count;
  }

  push(work: T): void {
    const callers = this.#waiting[work.kind];
    const list = callers.get(work.by);
    if (list === undefined) callers.set(work.by, [work]);
    else list.push(work);
    this.#size += 1;
  }

  /** Removes the next job; its caller moves to the end of the queue. */
  next(): T | undefined {
    return this.#nextOf('login') ?? this.#nextOf('hash');
  }

  /** Removes a job that no longer waits. */
  remove(work: T): void {
    const callers = this.#waiting[work.kind];
    const list = callers.get(work.by) ?? [];
    const at = list.indexOf(work);
    if (at === -1) return;
    list.splice(at, 1);
    if (list.length === 0) callers.delete(work.by);
    this.#size -= 1;
  }

  #nextOf(kind: HashKind): T | undefined {
    const callers = this.#waiting[kind];
    const [entry] = callers;
    if (entry === undefined) return undefined;
    const [by, list] = entry;
    const work = list.shift();
    callers.delete(by);
    if (list.length > 0) callers.set(by, list);
    this.#size -= 1;
    return work;
  }
}
