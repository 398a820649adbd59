/** `dossier-store`: its flags, its account, its exit, and exclusive access to the data. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import manifest from '../../package.json' with { type: 'json' };
import { readOptions, usage } from '../../src/cli-options.ts';
import { open, type OpenStore } from '../../src/index.ts';
import { type Account, urlOf } from '../../src/wire/address.ts';
import { type CommandProcess, startCommand } from './command-process.ts';

describe('the flags', () => {
  const sharing = { port: 27017, hosts: ['127.0.0.1', '::1'], user: undefined, password: undefined };

  test.each([
    { args: [], environment: {}, asked: { dir: './data', sharing, limits: {} } },
    {
      args: ['--port', '0', '--data', 'd'],
      environment: {},
      asked: { dir: 'd', sharing: { ...sharing, port: 0 }, limits: {} },
    },
    {
      args: ['--host', '::1'],
      environment: {},
      asked: { dir: './data', sharing: { ...sharing, hosts: ['::1'] }, limits: {} },
    },
    { args: ['--host=localhost'], environment: {}, asked: { dir: './data', sharing, limits: {} } },
    {
      args: ['--max-bytes=20gb', '--history-hours', '72', '--history-bytes', '5MB'],
      environment: {},
      asked: {
        dir: './data',
        sharing,
        limits: { maxBytes: 20 * 1024 ** 3, eventLogHours: 72, eventLogBytes: 5 * 1024 ** 2 },
      },
    },
    {
      args: ['--user', 'ann'],
      environment: { DOSSIER_STORE_USER: 'bob', DOSSIER_STORE_PASSWORD: 'secret' },
      asked: { dir: './data', sharing: { ...sharing, user: 'ann', password: 'secret' }, limits: {} },
    },
  ])('$args $environment', ({ args, environment, asked }) => {
    expect(readOptions(args, environment)).toEqual({ help: false, ...asked });
  });

  test.each([
    { args: ['--prot', '1'], says: "Unknown option '--prot'." },
    { args: ['--port'], says: "Option '--port <value>' argument missing." },
    { args: ['here'], says: "Unexpected argument 'here'." },
    { args: ['--port', '65536'], says: '--port must be a whole number from 0 to 65535, got "65536".' },
    { args: ['--port', '1e3'], says: 'got "1e3"' },
    { args: ['--port='], says: 'got ""' },
    { args: ['--data='], says: '--data must be the path of a folder, got "".' },
    { args: ['--host', '0.0.0.0'], says: 'serves programs on this machine' },
    { args: ['--host', '::'], says: 'serves programs on this machine' },
    { args: ['--host', '192.168.0.2'], says: 'serves programs on this machine' },
    { args: ['--user', 'a,b'], says: 'The user must be' },
    { args: ['--user', ''], says: 'The user must be' },
    { args: ['--password', 'pässword'], says: 'printable ASCII' },
    { args: ['--password', ''], says: 'printable ASCII' },
    { args: ['--max-bytes', '20tb'], says: '--max-bytes must be a size such as 500mb or 20gb, got "20tb".' },
    { args: ['--max-bytes='], says: 'got ""' },
    {
      args: ['--history-bytes', '1000'],
      says: '--history-bytes must be a size such as 500mb or 20gb of at least 1mb, got "1000".',
    },
    { args: ['--history-hours', '0'], says: '--history-hours must be a whole number from 1 to 8760, got "0".' },
    { args: ['--history-hours', '1.5'], says: 'got "1.5"' },
  ])('$args are refused', ({ args, says }) => {
    expect(() => readOptions(args, {})).toThrow(says);
  });
});

describe('the account', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'account-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  /** Opens the store, checks whether an account may sign in, and closes it. */
  async function visit(given: { user?: string; password?: string }, account?: Account): Promise<OpenStore> {
    const store = await open({ dir, thread: false, sharing: { port: 0, hosts: ['127.0.0.1'], ...given } });
    const known = account ?? store.newAccount;
    try {
      await MongoClient.connect(urlOf(store.address, known)).then((client) => client.close());
    } finally {
      await store.close();
    }
    return store;
  }

  test('is generated once and stored as a hash, readable by the owner of the folder only', async () => {
    const { newAccount } = await visit({});
    const file = join(dir, 'account.json');
    expect(newAccount).toEqual({ user: 'dossier', password: expect.stringMatching(/^[\w-]{32}$/) });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(newAccount?.password);
    expect((await visit({}, newAccount)).newAccount).toBeUndefined();
    expect((await visit({ user: 'dossier' }, newAccount)).newAccount).toBeUndefined();
  });

  test('is replaced by another password, and the old one no longer works', async () => {
    const { newAccount } = await visit({});
    const ann = { user: 'ann', password: 'a new password' };
    expect((await visit(ann, ann)).newAccount).toBeUndefined();
    await visit({}, ann);
    await expect(visit({}, newAccount)).rejects.toMatchObject({ code: 18 });
    await expect(visit({ user: 'bob' }, ann)).rejects.toThrow(
      'The account of this data folder is ann. To change it to bob, set a password too.',
    );
  });

  test.each(['{}', 'null', '', '{"user":"ann","iterations":1,"salt":"","storedKey":"","serverKey":""}'])(
    'that is damaged (%s) is reported, and replaced by another',
    async (text) => {
      const ann = { user: 'ann', password: 'a new password' };
      await visit(ann, ann);
      writeFileSync(join(dir, 'account.json'), text);
      await expect(visit({}, ann)).rejects.toThrow('account.json is damaged');
      await visit(ann, ann);
      await visit({}, ann);
    },
  );
});

