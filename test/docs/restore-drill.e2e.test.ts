/** The restore drill of docs/backups.md: its commands, as the page has them, after the loss of a server that was backed up under writes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { send } from '../support/client.ts';
import { emailOf, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { onPosix } from '../support/needs.ts';
import { until } from '../support/waiting.ts';
import { newFolder } from '../transfer/folders.ts';

const root = { headers: rootBasic };
const user = { email: emailOf('root'), password: passwordOf('root') };
const model = `const { Schema } = require('mongoose');
module.exports = new Schema({ n: Number }, { perms: { admin: 'crud' } });`;

/** A command of the section by a part of it, with other names than those of the page. */
type Find = (part: string, names?: Readonly<Record<string, string>>) => string;
async function commandsOfPage(): Promise<Find> {
  const page = await readFile('docs/backups.md', 'utf8');
  const section = /^## Restore drill$[\s\S]*?(?=^## )/m.exec(page)?.[0] ?? '';
  const commands = [...section.matchAll(/`((?:\w+=\S+ )*(?:npx|curl) [^`]+)`/g)].map(([, command = '']) => command);
  expect(commands).toHaveLength(5);
  return (part, names = {}) => {
    const [command, ...others] = commands.filter((one) => one.includes(part));
    if (command === undefined || others.length > 0) throw new Error(`not one command has ${part}`);
    return Object.entries(names).reduce((line, [from, to]) => line.replace(from, to), command);
  };
}

const environment = {
  ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'warn', SLOW_MS: '60000' },
  ...{ npm_config_offline: 'true', npm_config_update_notifier: 'false' },
};
const children: ChildProcess[] = [];

/** Begins a line of a shell, in a group of processes of its own. */
function begin(line: string, folder: string): ChildProcess {
  const child = spawn('sh', ['-c', line], { cwd: folder, env: environment, detached: true, stdio: 'pipe' });
  children.push(child);
  return child;
}

function signal({ pid, exitCode, signalCode }: ChildProcess, name: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, name);
}

/** @returns what a line prints to both outputs @throws Error when it fails */
async function run(line: string, folder: string): Promise<string> {
  const child = begin(`${line} 2>&1`, folder);
  const printed = child.stdout === null ? '' : await text(child.stdout);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect({ line, code: child.exitCode, printed }).toEqual({ line, code: 0, printed: expect.anything() });
  return printed;
}

/** Begins a server, and waits until it listens. */
async function serve(line: string, folder: string): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = begin(line, folder);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (piece: Buffer) => (printed += piece.toString()));
  const address = (): string => /listens on (\S+)/.exec(printed)?.[1] ?? '';
  await until(
    () => address() !== '',
    () => printed,
  );
  return { url: address(), child };
}

/** Ends a server, and waits until it has ended. */
async function end(child: ChildProcess, name: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const ended = once(child, 'close');
  signal(child, name);
  await ended;
}

/** A project as `dossier init` leaves it: models, `.env`, and the command in `node_modules`. */
async function newProject(settings: Readonly<Record<string, string>>): Promise<string> {
  const folder = await newFolder();
  for (const name of ['models', 'node_modules/.bin']) await mkdir(join(folder, name), { recursive: true });
  await symlink(resolve('bin/dossier.mjs'), join(folder, 'node_modules/.bin/dossier'));
  await symlink(resolve('node_modules/mongoose'), join(folder, 'node_modules/mongoose'));
  await writeFile(join(folder, 'package.json'), '{ "name": "shop", "private": true }');
  await writeFile(join(folder, 'models/note.js'), model);
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(folder, '.env'), lines.join(''));
  return folder;
}

const numbers = async (url: string): Promise<readonly number[]> => {
  const { status, rows } = await send('GET', `${url}/api/note?sort=n&limit=1000`, root);
  expect(status).toBe(200);
  return rows.map(({ n }) => n as number);
};

let settings: Readonly<Record<string, string>>;
let shop: string;
beforeAll(async () => {
  settings = { HOST: '127.0.0.1', PORT: '0', BCRYPT_COST: '4', SHED_AFTER_MS: '0', BACKUP_DIR: await newFolder() };
  shop = await newProject(settings);
});
afterAll(() => {
  for (const child of children) signal(child, 'SIGKILL');
});

/** Writes until a backup that began meanwhile is verified, and is killed. @returns the backup, and what was acknowledged before it began */
async function lostServer(): Promise<{ readonly backup: string; readonly before: readonly number[] }> {
  const { url, child } = await serve('npx dossier start', shop);
  expect((await send('POST', `${url}/setup`, { body: user })).status).toBe(201);
  const acknowledged: number[] = [];
  let isOver = false;
  const writing = (async () => {
    for (let n = 0; !isOver; n++)
      if ((await send('POST', `${url}/api/note`, { ...root, body: { n } })).status === 201) acknowledged.push(n);
  })();
  await until(() => acknowledged.length > 5);
  const before = [...acknowledged];
  const { body } = await send('POST', `${url}/server/backups`, root);
  const isVerified = async (): Promise<boolean> =>
    (await send('GET', `${url}/server/backups`, root)).rows.some(({ verified }) => verified === true);
  await until(isVerified);
  isOver = true;
  await writing;
  await end(child, 'SIGKILL');
  await rm(join(shop, 'data'), { recursive: true });
  return { backup: join(settings['BACKUP_DIR'] ?? '', String(body['file'])), before };
}

onPosix('a backup is restored on another machine, and in earnest', async () => {
  const { backup, before } = await lostServer();
  const file = basename(backup);
  const command = await commandsOfPage();

  const machine = await newProject(settings);
  await cp(backup, join(machine, file));
  await run(command('trial npx dossier restore', { 'dossier-2026-11-26T03-00-00-000Z.backup': file }), machine);
  const { url, child } = await serve(command('dossier start', { '4100': '0' }), machine);
  expect(await run(command('curl', { '4100': new URL(url).port }), machine)).toContain('BACKGROUND');
  expect((await send('POST', `${url}/login`, { body: user })).status).toBe(200);
  const restored = await numbers(url);
  expect(restored).toEqual(expect.arrayContaining([...before]));
  await run(command('dossier check'), machine);
  await end(child);

  await run(command('restore <file>', { '<file>': backup }), shop);
  await run('npx dossier check', shop);
  const again = await serve('npx dossier start', shop);
  expect(await numbers(again.url)).toEqual(restored);
  await end(again.child);
});
