/** What the history retains for open change streams, and how long writers wait for them. */
import { describe, expect, test } from '@jest/globals';
import type { ClientSession, Collection, Document } from 'mongodb';
import { until } from '../../../../test/support/waiting.ts';
import { storeInFolder } from '../opened.ts';

type Numbered = Document & { _id: number };

const store = storeInFolder();
const c = (): Collection<Numbered> => store.db.collection('c');
const insert = (count: number, from = 0): Promise<unknown> =>
  c().insertMany(Array.from({ length: count }, (_, n) => ({ _id: from + n })));

interface Stream {
  readonly id: unknown;
  /** The position where it starts. */
  readonly token: unknown;
  readonly session: ClientSession;
}

const opened = async (options: Document = {}): Promise<Stream> => {
  const session = store.db.client.startSession();
  const { cursor } = await store.db.command(
    { aggregate: 'c', pipeline: [{ $changeStream: options }], cursor: { batchSize: 0 } },
    { session },
  );
  const { id, postBatchResumeToken: token } = cursor as Document;
  return { id, token, session };
};
const further = async ({ id, session }: Stream, maxTimeMS = 100): Promise<readonly Document[]> => {
  const { cursor } = await store.db.command({ getMore: id, collection: 'c', maxTimeMS }, { session });
  return (cursor as Document)['nextBatch'] as Document[];
};
const readAll = async (stream: Stream, count: number): Promise<unknown[]> => {
  const ids: unknown[] = [];
  while (ids.length < count)
    ids.push(...(await further(stream)).map(({ documentKey }) => (documentKey as Document)['_id']));
  return ids;
};
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('an open change stream', () => {
  test('returns all events in order of the writes, also more than the history normally retains', async () => {
    await store.reopen({ limits: { historyEvents: 10, heldEvents: 4000 } });
    const stream = await opened();
    await insert(1500);
    expect(await readAll(stream, 1500)).toEqual(numbers(1500));
  });

  test.each<[string, (stream: Stream) => Promise<unknown>]>([
    ['has read', (stream) => readAll(stream, 20)],
    ['is closed', ({ id }) => store.db.command({ killCursors: 'c', cursors: [id] })],
  ])('releases the history when it %s', async (_what, done) => {
    await store.reopen({ limits: { historyEvents: 10, heldEvents: 4000 } });
    const stream = await opened();
    await insert(20);
    const second = await opened({ resumeAfter: stream.token });
    expect(await readAll(second, 20)).toEqual(numbers(20));
    await done(stream);
    await insert(1, 20);
    await expect(opened({ resumeAfter: stream.token })).rejects.toMatchObject({ code: 286 });
  });

  test('loses its position beyond the limit if it is not read', async () => {
    await store.reopen({ limits: { historyEvents: 10, heldEvents: 40, writeHoldMs: 1 } });
    const stream = await opened();
    for (let at = 0; at < 50; at++) await insert(1, at);
    await expect(further(stream)).rejects.toMatchObject({ code: 286 });
  });

  test('delays writers when it is far behind, and loses nothing', async () => {
    await store.reopen({ limits: { historyEvents: 10, heldEvents: 40, writeHoldMs: 60_000 } });
    const stream = await opened();
    let written = 0;
    const writing = (async () => {
      for (let at = 0; at < 100; at++) {
        await insert(1, at);
        written += 1;
      }
    })();
    // the twenty-first event is that of the collection
    await until(() => written === 20);
    for (let at = 0; at < 100; at++) await c().countDocuments();
    expect(written).toBe(20);
    expect(await readAll(stream, 100)).toEqual(numbers(100));
    await writing;
    expect(written).toBe(100);
  });

  test('that is no longer read delays no writer', async () => {
    await store.reopen({ limits: { historyEvents: 10, heldEvents: 40, writeHoldMs: 60_000, readerMs: 1 } });
    await opened();
    for (let at = 0; at < 100; at++) await insert(1, at);
    expect(await c().countDocuments()).toBe(100);
  });

  test('that waits for events counts as active', async () => {
    await store.reopen({ limits: { historyEvents: 10, heldEvents: 4000, readerMs: 1 } });
    const stream = await opened();
    const waiting = further(stream, 60_000);
    await store.db.command({ ping: 1 });
    await insert(50);
    expect(await waiting).toHaveLength(50);
  });
});
