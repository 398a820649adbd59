/**
 * Runs every command that docs/moving-data.md and the section on backups of docs/deploying.md show, in their order, and
 * compares what they print.
 */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { runHere } from '../support/command-here.ts';
import { linesOf, newFolder } from '../transfer/folders.ts';

interface Block {
  /** The language of the code block; `file` is the name of the file that it shows. */
  readonly kind: string;
  readonly file: string;
  readonly text: string;
}

const blocksIn = (text: string): readonly Block[] =>
  [...text.matchAll(/^```(\w*) ?(\S*)\n([\s\S]*?)^```$/gm)].map(([, kind = '', file = '', inner = '']) => ({
    kind,
    file,
    text: inner,
  }));

/** The arguments of a command as the shell reads them; no argument in the guides has an escaped quote. */
const argumentsIn = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );

const model = `import { Schema } from 'mongoose';
export default new Schema({
  isbn: { type: String, unique: true }, title: { type: String, required: true }, year: Number,
  author: { name: String }, tags: [String],
});`;

let folder: string;
beforeAll(async () => {
  folder = await newFolder();
  for (const name of ['models', 'backups']) await mkdir(join(folder, name));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'models', 'book.ts'), model);
});

/** Runs the commands of a block. @returns their standard outputs, joined */
async function runAll(text: string): Promise<string> {
  let printed = '';
  for (const line of text.trim().split('\n')) {
    // test/cli/beside-server.e2e.test.ts has such commands: no server runs here
    if (line.includes(' --url ')) continue;
    const [, input, command = ''] = /^(?:echo '([^']*)' \| )?npx dossier (.*)$/.exec(line) ?? [];
    const { code, output, messages } = await runHere(folder, argumentsIn(command), { input: input ?? 'pw-12345\n' });
    const hasRefused = messages.endsWith('refused.ndjson says why\n');
    expect({ line, code, messages: hasRefused ? '' : messages }).toEqual({
      line,
      code: hasRefused ? 1 : 0,
      messages: '',
    });
    printed += output;
  }
  return printed;
}

test.each(['moving-data.md', 'deploying.md'])('docs/%s', async (guide) => {
  const text = await readFile(join('docs', guide), 'utf8');
  const section = guide === 'deploying.md' ? (/^## Backups$[\s\S]*?(?=^## )/m.exec(text)?.[0] ?? '') : text;
  let printed = '';
  let commands = 0;
  for (const block of blocksIn(section)) {
    if (block.kind === 'csv') await writeFile(join(folder, block.file), block.text);
    if (block.kind === 'json' && block.file !== '')
      expect(linesOf(await readFile(join(folder, block.file), 'utf8'))).toEqual([JSON.parse(block.text)]);
    if (block.kind === 'text') expect(printed).toBe(block.text);
    if (block.kind !== 'sh') continue;
    printed = await runAll(block.text);
    commands += 1;
  }
  expect(commands).toBeGreaterThan(1);
});
