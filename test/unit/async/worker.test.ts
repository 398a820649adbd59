/** Worker threads, started from TypeScript sources as the server's are in development. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { startWorker } from '../../../src/async/worker.ts';

const echo =
  "import { parentPort } from 'node:worker_threads';\nparentPort?.on('message', (it) => parentPort?.postMessage(it));";

test.each([
  ['a TypeScript source', 'echo.ts', `${echo.replace('(it)', '(it: string)')}`, 'caller.ts'],
  ['a compiled file', 'echo.js', echo, 'caller.js'],
])('%s is run', async (_, file, source, caller) => {
  // inside of the checkout, where jiti is found
  const folder = await mkdtemp(join(__dirname, 'worker-'));
  try {
    await writeFile(join(folder, file), source);
    const worker = startWorker('./echo', pathToFileURL(join(folder, caller)).href);
    try {
      worker.postMessage('hello');
      expect(await once(worker, 'message')).toEqual(['hello']);
    } finally {
      await worker.terminate();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
