/** Round trips of a bulk write: one per kind, whatever the number of operations, with or without subscribers. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { mongo } from 'mongoose';
import type { Change } from '../../src/realtime/changes/contract.ts';
import { type MonitoredDatabase, openMonitored } from '../support/database.ts';
import { openWriting, type World } from '../support/fixtures/writing/index.ts';

/** More than the first batch of a query has. */
const many = 110;
/** With this many copies there are more documents than are read at a time, which is 2,000. */
const copies = 18;
let world: World;
let database: MonitoredDatabase;
/** Commands on the collection of notes, in their order. */
let sent: string[] = [];
/** Collections in the order of their inserts. */
const inserted: unknown[] = [];
let received: Change[] = [];
let listens = false;

beforeAll(async () => {
  database = await openMonitored();
  // plans of slow writes are asked for besides
  world = await openWriting({
    mongodb_url: database.mongodb_url,
    slow_ms: 0,
  });
  const { connection, bus } = world.dossier.services;
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'insert') inserted.push(command['insert']);
    if (command[commandName] === 'notes' || command['collection'] === 'notes') sent.push(commandName);
  });
  bus.subscribe(
    (changes) => received.push(...changes),
    () => listens,
  );
  await create();
});
afterAll(async () => {
  await world.close();
  await database.close();
});

const notes = () => world.dossier.services.connection.db!.collection('notes');

/** Numbered notes of ann, as the API stores them. */
let stored: readonly mongo.WithId<mongo.Document>[] = [];

async function create(): Promise<void> {
  const operations = Array.from({ length: many }, (_, n) => ({ insertOne: { document: { title: `t${n}`, n } } }));
  await world.as('ann', 'POST', '/bulkwrite/note', { body: operations });
  stored = await notes().find({}).sort({ n: 1 }).toArray();
}

/** Only the notes of ann are left, unchanged. @returns their ids */
async function filled(): Promise<string[]> {
  await notes().deleteMany({});
  await notes().insertMany([...stored]);
  return stored.map(({ _id }) => String(_id));
}

type Make = (n: number, id: string) => object;
const byId = (id: string): object => ({ _id: { $oid: id } });

const kinds: readonly (readonly [string, Make, object, string, Change['event'], string?])[] = [
  ['insertOne', (n) => ({ insertOne: { document: { title: `new ${n}` } } }), { nInserted: many }, 'insert', 'post'],
  [
    'updateOne by id',
    (n, id) => ({ updateOne: { filter: byId(id), update: { $inc: { n: 1 }, $set: { title: `x${n}` } } } }),
    { nMatched: many, nModified: many },
    'update',
    'put',
  ],
  [
    'updateOne by another field',
    (n) => ({ updateOne: { filter: { title: `t${n}` }, update: { title: `x${n}` } } }),
    { nMatched: many, nModified: many },
    'update',
    'put',
  ],
  [
    'updateOne by a range',
    (n) => ({ updateOne: { filter: { n: { $gte: n, $lt: n + 1 } }, update: { status: 'done' } } }),
    { nMatched: many, nModified: many },
    'update',
    'put',
  ],
  [
    'upserts of existing documents',
    (n) => ({ updateOne: { filter: { n }, update: { $set: { title: `x${n}` } }, upsert: true } }),
    { nMatched: many, nModified: many, nUpserted: 0 },
    'update',
    'put',
  ],
  [
    'upserts of new documents',
    (n) => ({ updateOne: { filter: { n: n + 5000 }, update: { $set: { title: 'x' }, $inc: { n: 1 } }, upsert: true } }),
    { nMatched: 0, nModified: 0, nUpserted: many },
    'update',
    'post',
  ],
  [
    'replaceOne',
    (n, id) => ({ replaceOne: { filter: byId(id), replacement: { title: `r${n}` } } }),
    { nMatched: many, nModified: many },
    'update',
    'put',
  ],
  ['deleteOne', (_n, id) => ({ deleteOne: { filter: byId(id) } }), { nRemoved: many }, 'update', 'del'],
  [
    'deleteOne, permanently',
    (_n, id) => ({ deleteOne: { filter: byId(id) } }),
    { nRemoved: many },
    'delete',
    'del',
    '?_permaDelete=1',
  ],
];

