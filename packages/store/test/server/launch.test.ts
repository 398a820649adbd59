/** Worker threads: the compiled file beside the caller, or the one built from the source beside it. */
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { startWorker } from '../../src/launch.ts';

const echo =
  "import { parentPort } from 'node:worker_threads';\nparentPort?.on('message', (it) => parentPort?.postMessage(it));";

test.each(['src/caller.ts', 'dist/caller.js'])('%s starts dist/echo.js', async (caller) => {
  // inside the checkout, whose files are modules
  const folder = await mkdtemp(join(__dirname, 'worker-'));
  try {
    await mkdir(join(folder, 'dist'));
    await writeFile(join(folder, 'dist/echo.js'), echo);
    const worker = startWorker('echo', pathToFileURL(join(folder, caller)).href);
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
