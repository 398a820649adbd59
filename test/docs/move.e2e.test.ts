/** docs/moving-to-mongodb.md: `dossier copy` copies the data of a store to another database, where users sign in as before. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { open, type OpenStore } from 'dossier-store';
import { MongoClient } from 'mongodb';
import type { Run } from '../support/command.ts';
import { runHere } from '../support/command-here.ts';
import { ownDatabase } from '../support/database.ts';
import { startServer } from '../support/server.ts';

const shared_secret = 'the secret of the data folder';
const models = `import { Schema } from 'mongoose';
export default new Schema({ title: { type: String, unique: true }, n: Schema.Types.Mixed }, { perms: { user: 'crud' } });`;

let dir: string;
const stores: OpenStore[] = [];
const openStore = async (): Promise<OpenStore> => {
  const store = await open({ sharing: { port: 0, hosts: ['127.0.0.1'] } });
  stores.push(store);
  return store;
};

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dossier-move-'));
});
afterAll(async () => {
  for (const store of stores) await store.close();
  await rm(dir, { recursive: true, force: true });
});

/** The address of a database: on MONGODB_URL, or on a second store. */
async function target(): Promise<string> {
  const { mongodb_url: url } = ownDatabase();
  if (url !== undefined) return url;
  const own = new URL((await openStore()).url);
  own.pathname = '/moved';
  return own.href;
}

test('documents, numbers, users and keys exist after the move', async () => {
  const credentials = { email: 'ann@example.com', password: 'pw-of-ann' };
  const old = await startServer({
    models: { book: models },
    shared_secret,
    data_dir: dir,
    inMemory: false,
    mongodb_url: undefined,
  });
  await old.post('/setup', { ...credentials, name: 'Ann' });
  const login = await old.post('/login', credentials);
  const headers = { 'x-api-key': String(login.body['apikey']) };
  await old.dossier.services.connection
    .collection('books')
    .insertMany(Array.from({ length: 1200 }, (_, n) => ({ title: `Book ${n}`, n, _deleted: false })));
  // closing the test server drops its database if the suite runs on another engine
  await old.dossier.close();

  const to = await target();
  const copy = (): Promise<Run> => runHere(dir, ['copy', '--to', to], { environment: { DATA_DIR: dir } });
  const { output } = await copy();
  expect(output).toMatch(/^books: 1200 documents, \d indexes$/m);
  expect(output).toMatch(/^users: 1 document, \d indexes$/m);

  const client = await MongoClient.connect(to);
  const [book] = await client.db().collection('books').find({ title: 'Book 7' }, { promoteValues: false }).toArray();
  await client.close();
  expect((book?.['n'] as { _bsontype: string })._bsontype).toBe('Int32');

  const moved = await startServer({ models: { book: models }, shared_secret, mongodb_url: to, inMemory: false });
  expect((await moved.get('/count/book', { headers })).body).toEqual({ count: 1200 });
  expect((await moved.post('/login', credentials)).status).toBe(200);
  expect((await moved.post('/api/book', { title: 'Book 7' }, { headers })).status).toBe(409);

  expect(await copy()).toMatchObject({ code: 1, messages: expect.stringContaining('is not empty') });
});
