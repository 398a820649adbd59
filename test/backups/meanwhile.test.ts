/** A backup of a large store holds up no request: it is written and checked in a thread of its own. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from '@jest/globals';
import type { Document } from '../support/client.ts';
import { openPeople } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';

const models = {
  'note.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ n: Number, text: String }, { perms: { admin: 'crud' } });`,
};
const folder = mkdtempSync(join(tmpdir(), 'meanwhile-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Held {
  /** Whether the thread has done its work, which the server does not receive yet. */
  readonly isDone: () => boolean;
  readonly release: () => void;
}

/** Holds what the next thread reports that this process starts. */
function holdNextThread(): Held {
  const held: (() => void)[] = [];
  let [isHeld, isDone] = [true, false];
  process.once('worker', (worker: Worker) => {
    const emit = worker.emit.bind(worker) as (...event: unknown[]) => boolean;
    // a thread that has ended would lose those who wait for what it reports
    worker.removeAllListeners = () => worker;
    worker.emit = (...event: unknown[]) => {
      if (!isHeld) return emit(...event);
      isDone ||= event[0] === 'message';
      held.push(() => emit(...event));
      return true;
    };
  });
  const release = (): void => {
    isHeld = false;
    for (const send of held.splice(0)) send();
  };
  return { isDone: () => isDone, release };
}

test('reads and writes are answered while a backup is made', async () => {
  const server = await openPeople(['root'], {
    ...{ models, inMemory: false, mongodb_url: undefined, data_dir: join(folder, 'data') },
    backup: { dir: join(folder, 'backups') },
  });
  // a password could start a thread that hashes
  const root = { headers: server.callers.root.headers };
  const text = 'x'.repeat(10_000);
  const notes = server.dossier.services.connection.collection('notes');
  for (let block = 0; block < 3; block++)
    await notes.insertMany(Array.from({ length: 500 }, (_, n) => ({ n: block * 500 + n, text })));
  // one that is made in the thread of requests, or of the store, starts none
  const thread = holdNextThread();
  expect((await server.post('/server/backups', undefined, root)).status).toBe(202);
  const listed = async (): Promise<readonly Document[]> =>
    (await server.get('/server/backups', root)).body['data'] as readonly Document[];
  const served = async (): Promise<void> => {
    const written = await server.post('/api/note', { n: -1 }, root);
    const read = await server.get(`/api/note/${String(written.document['_id'])}`, root);
    expect([written.status, read.status, await listed()]).toEqual([201, 200, []]);
  };
  await until(async () => {
    await served();
    return thread.isDone();
  });
  await served();
  expect((await server.post('/server/backups', undefined, root)).status).toBe(409);
  thread.release();
  await until(async () => (await listed()).length > 0);
  const [ended] = await listed();
  expect(ended).toMatchObject({ verified: true });
  expect(Number(ended?.['bytes'])).toBeGreaterThan(20_000_000);
  await server.close();
}, 300_000);