describe.each([false, true])('many operations, with a subscriber: %s', (listening) => {
  test.each(kinds)('%s', async (_name, make, counts, command, event, query = '') => {
    const ids = await filled();
    listens = listening;
    sent = [];
    received = [];
    const { status, body } = await world.as('ann', 'POST', `/bulkwrite/note${query}`, {
      body: ids.map((id, n) => make(n, id)),
    });
    listens = false;
    expect({ status, ...body['data'] }).toMatchObject({ status: 200, ...counts });
    // the audit log names the documents that are deleted permanently
    const areRead = command === 'delete' || (listening && command !== 'insert');
    expect(sent).toEqual(areRead ? ['find', command, 'find'] : [command]);
    if (!listening) return;
    expect(received).toHaveLength(many);
    expect(new Set(received.map((change) => change.id)).size).toBe(many);
    expect(new Set(received.map((change) => change.event))).toEqual(new Set([event]));
  });
});

test('setup data is inserted before the data that links to it, users last', async () => {
  await world.as('root', 'POST', '/setup/data', {
    body: {
      user: [{ email: 'late@x.test', password: 'pw-late-1' }],
      note: [{ title: 'n' }],
      book: [{ title: 'b' }],
      tag: [{ label: 't' }],
    },
  });
  expect(inserted.slice(-5)).toEqual(['tags', 'books', 'notes', 'users', '_dossier_audit']);
});

test('a thousand operations are one command too', async () => {
  await notes().deleteMany({});
  sent = [];
  const documents = Array.from({ length: 1000 }, (_, n) => ({ insertOne: { document: { title: `t${n}` } } }));
  const { body } = await world.as('ann', 'POST', '/bulkwrite/note', { body: documents });
  const ids = Object.values(body['data'].insertedIds as Record<string, string>);
  const updates = ids.map((id) => ({ updateOne: { filter: byId(id), update: { $inc: { n: 1 } } } }));
  expect(await world.as('ann', 'POST', '/bulkwrite/note', { body: updates })).toMatchObject({
    status: 200,
    body: { data: { nMatched: 1000, nModified: 1000 } },
  });
  expect(sent).toEqual(['insert', 'update']);
});

test('events contain the document before and after, once for each document', async () => {
  const [first = '', second = ''] = await filled();
  listens = true;
  received = [];
  await world.as('ann', 'POST', '/bulkwrite/note', {
    body: [
      { updateOne: { filter: byId(first), update: { status: 'open' } } },
      { updateOne: { filter: { status: 'open' }, update: { title: 'chained' } } },
      { updateOne: { filter: byId(second), update: { _deleted: true } } },
    ],
  });
  listens = false;
  expect(received).toMatchObject([
    { event: 'put', id: first, before: { title: 't0', __v: 0 }, after: { title: 'chained', status: 'open', __v: 2 } },
    { event: 'del', id: second, before: { _deleted: false }, after: { _deleted: true } },
  ]);
});

test('more documents than are read at a time are reported too', async () => {
  await filled();
  const parts = Array.from({ length: copies }, (_, part) =>
    stored.map(({ _id: _id, ...row }) => ({ ...row, title: `part ${part}` })),
  );
  await notes().insertMany(parts.flat());
  listens = true;
  received = [];
  const one = await world.as('ann', 'POST', '/bulkwrite/note', {
    body: [
      { updateOne: { filter: { n: { $gte: 0 } }, update: { status: 'open' } } },
      { updateOne: { filter: { n: { $gte: 0 } }, update: { status: 'done' } } },
      { updateOne: { filter: { n: -1 }, update: { status: 'open' }, upsert: true } }, // without a title
    ],
  });
  expect(one.status).toBe(400);
  expect(one.body).toMatchObject({ index: 2, data: { nMatched: 2, nModified: 2 } });
  expect(received.map(({ event }) => event)).toEqual(['put', 'put']);
  received = [];
  const all = await world.as('root', 'POST', '/bulkwrite/note', {
    body: [{ updateMany: { filter: {}, update: { $inc: { n: 1 } } } }, { deleteMany: { filter: {} } }],
  });
  listens = false;
  expect(all.body['data']).toMatchObject({
    nMatched: (copies + 1) * many,
    nModified: (copies + 1) * many,
    nRemoved: (copies + 1) * many,
  });
  expect(received.filter(({ event }) => event === 'put')).toHaveLength((copies + 1) * many);
  expect(received.filter(({ event }) => event === 'del')).toHaveLength((copies + 1) * many);
});
