/** Model files that a test writes: texts or functions → a folder that is removed when the test file is done. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import type mongoose from 'mongoose';
import type { Schema } from 'mongoose';

/** What a model file's function is given. */
export interface ModelTools {
  readonly mongoose: typeof mongoose;
  readonly Schema: typeof mongoose.Schema;
  readonly ObjectId: typeof mongoose.Schema.Types.ObjectId;
  readonly Mixed: typeof mongoose.Schema.Types.Mixed;
}

/** A model file: its text, or a function that reaches nothing outside of itself. */
type ModelSource = string | ((tools: ModelTools) => Schema);

/** File names and what is in them; without an ending, texts are TypeScript, and functions CommonJS, which is loaded as it is. */
export type ModelFiles = Readonly<Record<string, ModelSource>>;

/** Writes the files into a fresh folder. */
export async function writeModels(files: ModelFiles): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-models-'));
  for (const [name, source] of Object.entries(files)) {
    const [ending, text] =
      typeof source === 'string' ? ['.ts', source] : ['.cjs', `module.exports = ${source.toString()};\n`];
    const file = join(folder, extname(name) === '' ? name + ending : name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
