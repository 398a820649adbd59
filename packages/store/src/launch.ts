/** Starts worker threads. */
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * The built program of this name in the package of a module. Node does not run TypeScript in a thread or another process: for a source
 * file, as in tests, it is the output of `scripts/build.mjs`.
 * @param name file name without its extension
 * @param module `import.meta.url` of a source, or of a file of its bundle
 */
export function programOf(name: string, module: string): URL {
  const folder = module.endsWith('.ts') ? module.replace(/\/src\/(?!.*\/src\/).*$/, '/dist/') : module;
  return new URL(`./${name}.js`, folder);
}

/** Starts a worker thread with a program of the caller's package (`programOf`). */
export const startWorker = (name: string, module: string, options?: WorkerOptions): Worker =>
  new Worker(programOf(name, module), options);
