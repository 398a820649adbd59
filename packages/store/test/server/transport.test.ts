/** How a process connects to its own store: by a socket file, or by loopback and a password if socket files are unavailable. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import mongoose from 'mongoose';
import { defaultLimits, open } from '../../src/index.ts';
import { credentialsFor } from '../../src/login/scram.ts';
import type { StartOptions } from '../../src/start.ts';
import { makeSocketPath, urlOf } from '../../src/wire/address.ts';
import { newWorker, StoreThread } from '../../src/worker-thread.ts';
import { RawConnection } from './raw.ts';

/** Reads as soon as possible: until the new thread listens, connections are refused. */
async function found<T>(read: () => Promise<T>): Promise<T> {
  const end = Date.now() + 15_000;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

describe('a socket file', () => {
  test('is accessible by its owner only, like its folder, and is removed with the store', async () => {
    const store = await open();
    if (store.address.kind !== 'socket') throw new Error('there should be socket files here');
    const { path } = store.address;
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    await store.close();
    expect(existsSync(dirname(path))).toBe(false);
  });

  test.each([
    { platform: 'linux', folder: '/tmp', found: true },
    { platform: 'linux', folder: `/tmp/${'long'.repeat(30)}`, found: true },
    { platform: 'linux', folder: '/no/such/folder', found: false },
    { platform: 'win32', folder: '/tmp', found: false },
  ] as const)('on $platform with $folder for temporary files', ({ platform, folder, found }) => {
    const place = makeSocketPath(platform, folder);
    expect(place !== undefined).toBe(found);
    if (place !== undefined) expect(Buffer.byteLength(place.path)).toBeLessThanOrEqual(90);
    place?.remove();
  });
});

describe('without socket files', () => {
  test.each([{ thread: false }, { thread: true }])('loopback requires a password: $thread', async ({ thread }) => {
    const store = await open({ transport: 'loopback', thread });
    expect(store.address).toMatchObject({ kind: 'loopback', hosts: ['127.0.0.1'] });
    const { password } = new URL(store.url);
    expect(Buffer.from(password, 'base64url')).toHaveLength(32);

    const connection = await mongoose.createConnection(store.url).asPromise();
    const Thing = connection.model('thing', new mongoose.Schema({ n: Number }));
    await Thing.create({ n: 1 });
    expect(await Thing.countDocuments({ n: 1 })).toBe(1);
    await connection.close();

    const raw = await RawConnection.to(store.address);
    expect(await raw.command({ find: 'things', $db: 'test' })).toMatchObject({ code: 13 });
    raw.close();
    const wrong = MongoClient.connect(store.url.replace(password, 'wrong'), { serverSelectionTimeoutMS: 2000 });
    await expect(wrong).rejects.toMatchObject({ code: 18 });
    await store.close();
  });

  test('a restarted thread listens on the same port, with the same password', async () => {
    const warnings: string[] = [];
    const workers: Worker[] = [];
    const account = { user: 'ann', password: 'the secret of ann' };
    const options: StartOptions = {
      dir: mkdtempSync(join(tmpdir(), 'transport-')),
      address: { kind: 'loopback', port: 0, hosts: ['127.0.0.1'] },
      credentials: await credentialsFor(account.user, account.password),
      limits: defaultLimits,
    };
    const reports = { onWarning: (message: string) => void warnings.push(message), onFatal: () => undefined };
    const thread = await StoreThread.start(options, reports, (given) => {
      const worker = newWorker(given);
      workers.push(worker);
      return worker;
    });
    const client = await MongoClient.connect(urlOf(thread.address, account));
    const one = client.db('t').collection<{ _id: number }>('one');
    await one.insertOne({ _id: 1 });
    await workers[0]?.terminate();
    expect(await found(() => one.findOne())).toEqual({ _id: 1 });
    expect(workers).toHaveLength(2);
    expect(warnings).toEqual([expect.stringContaining('is restarted')]);
    await client.close();
    await thread.close();
    rmSync(options.dir ?? '', { recursive: true });
  });

  test('each store has its own password', async () => {
    const stores = await Promise.all([open({ transport: 'loopback' }), open({ transport: 'loopback' })]);
    expect(new Set(stores.map(({ url }) => new URL(url).password)).size).toBe(2);
    for (const store of stores) await store.close();
  });
});
