/** The manifest of an export: which model is in which file, and what the file must contain. A manifest is not trusted. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isPlainObject } from '../models/plain-object.ts';
import { whereNotJson } from '../text/json-fault.ts';

export const manifestFile = 'manifest.json';

/** A model in an export. */
export interface ManifestEntry {
  /** The name of the file, in the folder of the manifest. */
  readonly file: string;
  readonly count: number;
  /** Of the file's bytes, in hexadecimal. */
  readonly sha256: string;
}

export interface Manifest {
  readonly models: Readonly<Record<string, ManifestEntry>>;
}

/** Maximum bytes of a manifest. */
const maxBytes = 1024 * 1024;

/**
 * Reads the manifest of a folder, and compares all files with it before any of them is imported.
 * @returns the models with the paths of their files; undefined for a folder without a manifest
 * @throws Error naming what is wrong with the manifest or a file
 */
export async function readManifest(folder: string): Promise<ReadonlyMap<string, string> | undefined> {
  const path = join(folder, manifestFile);
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  if (!found.isFile() || found.size > maxBytes) throw new Error(`${path} must be a file of at most ${maxBytes} bytes`);
  const models = entriesIn(path, await readFile(path, 'utf8'));
  const files = new Map<string, string>();
  for (const [name, entry] of models) {
    const file = join(folder, entry.file);
    await checkFile(file, entry);
    files.set(name, file);
  }
  return files;
}

function entriesIn(path: string, text: string): (readonly [model: string, entry: ManifestEntry])[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON${whereNotJson(text)}`, { cause: error });
  }
  const models = isPlainObject(parsed) ? parsed['models'] : undefined;
  if (!isPlainObject(models)) throw new Error(`${path} has no object "models"`);
  return Object.entries(models).map(([name, entry]) => {
    if (isEntry(entry)) return [name, entry];
    throw new Error(`${path}: ${JSON.stringify(name)} must have a file name without a folder, a count and a sha256`);
  });
}

const isEntry = (entry: unknown): entry is ManifestEntry =>
  isPlainObject(entry) &&
  isFileName(entry['file']) &&
  Number.isSafeInteger(entry['count']) &&
  typeof entry['sha256'] === 'string';

/** Whether a value names a file of the folder itself. */
const isFileName = (name: unknown): name is string =>
  typeof name === 'string' && /\.ndjson$/.test(name) && !/[/\\\0]/.test(name) && basename(name) === name;

async function checkFile(file: string, { sha256 }: ManifestEntry): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) throw new Error(`${file} is missing, and ${manifestFile} names it`);
  // a symbolic link may lead out of the folder
  if (!found.isFile()) throw new Error(`${file} is not a regular file`);
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  if (hash.digest('hex') === sha256) return;
  throw new Error(
    `${file} has changed since it was exported: its sha256 is not that of ${manifestFile}. Remove ${manifestFile} to import it as it is.`,
  );
}
