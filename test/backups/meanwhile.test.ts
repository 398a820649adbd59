/** A backup of a large store holds up no request: it is written and checked in a thread of its own. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { Document } from '../support/client.ts';
import { openPeople, rootBasic } from '../support/fixtures/people.ts';

const models = {
  'note.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ n: Number, text: String }, { perms: { admin: 'crud' } });`,
};
const root = { headers: rootBasic };
const folder = mkdtempSync(join(tmpdir(), 'meanwhile-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('reads and writes are answered while a backup is made', async () => {
  const server = await openPeople(['root'], {
    ...{ models, inMemory: false, mongodb_url: undefined, data_dir: join(folder, 'data') },
    backup: { dir: join(folder, 'backups') },
  });
  const text = 'x'.repeat(10_000);
  const notes = server.dossier.services.connection.collection('notes');
  for (let block = 0; block < 3; block++)
    await notes.insertMany(Array.from({ length: 500 }, (_, n) => ({ n: block * 500 + n, text })));
  const made = await server.post('/server/backups', undefined, root);
  expect(made.status).toBe(202);
  let answered = 0;
  let longest = 0;
  let ended: Document | undefined;
  while (ended === undefined) {
    const begun = performance.now();
    const written = await server.post('/api/note', { n: -1 }, root);
    const read = await server.get(`/api/note/${String(written.document['_id'])}`, root);
    expect([written.status, read.status]).toEqual([201, 200]);
    [ended] = (await server.get('/server/backups', root)).body['data'] as readonly Document[];
    answered += 3;
    longest = Math.max(longest, performance.now() - begun);
  }
  expect(ended).toMatchObject({ verified: true });
  expect(Number(ended['bytes'])).toBeGreaterThan(20_000_000);
  // one that is made in the thread of requests, or of the store, lets the first of these wait for most of its time
  expect(longest).toBeLessThan(Number(ended['ms']) / 2);
  expect(answered).toBeGreaterThan(10);
  await server.close();
}, 300_000);
