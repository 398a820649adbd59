/** Starts worker threads. */
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a worker thread with a file beside the caller. Node does not run TypeScript in a thread: for a source file, as
 * in tests, the thread runs the output of `scripts/build.mjs`.
 * @param name file name without its extension
 * @param beside `import.meta.url` of the caller
 */
export function startWorker(name: string, beside: string, options?: WorkerOptions): Worker {
  const program = new URL(`./${name}.js`, beside);
  if (beside.endsWith('.ts')) program.pathname = inDist(program.pathname);
  return new Worker(program, options);
}

/** Replaces the last `src` folder of a path by `dist`. */
const inDist = (path: string): string => path.replace(/\/src\/(?!.*\/src\/)/, '/dist/');
