/** Starts worker threads. */
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a thread that runs a file beside the caller. Node runs no TypeScript in a thread: where the caller is a source file, as in tests, the
 * thread runs the program that `scripts/build.mjs` has made of it.
 * @param name of the file, without its extension @param beside `import.meta.url` of the caller
 */
export function startWorker(name: string, beside: string, options?: WorkerOptions): Worker {
  const program = new URL(`./${name}.js`, beside);
  if (beside.endsWith('.ts')) program.pathname = inDist(program.pathname);
  return new Worker(program, options);
}

/** The last folder `src` of a path becomes `dist`. */
const inDist = (path: string): string => path.replace(/\/src\/(?!.*\/src\/)/, '/dist/');
