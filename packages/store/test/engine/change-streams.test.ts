/** Where change streams start, what ends them, and what they refuse. */
import { rmSync } from 'node:fs';
import { describe, expect, jest, test } from '@jest/globals';
import { type Collection, type Document, Timestamp } from 'mongodb';
import { storeInFolder } from '../opened.ts';

type Numbered = Document & { _id: number };

describe('a change stream', () => {
  const store = storeInFolder();
  const c = (): Collection<Numbered> => store.db.collection('c');

  interface Cursor {
    readonly id: unknown;
    readonly batch: readonly Document[];
    readonly token: Document;
  }

  const cursorOf = ({ cursor }: Document): Cursor => {
    const { id, firstBatch, nextBatch, postBatchResumeToken: token } = cursor as Document;
    return { id, batch: (firstBatch ?? nextBatch) as Document[], token: token as Document };
  };

  const opened = async (options: Document = {}, more: { stages?: Document[]; batchSize?: number } = {}) =>
    cursorOf(
      await store.db.command({
        aggregate: 'c',
        pipeline: [{ $changeStream: options }, ...(more.stages ?? [])],
        cursor: { batchSize: more.batchSize ?? 100 },
      }),
    );

  const further = async ({ id }: Cursor, batchSize = 100): Promise<Cursor> =>
    cursorOf(await store.db.command({ getMore: id, collection: 'c', batchSize, maxTimeMS: 100 }));

  const types = ({ batch }: Cursor): unknown[] => batch.map(({ operationType }) => operationType as unknown);
  const ids = ({ batch }: Cursor): unknown[] => batch.map(({ documentKey }) => (documentKey as Document)['_id']);
  const inserted = (count: number, from = 0): Promise<unknown> =>
    c().insertMany(Array.from({ length: count }, (_, n) => ({ _id: from + n })));

  /** The token and time of an insert. */
  async function position(): Promise<{ readonly token: Document; readonly time: Timestamp }> {
    const stream = await opened();
    await inserted(1, 1000);
    const [event] = (await further(stream)).batch;
    return { token: event?.['_id'] as Document, time: event?.['clusterTime'] as Timestamp };
  }

  test('has the token of the last event of a batch after it, and a later one after events of others', async () => {
    const stream = await opened();
    await inserted(5);
    for (const count of [2, 2, 1]) {
      const { batch, token } = await further(stream, 2);
      expect(batch).toHaveLength(count);
      expect(token).toEqual(batch.at(-1)?.['_id']);
      expect(ids(await opened({ resumeAfter: token }))).toEqual(
        [0, 1, 2, 3, 4].slice((ids({ ...stream, batch }).at(-1) as number) + 1),
      );
    }
    await store.db.collection('d').insertOne({});
    const { batch, token } = await further(stream);
    expect(batch).toEqual([]);
    await inserted(1, 5);
    const next = await further(stream);
    expect(String(token['_data']) < String(next.token['_data'])).toBe(true);
    expect(ids(await opened({ resumeAfter: token }))).toEqual([5]);
  });

  test('starts at a time, if all later events are retained', async () => {
    await store.reopen({ limits: { historyEvents: 10, readerMs: 0 } });
    await inserted(1);
    const { time } = await position();
    await inserted(3, 1);
    expect(ids(await opened({ startAtOperationTime: time }))).toEqual([1000, 1, 2, 3]);
    await inserted(20, 4);
    await expect(opened({ startAtOperationTime: time })).rejects.toMatchObject({ code: 286 });
    await expect(opened({ startAtOperationTime: new Timestamp(1n) })).rejects.toMatchObject({ code: 286 });
    expect(types(await opened({ startAtOperationTime: new Timestamp({ t: 0xffffffff, i: 1 }) }))).toEqual([]);
  });

  test.each([
    ['two tokens', ({ token }: Document) => ({ resumeAfter: token, startAfter: token }), 50674],
    ['a token and a time', ({ token, time }: Document) => ({ resumeAfter: token, startAtOperationTime: time }), 40674],
    [
      'another token and a time',
      ({ token, time }: Document) => ({ startAfter: token, startAtOperationTime: time }),
      40674,
    ],
    ['a time of another type', () => ({ startAtOperationTime: new Date() }), 14],
    ['an invalid token', () => ({ resumeAfter: { _data: '00' } }), 286],
  ])('refuses %s', async (_what, options, code) => {
    await expect(opened(options(await position()))).rejects.toMatchObject({ code });
  });

  test.each([
    ['$group', { _id: 1 }, 20],
    ['$out', 'other', 20],
    ['$noSuchStage', {}, 40324],
    ['$changeStream', {}, 40602],
    ['$changeStreamSplitLargeEvent', {}, 115],
  ])('refuses the stage %s', async (stage, operand, code) => {
    await expect(opened({}, { stages: [{ [stage]: operand }] })).rejects.toMatchObject({ code });
  });

  test.each([
    ['taken away', { $project: { _id: 0 } }],
    ['changed', { $set: { _id: { _data: 'mine' } } }],
    ['added to', { $set: { '_id.more': 1 } }],
  ])('fails when its token is %s', async (_what, stage) => {
    const stream = await opened({}, { stages: [stage] });
    await inserted(1);
    await expect(further(stream)).rejects.toMatchObject({ code: 280 });
  });

  test('resumes after each event, also within a batch', async () => {
    let stream = await opened();
    const token = stream.token;
    await inserted(5);
    stream = await opened({ resumeAfter: token }, { batchSize: 2 });
    expect(ids(stream)).toEqual([0, 1]);
    expect(ids(await opened({ resumeAfter: stream.token }))).toEqual([2, 3, 4]);
    const rest = await further(stream);
    expect(ids(rest)).toEqual([2, 3, 4]);
    expect(types(await opened({ resumeAfter: rest.token }))).toEqual([]);
  });

  test('does not resume by a token of other data with the same event numbers', async () => {
    const { token } = await position();
    await store.reopen(undefined, (folder) => rmSync(folder, { recursive: true }));
    await expect(opened({ resumeAfter: token })).rejects.toMatchObject({ code: 286 });
    const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 5000);
    await inserted(20);
    later.mockRestore();
    await expect(opened({ resumeAfter: token })).rejects.toMatchObject({ code: 286 });
  });

  test('resumes by the token of an empty store', async () => {
    const { token } = await opened();
    await store.reopen();
    await inserted(2);
    expect(ids(await opened({ resumeAfter: token }))).toEqual([0, 1]);
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['its collection is dropped', () => c().drop(), 'drop'],
    ['its collection gets another name', () => c().rename('d'), 'rename'],
    [
      'another collection gets its name',
      () => store.db.collection('other').rename('c', { dropTarget: true }),
      'rename',
    ],
  ])('ends when %s, and can be resumed only by startAfter', async (_what, work, type) => {
    await inserted(1);
    await store.db.collection('other').insertOne({});
    const stream = await opened();
    await work();
    const end = await further(stream);
    expect(types(end)).toEqual([type, 'invalidate']);
    const [token, last] = end.batch.map(({ _id: id }) => id as Document);
    expect(last).not.toEqual(token);
    expect(end.token).toEqual(last);
    await expect(opened({ resumeAfter: last })).rejects.toMatchObject({ code: 260 });
    expect(types(await opened({ resumeAfter: token }))).toEqual(['invalidate']);
    await inserted(1, 7);
    expect(ids(await opened({ startAfter: last }))).toEqual([7]);
  });

  test.each<[string, Document, readonly unknown[]]>([
    ['merge', { whenMatched: 'merge' }, ['update']],
    ['replace', { whenMatched: 'replace' }, ['replace']],
    ['a pipeline', { whenMatched: [{ $set: { n: '$$new.n' } }] }, ['update']],
    ['keepExisting', { whenMatched: 'keepExisting' }, []],
  ])('reports what $merge changes, and nothing if it changes nothing: %s', async (_what, mode, position) => {
    await c().insertMany([
      { _id: 0, n: 0 },
      { _id: 1, n: 1 },
    ]);
    await store.db.collection<Numbered>('source').insertMany([
      { _id: 0, n: 0 },
      { _id: 1, n: 2 },
    ]);
    const stream = await opened();
    await store.db
      .collection('source')
      .aggregate([{ $merge: { into: 'c', ...mode } }])
      .toArray();
    expect(types(await further(stream))).toEqual(position);
  });
});
