/** The workers of a primary: starts them, replaces those that die, and stops them in order. */
import { randomUUID } from 'node:crypto';
import { setTimeout as later } from 'node:timers/promises';
import type { Log } from '../ports/log.ts';
import { WorkerHub } from './hub.ts';
import { LastOutput, type StartMessage, WorkerEnded, WorkerProcess } from './process.ts';

/** Milliseconds after which a worker that dies counts as one that has worked. */
const soundAfterMs = 10_000;
/** Milliseconds before a worker that died early is replaced: doubled each time, up to a limit. */
const [minDelayMs, maxDelayMs] = [100, 5000];
/** How many workers in a row may end before they listen. */
const maxFailedStarts = 5;
/** Milliseconds that stopping takes at most; more than a worker takes by itself. */
const maxStopMs = 14_000;
/** Milliseconds between two readings of the figures of the workers: those of one that is killed are older by at most as much. */
const readEveryMs = 5000;

export interface Supervisor {
  readonly url: string;
  readonly banner: readonly string[];
  /** Resolves with the fault when no worker can be started any more. */
  readonly failed: Promise<Error>;
  /** Stops the workers after a step that comes first. */
  stop(first: () => Promise<void>): Promise<void>;
  /** Ends all at once. */
  kill(): void;
}

/** What all workers are given. */
export type SupervisorParts = Omit<StartMessage, 'number' | 'id' | 'replaces' | 'isFirst'> & {
  readonly count: number;
  readonly log: Log;
};

/** Starts the first worker, and when it listens, the others. @throws what stops the start of one */
export async function superviseWorkers(parts: SupervisorParts): Promise<Supervisor> {
  const workers = new Workers(parts);
  try {
    const first = workers.fork(1);
    // they load their code meanwhile
    const others = Array.from({ length: parts.count - 1 }, (_, at) => workers.fork(at + 2));
    const { url, banner } = await workers.startSurely(first, true);
    await Promise.all(others.map((one) => workers.startSurely(one, false)));
    workers.supervise();
    return { url, banner, failed: workers.failed, stop: (first) => workers.stop(first), kill: () => workers.kill() };
  } catch (error) {
    workers.kill();
    throw error;
  }
}

interface Forked {
  readonly number: number;
  readonly id: string;
  readonly process: WorkerProcess;
}

class Workers {
  readonly failed: Promise<Error>;
  readonly #endedOutput = new LastOutput();
  readonly #hub = new WorkerHub(Date.now, () => [...this.#endedOutput.logLines, ...this.parts.log.recent()]);
  #reading: NodeJS.Timeout | undefined;
  /** By number. */
  readonly #running = new Map<number, WorkerProcess>();
  /** The ids of dead workers that have not been replaced, by number. */
  readonly #dead = new Map<number, readonly string[]>();
  readonly #stopping = new AbortController();
  #isSupervised = false;
  /** The port that workers ask for; the system chooses one for 0. */
  #port: number;
  /** Where the workers listen, once they do. */
  #listensOn: number | undefined;
  #fail: (error: Error) => void = () => undefined;
  #listening = 0;
  #failedStarts = 0;
  /** How many workers in a row have died early. */
  #earlyEnds = 0;

  constructor(private readonly parts: SupervisorParts) {
    this.#port = parts.port;
    this.failed = new Promise((fail) => (this.#fail = fail));
  }

  async start({ number, id, process }: Forked, isFirst: boolean): ReturnType<WorkerProcess['start']> {
    const { count: _count, log: _log, ...given } = this.parts;
    // when all have died the port is free again; the others ask for it as the first one did
    if (this.#listening === 0) this.#port = this.#listensOn ?? this.#port;
    const replaces = this.#dead.get(number) ?? [];
    try {
      const started = await process.start({ ...given, port: this.#port, number, id, replaces, isFirst });
      this.#listening += 1;
      void process.ended.then(() => (this.#listening -= 1));
      this.#dead.delete(number);
      this.#failedStarts = 0;
      this.#listensOn ??= Number(new URL(started.url).port || 80);
      return started;
    } catch (error) {
      process.kill();
      throw error;
    }
  }

  /** Starts a worker, and another one in its place if it ends before it listens. @throws its fault, or the last ending of several in a row */
  async startSurely(given: Forked, isFirst: boolean): ReturnType<WorkerProcess['start']> {
    for (let one = given, ended = 1; ; ended++) {
      try {
        return await this.start(one, isFirst);
      } catch (error) {
        if (!(error instanceof WorkerEnded) || ended === maxFailedStarts) throw error;
        this.parts.log.error(error.message);
        await later(this.#delay(), undefined, { signal: this.#stopping.signal });
        one = this.fork(given.number);
      }
    }
  }

  /** From now on, workers that die are replaced. */
  supervise(): void {
    this.#isSupervised = true;
    this.#reading = setInterval(() => void this.#hub.readKept(), readEveryMs).unref();
    for (let number = 1; number <= this.parts.count; number++)
      if (!this.#running.has(number)) void this.#replace(number, 0);
  }

  async stop(first: () => Promise<void>): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#reading);
    const all = [...this.#running.values()];
    const late = setTimeout(() => this.kill(), maxStopMs);
    await first();
    await Promise.all(all.map((one) => one.stop()));
    clearTimeout(late);
  }

  kill(): void {
    this.#stopping.abort();
    for (const one of this.#running.values()) one.kill();
  }

  /** Starts a process, which loads its code and waits. */
  fork(number: number): Forked {
    const id = randomUUID();
    const one: WorkerProcess = new WorkerProcess((name, value) => connection.answer(name, value));
    const connection = this.#hub.join((name, value) =>
      // nothing waits for a worker that loads its code: it has no state yet that messages of others would change
      name === 'receive' && !one.isLoaded ? Promise.reject(new Error('not loaded')) : one.channel.call(name, value),
    );
    void one.closed.then(({ text }) => this.#endedOutput.add(text));
    const since = performance.now();
    this.#running.set(number, one);
    void one.ended.then((how) => {
      connection.leave();
      this.#running.delete(number);
      this.#dead.set(number, [...(this.#dead.get(number) ?? []), id]);
      this.#earlyEnds = performance.now() - since < soundAfterMs ? this.#earlyEnds + 1 : 0;
      if (this.#stopping.signal.aborted || !this.#isSupervised) return;
      this.parts.log.error(`worker ${number} ended ${how}`);
      void this.#replace(number, this.#delay());
    });
    return { number, id, process: one };
  }

  #delay(): number {
    return this.#earlyEnds === 0 ? 0 : Math.min(maxDelayMs, minDelayMs * 2 ** (this.#earlyEnds - 1));
  }

  /** Starts a worker again. One that fails to start ends, and is then replaced in turn. */
  async #replace(number: number, delayMs: number): Promise<void> {
    const { signal } = this.#stopping;
    try {
      await later(delayMs, undefined, { signal });
      await this.start(this.fork(number), false);
      this.parts.log.info(`worker ${number} is replaced`);
    } catch (error) {
      if (signal.aborted) return;
      this.#failedStarts += 1;
      this.parts.log.error(`worker ${number} could not be replaced`, error);
      if (this.#failedStarts >= maxFailedStarts) this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
