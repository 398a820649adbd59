/** Starts a thread from a file beside the caller: the compiled one, or its source where sources are run. */ import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
/** @param name of the file, without its ending @param beside `import.meta.url` of the caller */ export function startThread(name, beside) {
    if (!beside.endsWith('.ts')) return new Worker(new URL(`${name}.js`, beside));
    const file = fileURLToPath(new URL(`${name}.ts`, beside));
    const jiti = createRequire(beside).resolve('jiti');
    // Node cannot run TypeScript in a thread by itself; the loader of the model files can
    return new Worker(`require(${JSON.stringify(jiti)}).createJiti(${JSON.stringify(file)}).import(${JSON.stringify(file)})`, {
        eval: true
    });
}
