/** What a write answers, and what it reaches: for every way of writing, by who may read the document. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ObjectId, type Row } from '../../src/models/mongoose.ts';
import { isOfModel, isWrite } from '../../src/operations/operation.ts';
import { operationGroups } from '../../src/start/operations.ts';
import type { Answer, Sent } from '../support/client.ts';
import { makeKey } from '../support/fixtures/keys.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { requestOf, type Target, type Way, ways } from './ways-to-write.ts';

const model = (perms: string): string => `import { Schema } from 'mongoose';
export default new Schema(
  { mark: { type: String, default: 'CANARY' }, code: { type: String, unique: true, sparse: true }, open: Boolean,
    parent_id: { type: Schema.Types.ObjectId, link: 'free' } },
  { perms: ${perms}, advanced_queries: { bulkwrite: true } },
);`;

const open = '{ where: { open: true } }';
/** Models by who reads what. */
const models = {
  free: model(`{ user: 'crud' }`),
  blind: model(`{ user: 'cud' }`),
  owned: model(`{ user: 'cud', owner: 'crud' }`),
  ruled: model(`{ user: { c: true, r: ${open}, u: true, d: true } }`),
  both: model(`{ user: 'cud', owner: { r: ${open} } }`),
} as const;
type Name = keyof typeof models;
/** Callers who differ in what they read of a model. */
const readers = {
  free: ['eve', 'her key', 'her key without r'],
  blind: ['eve'],
  owned: ['eve', 'her key without r'],
  ruled: ['eve'],
} as const satisfies Partial<Record<Name, readonly string[]>>;

let server: PeopledServer<'root' | 'eve' | 'ann'>;
/** Eve, and her keys. */
let callers: Readonly<Record<string, Pick<Sent, 'headers'>>>;
beforeAll(async () => {
  server = await openPeople(['root', 'eve', 'ann'], { models });
  const { eve } = server.callers;
  const keyFor = (letters: string) => makeKey(server, eve, { scopes: { '*': letters } });
  callers = { eve, 'her key': await keyFor('crud'), 'her key without r': await keyFor('cud') };
});

const collection = (of: Name) => server.dossier.services.connection.collection<Row>(`${of}s`);
const stored = (of: Name, id: string) => collection(of).findOne({ _id: new ObjectId(id) });

let codes = 0;

async function newTarget(of: Name, { does }: Way, more: object = {}): Promise<Target> {
  const code = `c${codes++}`;
  const _owner_id = new ObjectId(server.callers.eve.user_id);
  const row = { mark: 'CANARY', code, open: true, _owner_id, __v: 0, _deleted: does === 'restores', ...more };
  const { insertedId } = await collection(of).insertOne(row);
  return { model: of, id: String(insertedId), code };
}

/** A request of each way as it is, in a batch, and sent twice with one key. */
const wrappings: Readonly<
  Record<string, (way: Way, target: Target, caller: Pick<Sent, 'headers'>) => Promise<readonly Answer[]>>
> = {
  'by itself': async (way, target, caller) => [await send(way, target, caller)],
  'in a batch': async (way, target, caller) => {
    const { method, path } = requestOf(way, target);
    const headers = way.type === undefined ? {} : { headers: { 'Content-Type': way.type } };
    const operation = { ref: 'a', method, path, body: way.body?.(target), ...headers };
    const quoting = { method: 'POST', path: `/api/${target.model}`, body: { mark: '$a.mark' } };
    const body = { operations: [operation, quoting], atomic: false };
    return [await server.send('POST', '/batch', { ...caller, body })];
  },
  'with an Idempotency-Key': async (way, target, caller) => {
    const headers = { ...caller.headers, 'idempotency-key': `k${codes++}` };
    return [await send(way, target, { headers }), await send(way, target, { headers })];
  },
};

function send(way: Way, target: Target, { headers }: Pick<Sent, 'headers'>): Promise<Answer> {
  const { method, path, sent } = requestOf(way, target);
  return server.send(method, path, { ...sent, headers: { ...headers, ...sent.headers } });
}

/** The document that a way has written. */
const writtenId = ({ does }: Way, { id }: Target, [answer]: readonly Answer[]): string =>
  (does === 'creates' ? /[0-9a-f]{24}$/.exec(answer?.headers.get('location') ?? '')?.[0] : undefined) ?? id;

test('the ways are all operations that write documents', () => {
  const writing = operationGroups
    .flatMap(({ operations }) => operations)
    .filter((row) => isOfModel(row) && isWrite(row) && row.hook !== 'call')
    // those of models with histories are in `test/history`
    .filter((row) => !isOfModel(row) || row.hasModel === undefined);
  const tested = new Set(Object.values(ways).map(({ operation }) => operation));
  expect([...tested].sort()).toEqual(writing.map(({ name }) => name).sort());
});

const isPart = ({ operation }: Way): boolean => operation !== 'documents.bulkWrite';

