/** Finds model files and their names. Duplicate names stop the start. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface ModelFile {
  /** The model's name by that of the file, which may be none that a model can have. */
  readonly name: string;
  readonly file: string;
  /** Whether the name of the file is the model's, without other words between dots; a compiled model has its own otherwise. */
  readonly isNamed: boolean;
}

/** The faults of model files, which stop the start; each names its file and the reason, in one line. */
export class ModelFileError extends Error {
  readonly faults: readonly string[];

  /** @param faults at least one */
  constructor(faults: readonly string[], cause?: unknown) {
    super(faults.join('\n'), { cause });
    this.name = 'ModelFileError';
    this.faults = faults;
  }
}

export const modelFileError = (file: string, reason: string, cause?: unknown): ModelFileError =>
  new ModelFileError([`${file}: ${inOneLine(reason)}`], cause);

/** The first line of a reason, with the line and column that a parser names in the second. Other lines list the files that import each other. */
function inOneLine(reason: string): string {
  const [first = '', second = ''] = reason.split('\n', 2);
  const [, place] = /:(\d+:\d+)\s*$/.exec(second) ?? [];
  return place === undefined ? first.trim() : `${first.trim()} at ${place}`;
}

/** Collects the faults of model files, so that all of them are reported at once. */
export class ModelFaults {
  readonly #errors: ModelFileError[] = [];

  /** Runs a step. @returns undefined if it threw a ModelFileError, which is collected */
  collect<T>(step: () => T): T | undefined {
    try {
      return step();
    } catch (error) {
      this.add(error);
      return undefined;
    }
  }

  /** @throws an error that is none of a model file */
  add(error: unknown): void {
    if (!(error instanceof ModelFileError)) throw error;
    this.#errors.push(error);
  }

  /** @throws ModelFileError with all faults, if there are any */
  throwAny(): void {
    const [first, ...others] = this.#errors;
    if (first === undefined) return;
    throw others.length === 0
      ? first
      : new ModelFileError([...new Set(this.#errors.flatMap(({ faults }) => faults))], first);
  }
}

/** The file extensions of models. */
const code = /\.[mc]?[jt]s$/i;
/**
 * The ends of file names that are not part of the model's name: `film_model.js`, `film.models.js`, `film.schema.js`, `filmModel.js`,
 * `filmSchema.js`.
 */
const suffixes = [/[_.](?:model|schema)s?$/i, /(?<=[a-z0-9])(?:Model|Schema)s?$/];

/** Whether a file of a project's folder is loaded: code, but no types, no test, and none that begins with _ or a dot. */
export const isCodeFile = (fileName: string): boolean => code.test(fileName) && !left.test(fileName);

/** The model's name by that of a file: its first word, without an end that only says what it is. */
export function modelNameOf(fileName: string): string {
  const stem = stemOf(fileName);
  return /^[^.]*/.exec(stem)?.[0].toLowerCase() ?? '';
}

const stemOf = (fileName: string): string =>
  suffixes.reduce((rest, suffix) => rest.replace(suffix, ''), fileName.replace(code, ''));

const validName = /^[a-z][a-z0-9_-]*$/;
const left = /^[_.]|\.d\.[mc]?ts$|\.(?:test|spec)\./;

/**
 * The model files of a folder, by name.
 * @param folders those within it that have model files too, `*` for all but `node_modules` and those whose names begin with _ or .
 * @param faults receives those of folders that cannot be read
 */
export async function findModelFiles(
  folder: string,
  folders: readonly string[],
  faults: ModelFaults,
): Promise<ModelFile[]> {
  const all = folders.includes('*') ? await foldersIn(folder) : [folder, ...folders.map((name) => join(folder, name))];
  const found: ModelFile[] = [];
  for (const one of all) {
    const entries = await readdir(one, { withFileTypes: true }).catch((error: unknown) => {
      const setting = one === folder ? 'the models folder (MODELS_DIR)' : 'the folder (MODELS_FOLDERS)';
      faults.add(modelFileError(one, `${setting} cannot be read`, error));
      return [];
    });
    for (const entry of entries) {
      if (entry.isDirectory() || !isCodeFile(entry.name)) continue;
      const name = modelNameOf(entry.name);
      const isNamed = !stemOf(entry.name).includes('.') && faultOfName(name) === undefined;
      found.push({ name, file: join(one, entry.name), isNamed });
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A folder and those in it, at any depth. */
async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const inner = entries.filter((entry) => entry.isDirectory() && !/^[_.]|^node_modules$/.test(entry.name));
  return [folder, ...(await Promise.all(inner.map(({ name }) => foldersIn(join(folder, name))))).flat()];
}

/** Why a model cannot have a name. @param other the file of another model with this name */
export function faultOfName(name: string, other?: string): string | undefined {
  if (!validName.test(name))
    return 'the name of a model must start with a letter and continue with letters, digits, _ and -';
  if (name in Object.prototype) return 'a model must not have this name';
  return other && `${other} already defines the model ${name}`;
}

/** Runs a step of a model. @throws ModelFileError for every error, with the file of the model */
export function inFile<T>(
  { file, name }: { readonly file?: string | undefined; readonly name: string },
  step: () => T,
): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof ModelFileError) throw error;
    throw modelFileError(file ?? name, error instanceof Error ? error.message : String(error), error);
  }
}
