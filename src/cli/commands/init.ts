/** `dossier init`: writes a new project. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { packageVersion } from '../package-version.ts';
import { templateOf } from '../template.ts';
import { printLine, type Terminal } from '../terminal.ts';

export const initCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('init')
    .description('Writes a new project: a model, a test and the settings')
    .argument('[folder]', 'a new or empty folder', '.')
    .action((folder: string) => init(folder, terminal));

/** @throws Error when the folder is not empty or can't be written */
async function init(given: string, { output }: Terminal): Promise<void> {
  const folder = resolve(given);
  await makeEmptyFolder(folder);
  const secret = randomBytes(32).toString('base64url');
  const files = templateOf({ name: packageNameOf(basename(folder)), version: packageVersion(), secret });
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    // only the owner reads the secret
    await writeFile(file, text, { flag: 'wx', mode: path === '.env' ? 0o600 : 0o666 });
  }
  printLine(output, `Wrote ${Object.keys(files).join(', ')} in ${folder}`);
  printLine(output, 'Next: npm install, npm test, npm start');
}

/** A repository without files counts as empty. */
async function makeEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const found = (await readdir(folder)).filter((name) => name !== '.git');
  if (found.length === 0) return;
  const more = found.length > 3 ? `and ${found.length - 3} more` : '';
  throw new Error(
    `the folder must be new or empty, but ${folder} has ${[...found.slice(0, 3), more].filter(Boolean).join(', ')}`,
  );
}

/** A name that npm accepts: lower case, without characters that an address would escape. */
const packageNameOf = (folder: string): string =>
  folder
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100) || 'dossier-project';