describe.each(Object.entries(ways))('%s', (_, way) => {
  const wrapped = Object.entries(wrappings).filter(([how]) => how !== 'in a batch' || isPart(way));

  test.each(wrapped)('shows what its writer may read, and nothing else, %s', async (how, wrap) => {
    for (const [name, those] of Object.entries(readers) as [keyof typeof readers, readonly string[]][])
      for (const who of those) {
        const caller = callers[who] as Pick<Sent, 'headers'>;
        const target = await newTarget(name, way);
        const answers = await wrap(way, target, caller);
        const texts = answers.map(({ text }) => text);
        const isDone = answers.every(({ status }) => status < 300);
        const id = writtenId(way, target, answers);
        const isRead = (await server.get(`/api/${name}/${id}?showDeleted=true`, caller)).status === 200;
        const isShown = isRead && way.answers === undefined && !(how === 'in a batch' && way.does === 'creates');
        expect({ name, who, isDone, texts }).toEqual({ name, who, isDone: true, texts });
        for (const text of texts)
          if (!isRead || isShown)
            expect([name, who, text.includes('CANARY'), text]).toEqual([name, who, isShown, text]);
      }
  });

  if (way.does === 'creates') return;
  test('does not reach rows that its writer, or the user of a key, may not read', async () => {
    const others = { _owner_id: new ObjectId(server.callers.ann.user_id) };
    const unread = { owned: others, ruled: { open: false }, both: { open: false } } as const;
    for (const [name, more] of Object.entries(unread) as [keyof typeof unread, object][])
      for (const who of ['eve', 'her key without r']) {
        const caller = callers[who] as Pick<Sent, 'headers'>;
        const target = await newTarget(name, way, { n: 1, ...more });
        const before = await stored(name, target.id);
        const answer = await send(way, target, caller);
        // an upsert creates a document as POST does, and its unique value is taken
        const status = way.upserts === true ? 409 : way.answers === 'counts' ? 200 : 404;
        expect([name, who, answer.status, answer.text]).toEqual([name, who, status, answer.text]);
        expect(answer.text).not.toContain('CANARY');
        if (status === 200) expect(answer.document).toMatchObject({ nMatched: 0, nModified: 0, nRemoved: 0 });
        expect(await stored(name, target.id)).toEqual(before);
      }
  });

  test('reaches all rows of a model without r', async () => {
    for (const more of [{}, { open: false }, { _owner_id: new ObjectId(server.callers.ann.user_id) }]) {
      const target = await newTarget('blind', way, more);
      expect((await send(way, target, server.callers.eve)).status).toBeLessThan(300);
      expect((await stored('blind', target.id))?.['__v']).not.toBe(0);
    }
  });
});

describe('documents that a write takes along', () => {
  test('are out of reach for a cascade and for its undoing, where the writer may not read them', async () => {
    const { eve } = server.callers;
    const parent = await newTarget('free', ways['DELETE'] as Way);
    const parent_id = new ObjectId(parent.id);
    const child = await newTarget('ruled', ways['DELETE'] as Way, { parent_id, open: false });
    const removed = await server.send('DELETE', `/api/free/${parent.id}?_cascade=1`, eve);
    expect(removed.status).toBe(403);
    expect((await stored('free', parent.id))?.['_deleted']).toBe(false);
    await collection('ruled').updateOne({ _id: new ObjectId(child.id) }, { $set: { open: true } });
    expect((await server.send('DELETE', `/api/free/${parent.id}?_cascade=1`, eve)).status).toBe(200);
    await collection('ruled').updateOne({ _id: new ObjectId(child.id) }, { $set: { open: false } });
    const restored = await server.put(`/api/free/${parent.id}`, { _deleted: false }, eve);
    expect(restored.status).toBe(403);
    expect((await stored('free', parent.id))?.['_deleted']).toBe(true);
    expect((await stored('ruled', child.id))?.['_deleted']).toBe(true);
  });
});

describe('the counts of bulk writes tell a writer without r nothing', () => {
  const update = { $set: { open: false } };
  const none = { $oid: '0'.repeat(24) };
  test.each([
    ['_id', (target: Target) => ({ _id: target.id }), 200],
    ['a list of _id', (target: Target) => ({ _id: { $in: [target.id, none] } }), 200],
    ['a unique value', (target: Target) => ({ code: target.code }), 200],
    ['a unique value by $eq', (target: Target) => ({ code: { $eq: target.code } }), 200],
    ['a range of _id', () => ({ _id: { $gt: none } }), 403],
    ['a negated _id', () => ({ _id: { $ne: none } }), 403],
    ['a null unique value', () => ({ code: null }), 403],
    ['a range of a unique value', () => ({ code: { $gt: '' } }), 403],
    ['another value', (target: Target) => ({ _id: target.id, mark: 'CANARY' }), 403],
    ['another value in $and', (target: Target) => ({ $and: [{ _id: target.id }, { mark: { $gt: 'C' } }] }), 403],
    ['another value in $or', (target: Target) => ({ $or: [{ _id: target.id }, { mark: 'CANARY' }] }), 403],
    ['both keys', (target: Target) => ({ _id: target.id, code: target.code }), 403],
  ] as const)('with a filter by %s', async (_, filterOf, status) => {
    const target = await newTarget('blind', ways['updateOne'] as Way);
    const filter = filterOf(target);
    const operations = [
      { updateOne: { filter, update } },
      { updateOne: { filter, update, upsert: true } },
      { replaceOne: { filter, replacement: { code: target.code } } },
      { deleteOne: { filter } },
    ];
    for (const body of operations)
      expect((await server.send('POST', '/bulkwrite/blind', { ...server.callers.eve, body: [body] })).status).toBe(
        status,
      );
  });
});
