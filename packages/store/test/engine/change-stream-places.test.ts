/** Streams that are opened after the removal of what they watch, and the operation times of commands without events. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ChangeStream, Collection, Document, Timestamp } from 'mongodb';
import { storeInFolder } from '../opened.ts';

type Numbered = Document & { _id: number };

const store = storeInFolder();
const c = (): Collection<Numbered> => store.db.collection('c');

beforeEach(async () => {
  await store.db.collection('other').insertOne({});
  await c().insertOne({ _id: 0 });
});

const ends: readonly (readonly [what: string, work: () => Promise<unknown>])[] = [
  ['a drop', () => c().drop()],
  ['a rename', () => c().rename('d')],
  ['a rename of another collection to its name', () => store.db.collection('other').rename('c', { dropTarget: true })],
  ['a dropDatabase', () => store.db.dropDatabase()],
];

const scopes: readonly (readonly [what: string, watch: (options?: Document) => ChangeStream])[] = [
  ['its collection', (options) => c().watch([], options)],
  ['its database', (options) => store.db.watch([], options)],
];

const cases = ends.flatMap(([end, work]) => scopes.map(([scope, watch]) => [end, scope, work, watch] as const));

/** The token of a stream before its first event. */
async function tokenAtOnce(watch: (options?: Document) => ChangeStream, options: Document = {}): Promise<unknown> {
  const stream = watch({ maxAwaitTimeMS: 1, ...options });
  expect(await stream.tryNext()).toBeNull();
  await stream.close();
  return stream.resumeToken;
}

async function nextOf(watch: (options?: Document) => ChangeStream, options: Document): Promise<Document> {
  const stream = watch(options);
  const event = await stream.next();
  await stream.close();
  return event;
}

describe('a change stream opened after its collection or database was removed', () => {
  test.each(cases)('continues after %s of %s', async (_end, _scope, work, watch) => {
    await work();
    const token = await tokenAtOnce(watch);
    await c().insertOne({ _id: 7 });
    for (const option of ['resumeAfter', 'startAfter']) {
      expect(await nextOf(watch, { [option]: token })).toMatchObject({
        operationType: 'insert',
        documentKey: { _id: 7 },
      });
    }
  });

  test.each(cases)('resumes once more, and after a restart, after %s of %s', async (_end, _scope, work, watch) => {
    await work();
    const token = await tokenAtOnce(watch, { resumeAfter: await tokenAtOnce(watch) });
    await store.reopen();
    await c().insertOne({ _id: 7 });
    expect(await nextOf(watch, { resumeAfter: token })).toMatchObject({ documentKey: { _id: 7 } });
  });

  test('reports a dropDatabase only as the drop of its collection', async () => {
    const stream = c().watch();
    await stream.tryNext();
    await store.db.dropDatabase();
    const drop = await stream.next();
    const end = await stream.next();
    expect([drop.operationType, end.operationType]).toEqual(['drop', 'invalidate']);
    await c().insertOne({ _id: 7 });
    const options = { startAfter: end._id };
    expect(await nextOf((more) => c().watch([], more), options)).toMatchObject({ documentKey: { _id: 7 } });
  });
});

describe('operationTime', () => {
  const timeOf = async (command: Document): Promise<Timestamp> =>
    (await store.db.command(command))['operationTime'] as Timestamp;
  const index = { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a' }] };

  test.each<[string, Document]>([
    ['create', { create: 'new' }],
    ['createIndexes', { createIndexes: 'c', indexes: [{ key: { b: 1 }, name: 'b' }] }],
    ['createIndexes of a new collection', { ...index, createIndexes: 'new' }],
    ['collMod', { collMod: 'c', index: { name: 'a', hidden: true } }],
    ['dropIndexes', { dropIndexes: 'c', index: 'a' }],
    ['drop', { drop: 'c' }],
    ['insert', { insert: 'c', documents: [{ _id: 1 }] }],
  ])('advances with %s', async (_name, command) => {
    await store.db.command(index);
    const earlier = await timeOf({ ping: 1 });
    expect((await timeOf(command)).compare(earlier)).toBe(1);
  });

  test.each<[string, Document]>([
    ['createIndexes of an existing index', index],
    ['a read', { find: 'c' }],
    ['a drop of a missing collection', { drop: 'none' }],
  ])('stays the same with %s', async (_name, command) => {
    await store.db.command(index);
    const earlier = await timeOf({ ping: 1 });
    expect((await timeOf(command)).compare(earlier)).toBe(0);
  });

  test('of create is a position from which a stream reports later events, after a restart too', async () => {
    const time = await timeOf({ create: 'new' });
    await store.reopen();
    expect((await timeOf({ ping: 1 })).compare(time)).toBe(0);
    await store.db.collection<Numbered>('new').insertOne({ _id: 7 });
    const event = await nextOf((options) => store.db.collection('new').watch([], options), {
      startAtOperationTime: time,
    });
    expect(event).toMatchObject({ operationType: 'insert', documentKey: { _id: 7 } });
  });
});
