/** The settings `STORE_…` limit the embedded store that a server opens. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type ChangeStream, MongoClient } from 'mongodb';
import { limitsOf, openStore } from '../../src/database/embedded-store.ts';
import { makeLog } from '../../src/ports/log.ts';
import { readSettings } from '../../src/settings/read.ts';

const log = makeLog('warn', { write: () => undefined });

let data_dir: string;
beforeEach(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'dossier-store-settings-'));
});
afterEach(() => rm(data_dir, { recursive: true }));

test('each setting sets a limit', () => {
  const given = { STORE_MAX_BYTES: '20gb', STORE_HISTORY_HOURS: '72', STORE_HISTORY_BYTES: '5mb' };
  expect(limitsOf(readSettings(given))).toEqual({
    maxBytes: 20 * 1024 ** 3,
    eventLogHours: 72,
    eventLogBytes: 5 * 1024 ** 2,
  });
});

test('a history that exceeds STORE_HISTORY_BYTES loses its oldest changes, and the default keeps them', async () => {
  const resumed: unknown[] = [];
  for (const given of [{}, { STORE_HISTORY_BYTES: '1mb' }]) {
    const closers: (() => Promise<void>)[] = [];
    const settings = { ...readSettings(given), data_dir: join(data_dir, String(resumed.length)) };
    const client = await MongoClient.connect(await openStore(settings, { inMemory: false }, closers, log));
    const items = client.db('t').collection('items');
    await items.insertOne({});
    const first: ChangeStream = items.watch();
    await first.tryNext();
    const { resumeToken } = first;
    await first.close();
    for (let n = 0; n < 3; n += 1) await items.insertOne({ text: 'x'.repeat(1_000_000) });
    const later = items.watch([], { resumeAfter: resumeToken });
    resumed.push(
      await later.next().then(
        () => 'all changes',
        ({ code }: { readonly code: unknown }) => code,
      ),
    );
    await later.close();
    await client.close();
    for (const close of closers) await close();
  }
  expect(resumed).toEqual(['all changes', 286]);
});
