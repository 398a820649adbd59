/** Standard output that cannot be written: a full disk, or a reader that has gone (docs/command.md). */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runDossier } from '../support/command.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/waiting.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-lost-'));
  await mkdir(join(folder, 'models'));
  await writeFile(
    join(folder, 'models', 'item.cjs'),
    `module.exports = ({ Schema }) => new Schema({ name: String }, { perms: { admin: 'crud' } });`,
  );
  // a list of users needs data
  const environment = { DATA_DIR: join(folder, 'data') };
  await runDossier(['user', 'add', 'ann@x.test'], { folder, environment, input: 'pw-ann-123\n' });
});
afterAll(() => rm(folder, { recursive: true }));

/** A file to which nothing can be written. */
const fullDisk = (): number => openSync('/dev/full', 'w');

/** The writing end of a pipe without a reader. */
function unreadPipe(): number {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, 'r+');
  const writer = openSync(path, 'w');
  closeSync(reader);
  execFileSync('rm', [path]);
  return writer;
}

function runTo(
  output: number,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ChildProcess {
  const child = spawn(process.execPath, [resolve('bin/dossier.mjs'), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], SLOW_MS: '60000', DATA_DIR: join(folder, 'data'), ...environment },
    stdio: ['ignore', output, 'pipe'],
  });
  closeSync(output);
  return child;
}

const noSpace = 'error: standard output could not be written: ENOSPC: no space left on device, write\n';

test.each([['--version'], ['openapi'], ['user', 'list', '--json']].map((args) => [args.join(' '), args] as const))(
  'dossier %s does not end with 0, and prints no stack',
  async (_line, args) => {
    for (const [output, code, messages] of [
      [fullDisk(), 1, noSpace],
      [unreadPipe(), 141, ''],
    ] as const) {
      const child = runTo(output, args);
      const [printed, [ended]] = await Promise.all([text(child.stderr ?? Readable.from([])), once(child, 'close')]);
      expect({ code: ended as number, messages: printed }).toEqual({ code, messages });
    }
  },
);

test.each([
  ['a full disk', fullDisk],
  ['a pipe without a reader', unreadPipe],
])('a server whose log goes to %s serves on, and ends in order', async (_what, output) => {
  const port = await freePort();
  const child = runTo(output(), ['start'], { PORT: String(port) });
  const isServed = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isServed);
  // a line of the log is written for this answer
  expect((await fetch(`http://127.0.0.1:${port}/api/item`)).status).toBe(401);
  expect(await isServed()).toBe(true);
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
});
