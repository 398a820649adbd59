/** Writes models into a folder: a file of Extended JSON for each, ordered by id, and a manifest. */
import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../adapters/make-folder.ts';
import type { ModelEntry } from '../models/entry.ts';
import { modelOf, type Row } from '../models/mongoose.ts';
import { isPlainObject } from '../models/plain-object.ts';
import { isSecretName } from '../models/secrets.ts';
import { documentOf, lineOf } from './extended-json.ts';
import { type Manifest, type ManifestEntry, manifestFile } from './manifest.ts';
import { batchSize, storedDocuments } from './stored-documents.ts';

export interface ExportOptions {
  /** Leaves out every field that is named `password`, at any depth. */
  readonly withoutSecrets: boolean;
  /** Called now and then with what has been written so far. */
  readonly onProgress: (model: string, documents: number) => void;
}

/** Characters that are written at once. */
const pieceSize = 256 * 1024;

/**
 * Exports models. Files get their names when they are complete, and the manifest comes last: an export that is interrupted is not mistaken
 * for a complete one. Only their owner can read them.
 */
export async function exportModels(
  models: readonly ModelEntry[],
  folder: string,
  options: ExportOptions,
): Promise<Manifest> {
  makeFolder(folder);
  await rm(join(folder, manifestFile), { force: true });
  const entries: Record<string, ManifestEntry> = {};
  for (const model of models) entries[model.name] = await exportModel(model, folder, options);
  const manifest: Manifest = { models: entries };
  const file = await NewFile.create(join(folder, manifestFile));
  await file.finish(() => file.add(`${JSON.stringify(manifest, null, 2)}\n`));
  return manifest;
}

async function exportModel(model: ModelEntry, folder: string, options: ExportOptions): Promise<ManifestEntry> {
  const name = `${model.name}.ndjson`;
  const file = await NewFile.create(join(folder, name));
  let count = 0;
  const sha256 = await file.finish(async () => {
    for await (const bytes of storedDocuments(modelOf(model).collection)) {
      const document = documentOf(bytes);
      await file.add(lineOf(options.withoutSecrets ? (openly(document) as Row) : document));
      count += 1;
      if (count % batchSize === 0) options.onProgress(model.name, count);
    }
  });
  options.onProgress(model.name, count);
  return { file: name, count, sha256 };
}

/** A copy without the fields that are named `password`. */
function openly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openly);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => !isSecretName(name));
  return Object.fromEntries(entries.map(([name, inner]) => [name, openly(inner)]));
}

/** A file for its owner, which has another name until it is complete. */
class NewFile {
  readonly #hash: Hash = createHash('sha256');
  #text = '';

  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  static async create(path: string): Promise<NewFile> {
    await rm(draftOf(path), { force: true });
    return new NewFile(path, await open(draftOf(path), 'wx', 0o600));
  }

  async add(text: string): Promise<void> {
    this.#text += text;
    if (this.#text.length >= pieceSize) await this.#flush();
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#text);
    this.#text = '';
    this.#hash.update(bytes);
    await this.handle.writeFile(bytes);
  }

  /** Runs the work that writes the file, and gives the file its name. @returns the sha256 of its bytes */
  async finish(write: () => Promise<void>): Promise<string> {
    try {
      await write();
      await this.#flush();
      await this.handle.sync();
    } finally {
      await this.handle.close();
    }
    await rename(draftOf(this.path), this.path);
    return this.#hash.digest('hex');
  }
}

const draftOf = (path: string): string => `${path}.part`;
