/** Finds model files and their names. Duplicate names stop the start. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface ModelFile {
  readonly name: string;
  readonly file: string;
}

/** A model file that stops the start: its path and the reason. */
export class ModelFileError extends Error {
  constructor(file: string, reason: string, cause?: unknown) {
    super(`${file}: ${reason}`, { cause });
    this.name = 'ModelFileError';
  }
}

const modelFile = /^([a-z][a-z0-9_-]*?)(?:[_.]model)?\.(?:ts|js|mjs|cjs|mts|cts)$/i;
/** The file extensions of models. */
const code = /\.[mc]?[jt]s$/i;
/** The name of the model that a file defines; undefined for a name that no model file may have. */
export const modelNameOf = (fileName: string): string | undefined => modelFile.exec(fileName)?.[1]?.toLowerCase();

const left = /^[_.]|\.d\.[mc]?ts$|\.test\./;

/** The model files of a folder, by name. */
export async function findModelFiles(folder: string): Promise<ModelFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new ModelFileError(folder, 'the models folder (MODELS_DIR) cannot be read', error);
  });
  const found = new Map<string, ModelFile>();
  for (const entry of entries) {
    if (entry.isDirectory() || left.test(entry.name)) continue;
    const name = modelNameOf(entry.name);
    const file = join(folder, entry.name);
    if (name === undefined) {
      if (!code.test(entry.name)) continue;
      throw new ModelFileError(
        file,
        'the name of a model file must start with a letter and continue with letters, digits, _ and -',
      );
    }
    if (name in Object.prototype) throw new ModelFileError(file, 'a model must not have this name');
    const other = found.get(name);
    if (other !== undefined) throw new ModelFileError(file, `${other.file} already defines the model ${name}`);
    found.set(name, { name, file });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