describe('the process', () => {
  let folder: string;
  let started: CommandProcess[] = [];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'command-'));
  });
  afterEach(async () => {
    for (const { child, ended } of started) {
      child.kill('SIGKILL');
      await ended;
    }
    started = [];
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = async (dir: string, args: readonly string[] = [], environment = {}): Promise<CommandProcess> => {
    const made = await startCommand(['--port', '0', '--data', join(folder, dir), ...args], environment);
    started.push(made);
    return made;
  };

  async function count(url: string): Promise<number> {
    const client = await MongoClient.connect(url, { serverSelectionTimeoutMS: 3000 });
    try {
      const things = client.db('t').collection('things');
      await things.insertOne({});
      return await things.countDocuments();
    } finally {
      await client.close();
    }
  }

  const stop = async ({ child, ended }: CommandProcess, signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return ended;
  };

  test('generates a password once, prints it, refuses a second process naming the first, and exits with 0', async () => {
    const first = await run('account');
    const [, password = ''] = /User dossier, password (\S+): it is not shown again/.exec(first.printed()) ?? [];
    expect(first.url).toContain(`dossier:${password}@`);
    expect(await count(first.url)).toBe(1);
    const refused = await run('account');
    expect(await refused.ended).toBe(1);
    expect(refused.printed()).toContain(`in use by another process (pid ${String(first.child.pid)})`);
    expect(await stop(first, 'SIGTERM')).toBe(0);

    const second = await run('account');
    expect(second.printed()).not.toMatch(/not shown again/);
    expect(await count(second.url.replace('PASSWORD', password))).toBe(2);
    expect(await stop(second, 'SIGINT')).toBe(0);
  });

  test('refuses a port that is in use, and creates no account', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const refused = await run('port', ['--port', String(port)]);
    expect(await refused.ended).toBe(1);
    expect(refused.printed()).toContain(`127.0.0.1:${port} is in use by another program; choose another port.`);
    other.close();
    expect(existsSync(join(folder, 'port', 'account.json'))).toBe(false);
  });

  test('the program of package.json prints the flags', async () => {
    const program = join('packages/store', manifest.bin['dossier-store']);
    const { stdout } = await promisify(execFile)(process.execPath, [program, '--help']);
    expect(stdout).toBe(usage);
  });

  test('reports a wrong flag and exits with 2; --help prints the flags', async () => {
    const [wrong, help] = await Promise.all([run('flags', ['--host', '10.0.0.1']), run('flags', ['--help'])]);
    expect([await wrong.ended, wrong.printed()]).toEqual([
      2,
      expect.stringContaining('serves programs on this machine'),
    ]);
    expect([await help.ended, help.printed()]).toEqual([0, usage]);
  });
});
