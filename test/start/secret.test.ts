/** The secret that a server without `SHARED_SECRET` generates and keeps in its data folder. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sharedSecret } from '../../src/secret.ts';
import { createServer } from '../../src/server.ts';
import { readSettings } from '../../src/settings/read.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-secret-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('is one for all processes that start at once, and for its owner only', async () => {
  const dir = join(folder, 'data');
  const settings = readSettings({ DATA_DIR: dir });
  const secrets = await Promise.all(Array.from({ length: 10 }, () => sharedSecret(settings)));
  expect(new Set(secrets)).toEqual(new Set([await readFile(join(dir, 'secret'), 'utf8')]));
  expect(secrets[0]).toMatch(/^[\w-]{43}$/);
  expect(await readdir(dir)).toEqual(['secret']);
  if (process.platform !== 'win32') expect((await stat(join(dir, 'secret'))).mode & 0o777).toBe(0o600);
});

test.each(['', 's'.repeat(32)])(
  'in a data folder that cannot be used stops the start with the reason: %j',
  async (secret) => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const starting = createServer({
      environment: { SHARED_SECRET: secret },
      data_dir: file,
      port: 0,
      log_level: 'silent',
    });
    await expect(starting).rejects.toThrow(`DATA_DIR: The data folder ${file} is a file.`);
  },
);

test.each(['', 's'.repeat(31)])('of the text %j stops the start', async (text) => {
  await writeFile(join(folder, 'secret'), text);
  const starting = createServer({ environment: {}, data_dir: folder, port: 0, log_level: 'silent' });
  await expect(starting).rejects.toThrow(/^DATA_DIR: .*secret is damaged.* Restore it from a backup, or delete it/);
  expect(await readFile(join(folder, 'secret'), 'utf8')).toBe(text);
});
