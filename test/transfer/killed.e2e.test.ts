/** Imports and copies that are killed are run again, and then everything is stored once. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { runHere } from '../support/command-here.ts';
import { newProject } from './folders.ts';

const count = 1500;
const text = Array.from({ length: count }, (_, n) => `{"title":"Book ${n}"}\n`).join('');

let folder: string;
beforeAll(async () => {
  folder = await newProject('unique: true');
});

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [resolve('bin/dossier.mjs'), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('an import that was killed can be run again', async () => {
  const child = start('import', '-', '--model', 'book');
  // the file does not end, so the import does not either
  child.stdin?.on('error', () => undefined);
  child.stdin?.write(text);
  while (!existsSync(join(folder, 'data', 'store.db'))) await new Promise((again) => setTimeout(again, 20));
  await kill(child);
  const again = await runHere(folder, ['import', '-', '--model', 'book', '--json'], { input: text });
  expect(JSON.parse(again.output)).toEqual({ models: { book: count }, refused: 0 });
  const exported = await runHere(folder, ['export', 'book', '--out', 'out', '--json']);
  expect(JSON.parse(exported.output).models.book.count).toBe(count);
});

test('a copy that was killed can be run again', async () => {
  const child = start('copy', '--to', 'copied');
  while (!existsSync(join(folder, 'copied', 'store.db')) && child.exitCode === null)
    await new Promise((again) => setTimeout(again, 20));
  await kill(child);
  const again = await runHere(folder, ['copy', '--to', 'copied', '--json']);
  expect(JSON.parse(again.output).collections.books).toMatchObject({ documents: count });
});
