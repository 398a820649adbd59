/** `dossier store` is `dossier-store`: it prints an address, serves it, refuses wrong flags, and stops in an orderly way. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { runDossier } from '../support/command.ts';
import { onPosix } from '../support/needs.ts';
import { until } from '../support/waiting.ts';

// Windows has no signal that a program can handle

onPosix(
  'it serves a data folder to a driver until a signal',
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'dossier-store-'));
    const child = spawn(process.execPath, [resolve('bin/dossier.mjs'), 'store', '--port', '0', '--data', data]);
    let printed = '';
    child.stdout.on('data', (piece: Buffer) => (printed += piece.toString()));
    const address = (): string => /^MONGODB_URL=(\S+)$/m.exec(printed)?.[1] ?? '';
    await until(
      () => address() !== '',
      () => printed,
    );
    // servers that are given the address use the database of one that has used the folder so far
    expect(new URL(address()).pathname).toBe('/test');
    const client = await new MongoClient(address()).connect();
    await client.db('shop').collection('book').insertOne({ title: 'Emma' });
    expect(await client.db('shop').collection('book').countDocuments()).toBe(1);
    await client.close();
    const ended = once(child, 'exit');
    child.kill();
    expect(await ended).toEqual([0, null]);
    await rm(data, { recursive: true });
  },
  180_000,
);

test('it refuses invalid flags and values', async () => {
  expect(await runDossier(['store', '--prot', '1'])).toMatchObject({
    code: 2,
    messages: expect.stringContaining('Did you mean --port?'),
  });
  expect(await runDossier(['store', '--port', 'many'])).toMatchObject({
    code: 2,
    output: '',
    messages: 'error: --port must be a whole number from 0 to 65535, got "many".\n',
  });
  expect(await runDossier(['store', '--history-hours', 'many'])).toMatchObject({
    code: 2,
    output: '',
    messages: 'error: --history-hours must be a whole number from 1 to 8760, got "many".\n',
  });
});
