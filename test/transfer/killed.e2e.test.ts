/** Imports and copies that are killed are run again, and then everything is stored once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { runHere } from '../support/command-here.ts';
import { until } from '../support/waiting.ts';
import { newProject } from './folders.ts';

const count = 1500;
const text = Array.from({ length: count }, (_, n) => `{"title":"Book ${n}"}\n`).join('');

let folder: string;
beforeAll(async () => {
  folder = await newProject('unique: true');
});

function start(...args: string[]) {
  const child = spawn(process.execPath, [resolve('bin/dossier.mjs'), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(child, 'exit');
  /** @returns whether it was killed, and had not ended before */
  const kill = async (): Promise<boolean> => {
    child.kill('SIGKILL');
    return (await ended)[1] === 'SIGKILL';
  };
  return { child, kill };
}

test('an import that was killed can be run again', async () => {
  const { child, kill } = start('import', '-', '--model', 'book');
  // the file does not end, so the import does not either
  child.stdin?.on('error', () => undefined);
  child.stdin?.write(text);
  await until(() => existsSync(join(folder, 'data', 'store.db')));
  expect(await kill()).toBe(true);
  const again = await runHere(folder, ['import', '-', '--model', 'book', '--json'], { input: text });
  expect(JSON.parse(again.output)).toEqual({ models: { book: count }, refused: 0 });
  const exported = await runHere(folder, ['export', 'book', '--out', 'out', '--json']);
  expect(JSON.parse(exported.output).models.book.count).toBe(count);
});

test('a copy that was killed can be run again', async () => {
  let target = '';
  // until one is killed before it has ended
  for (let n = 0, isKilled = false; !isKilled; n++) {
    target = `copied-${n}`;
    const { kill } = start('copy', '--to', target);
    await until(() => existsSync(join(folder, target, 'store.db')));
    isKilled = await kill();
  }
  const again = await runHere(folder, ['copy', '--to', target, '--json']);
  expect(JSON.parse(again.output).collections.books).toMatchObject({ documents: count });
});
