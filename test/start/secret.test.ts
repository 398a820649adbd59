/** The secret that a server without `SHARED_SECRET` generates and keeps in its data folder. */
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { storeCopies } from '../../src/database/embedded-store.ts';
import { createServer } from '../../src/server.ts';
import { readSettings } from '../../src/settings/read.ts';
import { sharedSecret } from '../../src/settings/secret.ts';
import { openMonitored } from '../support/database.ts';
import { writeModels } from '../support/models.ts';

const setSecret = 'a secret that the environment sets';

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

  // where the data are kept matters to one row; a server over a database starts in a quarter of the time
  test.each<readonly [string, () => Promise<unknown>, 'in the folder' | 'in a database']>([
    [
      'changed by one byte',
      async () =>
        writeFile(
          file(),
          (await readFile(file(), 'utf8')).replace(/^./, (one) => (one === 'a' ? 'b' : 'a')),
        ),
      'in the folder',
    ],
    ['removed', () => rm(file()), 'in a database'],
  ])('is kept: one that was %s stops the start until it is accepted or restored', async (_name, change, place) => {
    const { mongodb_url, close } = await openMonitored();
    const startHere = (environment: Record<string, string> = {}): Promise<void> =>
      start(place === 'in a database' ? { mongodb_url } : {}, environment);
    await startHere();
    const secret = await readFile(file(), 'utf8');
    await startHere();
    await change();
    const reason = await reasonOf(startHere());
    expect(reason).toContain(`SHARED_SECRET: the secret in ${folder} is not the secret of these data`);
    expect(reason).not.toContain((await readFile(file(), 'utf8')).slice(0, 12));
    expect(await reasonOf(startHere({ SHARED_SECRET_ACCEPT: 'another' }))).toBe(reason);
    await startHere({ SHARED_SECRET: secret });
    expect(await reasonOf(startHere())).toBe(reason);
    await startHere({ SHARED_SECRET_ACCEPT: codeIn(reason) });
    await startHere();
    // the one before is another one now
    expect(await reasonOf(startHere({ SHARED_SECRET: secret }))).toContain('SHARED_SECRET: it is not the secret');
    await close();
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
    const { mongodb_url, close } = await openMonitored();
    const startHere = (options: Start): Promise<void> => start({ mongodb_url, ...options });
    await startHere({ shared_secret: one });
    expect(await reasonOf(startHere({ shared_secret: two }))).toContain('SHARED_SECRET_PREVIOUS');
    await startHere({ shared_secret: two, shared_secret_previous: one });
    await startHere({ shared_secret: one });
    await startHere({ shared_secret: two, shared_secret_previous: one });
    await startHere({ shared_secret: two });
    expect(await reasonOf(startHere({ shared_secret: one }))).toContain('is not the secret of these data');
    expect(await reasonOf(startHere({ shared_secret: three, shared_secret_previous: one }))).toContain(
      'is not the secret',
    );
    await startHere({ shared_secret: three, shared_secret_previous: two });
    await close();
  });

  test('is that of the database for all servers, whatever their data folders have', async () => {
    const { mongodb_url, close } = await openMonitored();
    const [one, other] = [join(folder, 'one'), join(folder, 'other')];
    await start({ mongodb_url, data_dir: one });
    const reason = await reasonOf(start({ mongodb_url, data_dir: other }));
    expect(reason).toContain(`the secret in ${other} is not the secret of these data`);
    expect(await reasonOf(start({ mongodb_url, shared_secret: 'another one, which is long enough' }))).toContain(
      'SHARED_SECRET: it is not the secret of these data',
    );
    await copyFile(join(one, 'secret'), join(other, 'secret'));
    await start({ mongodb_url, data_dir: other });
    await close();
  });

  test.each<readonly [name: string, options: { readonly shared_secret?: string }, earlier: string | undefined]>([
    ['that it has, in an empty folder', {}, undefined],
    ['that it has, in a folder with another one', {}, 'o'.repeat(43)],
    ['of the environment, in an empty folder', { shared_secret: setSecret }, undefined],
    ['of the environment, in a folder with another one', { shared_secret: setSecret }, 'o'.repeat(43)],
  ])('of a restored backup is the one %s', async (_name, options, earlier) => {
    const of = (name: string): string => join(folder, name);
    const copies = await storeCopies();
    await start({ ...options, data_dir: of('data') });
    await copies.backup(of('data'), of('a.backup'));
    await mkdir(of('restored'));
    if (earlier !== undefined) await writeFile(of('restored/secret'), earlier);
    const { kept } = await copies.restore(of('a.backup'), of('restored'));
    const reason = await reasonOf(start({ data_dir: of('restored') }));
    if (options.shared_secret === undefined) {
      expect(reason).toBe('it starts');
      // that of what was there before is kept with it
      if (earlier !== undefined) expect(await readFile(join(kept ?? '', 'secret'), 'utf8')).toBe(earlier);
    } else expect(reason).toContain(`the secret in ${of('restored')} is not the secret of these data`);
    const another = { shared_secret: 'another one, which is long enough', data_dir: of('restored') };
    expect(await reasonOf(start(another))).toContain('SHARED_SECRET: it is not the secret of these data');
    await start({ ...options, data_dir: of('restored') });
  });
});
