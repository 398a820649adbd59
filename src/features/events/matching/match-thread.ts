/** A thread that matches rows with filters. It is stopped when a filter takes too long. */
import { startWorker } from 'dossier-store/worker';
import type { MatchAnswer, MatchTask } from './match-worker.ts';

export interface MatchThread {
  /**
   * One task at a time.
   * @param budget milliseconds from the moment when the thread is ready
   * @returns undefined when the thread was stopped before it finished, after which it cannot be used again
   */
  run(task: MatchTask, budget: number): Promise<boolean | undefined>;
  stop(): Promise<void>;
}

/** Maximum milliseconds until a thread is ready. */
const startsWithin = 30_000;

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
  /** The next answer; undefined if the thread ends first. */
  const answer = (milliseconds: number): Promise<MatchAnswer | undefined> =>
    new Promise((done) => {
      const timer = setTimeout(() => void stop(), milliseconds);
      receive = (message) => {
        clearTimeout(timer);
        done(message);
      };
      if (isGone) receive(undefined);
    });
  worker.on('message', (message: MatchAnswer) => receive(message));
  // an error ends the thread
  worker.on('error', leave);
  worker.on('exit', leave);
  worker.unref();
  const ready = answer(startsWithin);
  return {
    async run({ row, key, filter }, budget) {
      worker.ref();
      await ready;
      const verdict = answer(budget);
      worker.postMessage({ row, key, filter });
      const message = await verdict;
      worker.unref();
      return typeof message === 'boolean' ? message : undefined;
    },
    stop,
  };
}
