/** Password hashes: made and compared in worker threads, four at a time at most and 100 waiting. The door to bcryptjs. */
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { badValue, busy } from '../errors.ts';
import type { Passwords } from '../services.ts';
import type { Settings } from '../settings/types.ts';
import type { HashResult } from './hash-worker.ts';
import { startThread } from '../thread.ts';

const mostThreads = 4;
const mostWaiting = 100;
/** bcrypt looks at this many bytes; longer passwords are refused, never cut off. */
const mostBytes = 72;

type Work = { readonly password: string } & ({ readonly cost: number } | { readonly hash: string });
interface Job {
  readonly work: Work;
  readonly done: (result: string | boolean) => void;
  readonly failed: (error: Error) => void;
}

/** A hash that no password fits, at the cost in force, so that unknown users take as long as known ones. */
const hashOfNobody = (cost: number): string =>
  `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(22)}${'/'.repeat(31)}`;

export function makePasswords(settings: Settings): Passwords {
  const pool = makePool(Math.min(mostThreads, Math.max(1, availableParallelism())));
  return {
    async hash(password, path = 'password') {
      const { password_min_length: shortest, bcrypt_cost: cost } = settings;
      if (password.length < shortest) throw badValue(path, 'minlength', `must have ${shortest} characters or more`);
      if (Buffer.byteLength(password) > mostBytes)
        throw badValue(path, 'maxlength', `must have ${mostBytes} bytes or less`);
      if (password.includes('\0')) throw badValue(path, 'regexp', 'must not hold a NUL');
      return (await pool.run({ password, cost })) as string;
    },
    async matches(password, hash) {
      const fits = await pool.run({ password, hash: hash ?? hashOfNobody(settings.bcrypt_cost) });
      return fits === true && hash !== undefined && Buffer.byteLength(password) <= mostBytes;
    },
    close: () => pool.close(),
  };
}

interface Pool {
  run(work: Work): Promise<string | boolean>;
  close(): Promise<void>;
}

/** Threads are started when first needed. */
function makePool(size: number): Pool {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const jobs = new Map<Worker, Job>();
  const waiting: Job[] = [];
  let lastId = 0;

  const give = (): void => {
    while (waiting.length > 0) {
      const worker = idle.pop() ?? (all.size < size ? start() : undefined);
      if (worker === undefined) return;
      const job = waiting.shift() as Job;
      jobs.set(worker, job);
      worker.ref();
      worker.postMessage({ id: ++lastId, ...job.work });
    }
  };
  const start = (): Worker => {
    const worker = startThread('./hash-worker', import.meta.url);
    all.add(worker);
    worker.on('message', ({ result, error }: HashResult) => {
      const job = jobs.get(worker);
      jobs.delete(worker);
      worker.unref();
      idle.push(worker);
      if (error === undefined) job?.done(result ?? false);
      else job?.failed(new Error(error));
      give();
    });
    worker.on('error', (error: unknown) => {
      all.delete(worker);
      jobs.get(worker)?.failed(error instanceof Error ? error : new Error(String(error)));
      jobs.delete(worker);
      give();
    });
    return worker;
  };
  return {
    run: (work) =>
      new Promise((done, failed) => {
        if (waiting.length >= mostWaiting) return failed(busy());
        waiting.push({ work, done, failed });
        return give();
      }),
    close: async () => void (await Promise.all([...all].map((worker) => worker.terminate()))),
  };
}
