/** `changed` by the ways of writing that are no plain requests, and what its errors must not be taken for. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { features } from '../../src/features/index.ts';
import { sweep as sweepPort } from '../../src/features/ports.ts';
import type { ChangedEvent } from '../../src/index.ts';
import { makersFor } from '../../src/ports/port.ts';
import { sweepOnce } from '../../src/start/background.ts';
import { importSources } from '../../src/transfer/import/import.ts';
import { sourcesOf } from '../../src/transfer/import/source.ts';
import { emailOf, makeUsers, rootBasic } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

const noted: ChangedEvent[] = [];
Object.assign(globalThis, { notedWays: noted });

const models = {
  'box.js': `const mongoose = require('mongoose');
  const schema = new mongoose.Schema({ title: String, code: { type: String, unique: true, sparse: true } }, {
    perms: { admin: 'crud', all: 'r' }, trash: '30d', callable_statics: { make: 'c' }, advanced_queries: { bulkwrite: true },
    changed: async (event) => {
      globalThis.notedWays.push(event);
      const { title } = event.after || event.before;
      if (title === 'kept' && event.event === 'remove') throw Object.assign(new Error('stays'), { statusCode: 409 });
      if (title === 'refused') throw Object.assign(new Error('not this'), { statusCode: 422, expose: true });
      if (title === 'missing') await event.api.model('box').set('0'.repeat(24), { title: 'x' });
      if (title === 'twice') await event.api.model('other').create({ code: 'taken' });
      if (title === 'raw') throw Object.assign(new mongoose.mongo.MongoServerError({ message: 'E11000 duplicate key', code: 11000, keyPattern: { code: 1 }, keyValue: { code: 'secret' } }));
    } });
  schema.statics.make = async ({ title }, { api }) => { await api.model('box').create({ title }); };
  module.exports = schema;`,
  'other.js': `module.exports = new (require('mongoose').Schema)({ code: { type: String, unique: true } }, { perms: { admin: 'crud' } });`,
};

const dayMs = 86_400_000;
let days = 0;
let folder: string;
let server: TestServer;
const root = { headers: rootBasic };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-ways-'));
  server = await startServer({
    models,
    clock: () => new Date(Date.now() + days * dayMs),
    signup: 'open',
    changed: { user: (event) => void noted.push(event) },
  });
  await makeUsers(server, ['root']);
  await server.post('/api/other', { code: 'taken' }, root);
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => void noted.splice(0));

const make = async (title: string): Promise<string> =>
  String((await server.post('/api/box', { title }, root)).document['_id']);
const told = (): readonly string[] =>
  noted.map(({ event, before, after }) => `${event} ${String((after ?? before)?.['title'])}`);

test('the sweep of the trash removes as the system, and one that is refused keeps no other', async () => {
  for (const title of ['one', 'kept', 'two']) await server.remove(`/api/box/${await make(title)}`, root);
  noted.splice(0);
  days = 60;
  const sweeps = makersFor(features, sweepPort).flatMap(
    (make) => make({ services: server.dossier.services } as never) ?? [],
  );
  await sweepOnce(sweeps, server.dossier.services.shared, new AbortController().signal);
  days = 0;
  expect([...new Set(told())].sort()).toEqual(['remove kept', 'remove one', 'remove two']);
  expect(noted[0]).toMatchObject({ via: 'trash', caller: { user: undefined, admin: true } });
  const { body } = await server.get('/api/box?showDeleted=only', root);
  expect((body.data as { title: string }[]).map(({ title }) => title)).toEqual(['kept']);
  expect(server.log.some((line) => line.includes('stays in the trash: its removal is refused'))).toBe(true);
});

test('a function writes by `api` as its caller', async () => {
  expect((await server.post('/call/box/make', { title: 'made' }, root)).status).toBe(200);
  expect(told()).toEqual(['create made']);
  expect(noted[0]?.caller.user?.email).toBe(emailOf('root'));
});

test('a sign-up creates a user, of whom it sees the stored document', async () => {
  const { status } = await server.post('/signup', { email: 'new@x.test', password: 'pw-new-1-long' });
  expect([status, noted.map(({ event, model, after }) => [event, model, after?.['email']])]).toEqual([
    201,
    [['create', 'user', 'new@x.test']],
  ]);
});

describe('dossier import', () => {
  const load = async (...titles: readonly string[]) => {
    const path = join(folder, 'box.ndjson');
    await writeFile(path, titles.map((title) => `${JSON.stringify({ title })}\n`).join(''));
    return sourcesOf({ path, model: undefined, input: Readable.from([]) });
  };
  const options = () => ({ on: [], raw: false, strict: false, folder, onProgress: () => undefined });

  test('calls nothing unless it is asked for', async () => {
    await importSources(server.dossier.services, await load('quiet', 'refused'), options());
    expect(told()).toEqual([]);
  });

  needs('transactions')('with --changed refuses the records that it refuses', async () => {
    const titles = ['a', 'b', 'refused', 'c', 'refused', 'd'];
    const result = await importSources(server.dossier.services, await load(...titles), {
      ...options(),
      callsChanged: true,
    });
    expect(result).toMatchObject({ models: { box: 4 }, refused: 2 });
    expect(new Set(told())).toEqual(new Set(titles.map((title) => `create ${title}`)));
    const { body } = await server.get('/api/box?filter[title]=$in:a,b,c,d', root);
    expect((body.data as unknown[]).length).toBe(4);
  });
});

describe('an error in `changed` is not taken for one of the write:', () => {
  needs('transactions').each<[string, string, number, RegExp]>([
    ['a 404 of another document', 'missing', 404, /^[^]*$/],
    ['a value of another document that is taken', 'twice', 409, /unique/],
    ['an error of the database, which is a 500 that tells nothing', 'raw', 500, /^(?!.*secret)/],
  ])('%s', async (_, title, status, text) => {
    const writes = [
      () => server.post('/api/box', { title }, root),
      () => server.put('/api/box?on=code', { title, code: `of ${title}` }, root),
    ];
    for (const write of writes) {
      noted.splice(0);
      const answer = await write();
      expect(answer).toMatchObject({ status, text: expect.stringMatching(text) });
      // it is not tried again, as after another writer
      expect(told()).toEqual([`create ${title}`]);
    }
    const code = `code of ${title}`;
    await server.post('/api/box', { title: 'before', code }, root);
    noted.splice(0);
    expect((await server.put('/api/box?on=code', { title, code }, root)).status).toBe(status);
    expect(told()).toEqual([`change ${title}`]);
    expect((await server.get(`/api/box?filter[code]=${code}`, root)).body.data).toMatchObject([{ title: 'before' }]);
  });
});

test('a server warns at its start of a database without transactions', async () => {
  const { services } = server.dossier;
  const warnings: string[] = [];
  const log = { ...services.log, warn: (line: string) => void warnings.push(line) };
  const feature = features.find(({ name }) => name === 'changed');
  await feature?.begin?.(
    Object.create(services, { isReplicaSet: { value: false }, log: { value: log } }) as typeof services,
  );
  await feature?.begin?.(services);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^changed of box, user: this database has no transactions, so it runs right after each write/,
    ),
  ]);
});
