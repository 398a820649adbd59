/** Starts worker threads: from the compiled file, or from its TypeScript source when the server runs from sources. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/**
 * @param name path of the worker's file without its extension, relative to the caller, such as `./hash-worker`
 * @param callerUrl `import.meta.url` of the caller
 */
export function startWorker(name: string, callerUrl: string): Worker {
  if (!callerUrl.endsWith('.ts')) return new Worker(new URL(`${name}.js`, callerUrl));
  const file = fileURLToPath(new URL(`${name}.ts`, callerUrl));
  const jiti = createRequire(callerUrl).resolve('jiti');
  // Node 20 cannot run TypeScript in a worker; jiti, which loads the model files, can
  return new Worker(
    `require(${JSON.stringify(jiti)}).createJiti(${JSON.stringify(file)}).import(${JSON.stringify(file)})`,
    { eval: true },
  );
}
