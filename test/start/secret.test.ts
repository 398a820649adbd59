/** The secret that a server without `SHARED_SECRET` generates and keeps in its data folder. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sharedSecret } from '../../src/secret.ts';
import { createServer } from '../../src/server.ts';
import { readSettings } from '../../src/settings/read.ts';
import { writeModels } from '../support/models.ts';

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
  await expect(starting).rejects.toThrow(
    /^DATA_DIR: .*secret is damaged.* Restore it from a backup, or delete it, and/,
  );
  expect(await readFile(join(folder, 'secret'), 'utf8')).toBe(text);
});

describe('the secret of the data', () => {
  type Start = Parameters<typeof createServer>[0];
  type Dossier = Awaited<ReturnType<typeof createServer>>;
  const admin = { email: 'root@example.com', password: 'a password for the tests' };
  const environmentOf = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, BCRYPT_COST: '4' };
  const startWithout = async (options: Start = {}, environment: Record<string, string> = {}): Promise<Dossier> => {
    const all = { data_dir: folder, models_dir: models.folder, port: 0, log_level: 'silent' } as const;
    return createServer({ ...all, ...options, environment: { ...environmentOf, ...environment } });
  };
  const startAndEnd = async (): Promise<void> => (await startWithout()).close();
  /** With an account, which has secrets that would be lost. */
  const start = async (options: Start = {}, environment: Record<string, string> = {}): Promise<void> => {
    const server = await startWithout(options, environment);
    const login = await fetch(`${server.url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(admin),
    });
    expect(login.status).toBe(200);
    await server.close();
  };
  const file = (): string => join(folder, 'secret');
  let models: Awaited<ReturnType<typeof writeModels>>;
  beforeAll(async () => {
    models = await writeModels({ 'note.js': `module.exports = new (require('mongoose').Schema)({ n: Number });` });
  });
  afterAll(() => models.remove());
  const reasonOf = async (starting: Promise<void>): Promise<string> =>
    starting.then(
      () => 'it starts',
      (error: unknown) => (error as Error).message,
    );
  const codeIn = (reason: string): string => /SHARED_SECRET_ACCEPT=(\S+)$/.exec(reason)?.[1] ?? 'none';

  test.each<readonly [string, () => Promise<unknown>]>([
    [
      'changed by one byte',
      async () =>
        writeFile(
          file(),
          (await readFile(file(), 'utf8')).replace(/^./, (one) => (one === 'a' ? 'b' : 'a')),
        ),
    ],
    ['removed', () => rm(file())],
  ])('is kept: one that was %s stops the start until it is accepted or restored', async (_name, change) => {
    await start();
    const secret = await readFile(file(), 'utf8');
    await start();
    await change();
    const reason = await reasonOf(start());
    expect(reason).toContain(`SHARED_SECRET: the secret in ${folder} is not the secret of these data`);
    expect(reason).not.toContain((await readFile(file(), 'utf8')).slice(0, 12));
    expect(await reasonOf(start({}, { SHARED_SECRET_ACCEPT: 'another' }))).toBe(reason);
    await start({}, { SHARED_SECRET: secret });
    expect(await reasonOf(start())).toBe(reason);
    await start({}, { SHARED_SECRET_ACCEPT: codeIn(reason) });
    await start();
    // the one before is another one now
    expect(await reasonOf(start({}, { SHARED_SECRET: secret }))).toContain('SHARED_SECRET: it is not the secret');
  });

  test('is another one where there is no account yet, and kept from the first one on', async () => {
    await startAndEnd();
    await rm(file());
    await startAndEnd();
    await start();
    await rm(file());
    expect(await reasonOf(startAndEnd())).toContain('is not the secret of these data');
  });

  test('is replaced by a rotation, during which servers with the previous one start', async () => {
    const [one, two, three] = ['a secret of the servers 1', 'a secret of the servers 2', 'a secret of the servers 3'];
    await start({ shared_secret: one });
    expect(await reasonOf(start({ shared_secret: two }))).toContain('SHARED_SECRET_PREVIOUS');
    await start({ shared_secret: two, shared_secret_previous: one });
    await start({ shared_secret: one });
    await start({ shared_secret: two, shared_secret_previous: one });
    await start({ shared_secret: two });
    expect(await reasonOf(start({ shared_secret: one }))).toContain('is not the secret of these data');
    expect(await reasonOf(start({ shared_secret: three, shared_secret_previous: one }))).toContain('is not the secret');
    await start({ shared_secret: three, shared_secret_previous: two });
  });
});
