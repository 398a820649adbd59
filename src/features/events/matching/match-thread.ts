/** A thread that matches rows with filters. It is stopped when a filter takes too long. */
import { startWorker } from 'dossier-store/worker';
import type { MatchAnswer, MatchTask } from './match-worker.ts';

/** How one task ended. */
interface MatchRun {
  /** Undefined when the thread was stopped before it finished, after which it cannot be used again. */
  readonly result: boolean | undefined;
  /** Milliseconds of its budget that it has used. */
  readonly spent: number;
}

export interface MatchThread {
  /**
   * One task at a time.
   * @param budget milliseconds from the moment when the thread is ready
   */
  run(task: MatchTask, budget: number): Promise<MatchRun>;
  stop(): Promise<void>;
}

/** Maximum milliseconds until a thread is ready. */
const startsWithin = 30_000;

/**
 * Starts a clock that stops while other programs keep the processors busy: as many milliseconds as have passed, but no more than this
 * process has had of the processors. Node 20 does not report the processor time of a single thread.
 */
function startClock(): () => number {
  const began = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return Math.min(performance.now() - began, (user + system) / 1000);
  };
}

/**
 * Stops work when its clock reaches a limit.
 * @returns a function that ends the limit, for when the work is done
 */
function startLimit(limit: number, clock: () => number, stop: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    if (timer !== undefined && clock() >= limit) void stop();
    else if (timer !== undefined) wait();
  };
  // checks after the messages have been read: the answer may have arrived while the main thread was busy
  const wait = (): void => void (timer = setTimeout(() => setImmediate(check), limit - clock()));
  wait();
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}

export function startMatchThread(): MatchThread {
  const worker = startWorker('match-worker', import.meta.url);
  let receive = (_answer: MatchAnswer | undefined): void => undefined;
  let isGone = false;
  const leave = (): void => {
    isGone = true;
    receive(undefined);
  };
  const stop = async (): Promise<void> => {
    leave();
    await worker.terminate();
  };
  /** The next answer; undefined if the thread ends first, or if the clock reaches the limit. */
  const answer = (limit: number, clock: () => number): Promise<MatchAnswer | undefined> =>
    new Promise((done) => {
      const endLimit = startLimit(limit, clock, stop);
      receive = (message) => {
        endLimit();
        done(message);
      };
      if (isGone) receive(undefined);
    });
  worker.on('message', (message: MatchAnswer) => receive(message));
  // an error ends the thread
  worker.on('error', leave);
  worker.on('exit', leave);
  worker.unref();
  const ready = answer(startsWithin, startClock());
  return {
    async run({ row, key, filter }, budget) {
      worker.ref();
      await ready;
      const clock = startClock();
      const verdict = answer(budget, clock);
      worker.postMessage({ row, key, filter });
      const message = await verdict;
      worker.unref();
      return { result: typeof message === 'boolean' ? message : undefined, spent: clock() };
    },
    stop,
  };
}
