/** Concurrent ends of a transaction, and what a transaction must not do. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Binary, type Document, Long } from 'bson';
import { Engine } from '../../src/engine/engine.ts';
import { defaultLimits, open, type OpenStore } from '../../src/index.ts';
import { memoryStorage } from '../../src/storage/storage.ts';
import { RawConnection } from '../server/raw.ts';

describe('a transaction', () => {
  let store: OpenStore;
  let one: RawConnection;
  let two: RawConnection;
  let sessions = 0;
  let lsid: Document;

  beforeEach(async () => {
    store = await open({ thread: false });
    one = await RawConnection.to(store.address);
    two = await RawConnection.to(store.address);
    sessions += 1;
    lsid = { id: new Binary(Buffer.alloc(16, sessions), 4) };
  });

  afterEach(async () => {
    one.close();
    two.close();
    await store.close();
  });

  const within = (command: Document, txnNumber = 1): Document => ({
    ...command,
    lsid,
    txnNumber: Long.fromNumber(txnNumber),
    autocommit: false,
    $db: 't',
  });
  const insertion = { insert: 'c', documents: [{ _id: 1 }], startTransaction: true };
  const ending = (name: string): Document => ({ ...within({ [name]: 1 }), $db: 'admin' });
  const count = async (): Promise<unknown> => (await one.command({ count: 'c', $db: 't' }))?.['n'];

  test('is committed once if two connections commit it concurrently', async () => {
    expect(await one.command(within(insertion))).toMatchObject({ ok: 1 });
    const commits = [one, two].map((connection) => connection.command(ending('commitTransaction')));
    expect(await Promise.all(commits)).toMatchObject([{ ok: 1 }, { ok: 1 }]);
    expect(await count()).toBe(1);
  });

  test('fails permanently with a language that its text index does not support', async () => {
    const indexes = [{ key: { text: 'text' }, name: 'text' }];
    expect(await one.command({ createIndexes: 'c', indexes, $db: 't' })).toMatchObject({ ok: 1 });
    const documents = [{ _id: 1, text: 'a', language: 'JavaScript' }];
    await one.command(within({ insert: 'c', documents, startTransaction: true }));
    const commit = await one.command(ending('commitTransaction'));
    expect([commit?.['code'], commit?.['errorLabels']]).toEqual([17262, undefined]);
    expect(await count()).toBe(0);
  });

  test('is either committed or aborted if both are sent concurrently', async () => {
    expect(await one.command(within(insertion))).toMatchObject({ ok: 1 });
    const [commit, abort] = await Promise.all([
      one.command(ending('commitTransaction')),
      two.command(ending('abortTransaction')),
    ]);
    expect([commit?.['ok'], abort?.['ok']].toSorted()).toEqual([0, 1]);
    expect(await count()).toBe(commit?.['ok']);
  });

  test.each(['commitTransaction', 'abortTransaction'])('closes its cursors on %s', async (name) => {
    expect(await one.command({ insert: 'c', documents: [{}, {}, {}], $db: 't' })).toMatchObject({ ok: 1 });
    const found = await one.command(within({ find: 'c', batchSize: 1, startTransaction: true }));
    const more = within({ getMore: (found?.['cursor'] as Document)['id'] as unknown, collection: 'c', batchSize: 1 });
    expect(await one.command(more)).toMatchObject({ ok: 1, cursor: { nextBatch: [{}] } });
    expect(await one.command(ending(name))).toMatchObject({ ok: 1 });
    const { autocommit: ignored, txnNumber: unused, ...later } = more;
    expect(await one.command(later)).toMatchObject({ ok: 0, code: 43 });
  });

  test('does not exist under the number of a retryable write', async () => {
    const write = { insert: 'c', documents: [{ _id: 1 }], lsid, txnNumber: Long.ONE, $db: 't' };
    expect(await one.command(write)).toMatchObject({ ok: 1, n: 1 });
    expect(await one.command(ending('commitTransaction'))).toMatchObject({ ok: 0, code: 251 });
  });
});

test('a command without changes waits for pending writes too, because it may repeat an earlier reply', async () => {
  let commits = 0;
  const storage = { ...memoryStorage, commit: () => void (commits += 1) };
  const engine = await Engine.start(storage, defaultLimits, { onWarning: () => undefined, onFatal: () => undefined });
  const first = engine.write((unit) => void engine.store.collections.create('t', 'c', unit));
  const again = engine.write(() => undefined).then(() => commits);
  expect(await again).toBe(1);
  await first;
  await engine.close();
});
