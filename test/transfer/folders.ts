/** Folders of tests, removed after the last test of the file. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from '@jest/globals';

const made: string[] = [];
afterAll(async () => {
  for (const folder of made) await rm(folder, { recursive: true, force: true });
});

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-transfer-'));
  made.push(folder);
  return folder;
}

/** A new project with the model `book`. @param title the options of its field `title`, as source text */
export async function newProject(title: string): Promise<string> {
  const folder = await newFolder();
  await mkdir(join(folder, 'models'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const model = `import { Schema } from 'mongoose';\nexport default new Schema({ title: { type: String, ${title} } });\n`;
  await writeFile(join(folder, 'models', 'book.ts'), model);
  return folder;
}

/** The texts of the files in a folder, by name. */
export async function textsIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return Object.fromEntries(
    await Promise.all(names.sort().map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}

/** The documents of a text, one per line. */
export const linesOf = (text: string): any[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
