/** The worker threads that hash and compare passwords, and their queue. */
import type { Worker } from 'node:worker_threads';
import { startWorker } from 'dossier-store/worker';
import { busy } from '../../errors.ts';
import type { HashTask } from '../contract.ts';
import { HashQueue, type Queued } from './hash-queue.ts';
import type { HashResult } from './hash-worker.ts';

type HashWork = Queued & { readonly password: string } & ({ readonly cost: number } | { readonly hash: string });

export interface HashPool {
  /** @throws 503 at once when the work would not finish in time */
  run(work: HashWork, task?: HashTask): Promise<string | boolean>;
  close(): Promise<void>;
}

export const hashLimits = {
  /** Maximum waiting jobs of one kind for one caller. */
  waitingByCaller: 50,
  /** Maximum waiting jobs. */
  waiting: 1000,
} as const;

type Job = HashWork & { readonly done: (result: string | boolean) => void; readonly failed: (error: Error) => void };

/** Threads are started when first needed. @param maxWaitMs maximum milliseconds that a job waits */
export function makeHashPool(size: number, maxWaitMs: number): HashPool {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const jobs = new Map<Worker, { readonly job: Job; readonly since: number }>();
  const queue = new HashQueue<Job>();
  /** Milliseconds that one job takes, as measured. */
  let duration = 0;
  let lastId = 0;

  const give = (): void => {
    while (queue.size > 0) {
      const worker = idle.pop() ?? (all.size < size ? start() : undefined);
      if (worker === undefined) return;
      const job = queue.next() as Job;
      jobs.set(worker, { job, since: performance.now() });
      worker.ref();
      const { password } = job;
      worker.postMessage({ id: ++lastId, password, ...('hash' in job ? { hash: job.hash } : { cost: job.cost }) });
    }
  };
  const start = (): Worker => {
    const worker = startWorker('hash-worker', import.meta.url);
    all.add(worker);
    // a thread is slow to start, but starts only once
    let isWarm = false;
    worker.on('message', ({ result, error }: HashResult) => {
      const { job, since } = jobs.get(worker) ?? {};
      jobs.delete(worker);
      worker.unref();
      idle.push(worker);
      if (isWarm && since !== undefined) duration += (performance.now() - since - duration) / 4;
      isWarm = true;
      if (error === undefined) job?.done(result ?? false);
      else job?.failed(new Error(error));
      give();
    });
    worker.on('error', (error: unknown) => {
      all.delete(worker);
      jobs.get(worker)?.job.failed(error instanceof Error ? error : new Error(String(error)));
      jobs.delete(worker);
      give();
    });
    return worker;
  };
  const isTooMuch = (work: HashWork, left: number, time: number): boolean =>
    queue.size >= hashLimits.waiting ||
    queue.countOf(work) >= hashLimits.waitingByCaller ||
    (left * (queue.ahead(work) + 1) * duration) / size > time;
  return {
    run: (work, task) =>
      new Promise((done, failed) => {
        const time = task === undefined ? maxWaitMs : task.until - performance.now();
        if (isTooMuch(work, task?.left ?? 1, time)) return failed(busy());
        const settled = (): void => {
          clearTimeout(timer);
          queue.remove(job);
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
        queue.push(job);
        return give();
      }),
    close: async () => void (await Promise.all([...all].map((worker) => worker.terminate()))),
  };
}
