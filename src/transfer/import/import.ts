/** Imports documents: reads the records of all files, writes them in batches, and lists those that are refused. */
import { badValue, Failure, validationFailed } from '../../errors/errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { typeAt } from '../../models/fields/path-type.ts';
import { objectIdCell } from '../../models/fields/types/field-type.ts';
import type { Row } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import { policyFor } from '../../policy/policy.ts';
import { operator } from '../../policy/principal.ts';
import type { Services } from '../../services.ts';
import { keyIn, type UniqueIndex, uniqueIndexOn } from '../../write/rules/unique-index.ts';
import type { Cells } from '../csv.ts';
import { parseDocument, parseValue } from '../extended-json.ts';
import { operatorOn } from '../operator.ts';
import type { FileRecord } from '../records.ts';
import { type Batches, type Item, type RefusedLine, writeBatch } from './batch.ts';
import { idKey } from './record.ts';
import { reasonOf, RefusedFile } from './refusal.ts';
import type { Source } from './source.ts';
import { newId } from './values.ts';

export interface ImportOptions {
  /** The fields of a unique index that find existing documents; empty for `_id`. */
  readonly on: readonly string[];
  /** Stores documents as they are in the files, without validation. */
  readonly raw: boolean;
  /** Stops at the first record that is refused. */
  readonly strict: boolean;
  /** Calls the functions `changed` of models and of the config. */
  readonly callsChanged?: boolean;
  /** The working folder, for the list of refused records. */
  readonly folder: string;
  /** Called after each batch with what has been stored so far. */
  readonly onProgress: (model: string, documents: number) => void;
}

export interface ImportResult {
  /** Stored documents by model. */
  readonly models: Readonly<Record<string, number>>;
  readonly refused: number;
  /** The file that lists them; undefined if there are none. */
  readonly refusedFile: string | undefined;
}

/** What writes the records of a file: the database of this process, or a server. */
export interface Receiver {
  readonly model: ModelEntry;
  /** The index that finds existing documents; undefined for ids. */
  readonly index: UniqueIndex | undefined;
  /** Records and characters of a batch. */
  readonly maxBatch: { readonly records: number; readonly characters: number };
  /**
   * The id of a record, with which it is written.
   * @param given of the record; undefined where it has none
   * @returns undefined where the document is written without one @throws Error with the reason for which the record is refused
   */
  idOf(given: unknown, line: number, text: string): unknown;
  /** The values by which a document with an id is found. @throws Failure 400 for an id that the model cannot have */
  keyOf(id: unknown, line: number): Row;
  /** @returns the records that are refused; all others are stored, with `strict` only those before the first refused one */
  write(items: readonly Item[]): Promise<RefusedLine[]>;
}

/**
 * Imports into the database of the services.
 * @throws Error for a model that does not exist, or a file that can't be read; what has been stored before stays
 */
export const importSources = (
  services: Services,
  sources: readonly Source[],
  options: ImportOptions,
): Promise<ImportResult> => importTo((source) => databaseReceiver(services, source, options), sources, options);

/** Imports by receivers. @throws as `importSources`, and what receivers throw */
export async function importTo(
  receiverOf: (source: Source) => Receiver,
  sources: readonly Source[],
  options: Pick<ImportOptions, 'strict' | 'folder' | 'onProgress'>,
): Promise<ImportResult> {
  const works = sources.map((source) => new FileImport(source, receiverOf(source), options.strict));
  const list = new RefusedFile(options.folder);
  await list.begin();
  const models: Record<string, number> = {};
  try {
    for (const work of works) {
      const before = models[work.model] ?? 0;
      await work.run(list, (documents) => {
        models[work.model] = before + documents;
        options.onProgress(work.model, before + documents);
      });
      if (options.strict && list.count > 0) break;
    }
  } finally {
    await list.close();
  }
  return { models, refused: list.count, refusedFile: list.count === 0 ? undefined : list.path };
}

/** The import of one file. */
class FileImport {
  readonly model: string;
  #items: Item[] = [];
  #refused: RefusedLine[] = [];
  #keys = new Set<string>();
  #characters = 0;
  #stored = 0;

  constructor(
    private readonly source: Source,
    private readonly receiver: Receiver,
    private readonly isStrict: boolean,
  ) {
    this.model = receiver.model.name;
  }

  async run(list: RefusedFile, onStored: (documents: number) => void): Promise<void> {
    const flush = async (): Promise<void> => {
      const refused = await this.#flush();
      await list.add(refused.map(({ line, path, reason }) => ({ file: this.source.file, line, path, reason })));
      onStored(this.#stored);
    };
    for await (const record of this.#records()) {
      const item = this.#itemOf(record);
      if ('reason' in item) this.#refused.push(item);
      else {
        // the second of two records with one key changes the document of the first
        const key = String(Object.values(item.key).map(String));
        if (this.#keys.has(key)) await flush();
        this.#items.push(item);
        this.#keys.add(key);
      }
      if (this.#isFull()) await flush();
      if (this.isStrict && this.#refused.length + list.count > 0) break;
    }
    await flush();
  }

  /** Writes what has been read. @returns the records that are refused, in their order; with `strict` only the first */
  async #flush(): Promise<readonly RefusedLine[]> {
    const items = this.#items;
    const refused = [...(await this.receiver.write(items)), ...this.#refused];
    refused.sort((one, other) => one.line - other.line);
    const [first] = this.isStrict ? refused : [];
    const written = first === undefined ? items : items.filter(({ line }) => line < first.line);
    const lines = new Set(refused.map(({ line }) => line));
    this.#stored += written.filter(({ line }) => !lines.has(line)).length;
    this.#begin();
    return first === undefined ? refused : [first];
  }

  #begin(): void {
    this.#items = [];
    this.#refused = [];
    this.#keys = new Set();
    this.#characters = 0;
  }

  #isFull(): boolean {
    const { records, characters } = this.receiver.maxBatch;
    return this.#items.length + this.#refused.length >= records || this.#characters >= characters;
  }

  /** @throws Error naming the file that can't be read */
  async *#records(): AsyncGenerator<FileRecord<string | Cells>, void, void> {
    try {
      yield* this.source.records();
    } catch (error) {
      const { path, reason } = reasonOf(error);
      throw new Error(`${this.source.file}: ${path === '' ? '' : `${path}: `}${reason}`, { cause: error });
    }
  }

  #itemOf(record: FileRecord<string | Cells>): Item | RefusedLine {
    const { line } = record;
    if (record.fault !== undefined) return { line, path: '', reason: `the record ${record.fault}` };
    const { content } = record;
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    this.#characters += text.length;
    try {
      const parsed = typeof content === 'string' ? documentIn(content) : valuesOf(content, this.receiver.model);
      return this.#keyed(line, parsed, text);
    } catch (error) {
      return { line, ...reasonOf(error) };
    }
  }

  #keyed(line: number, parsed: Row, text: string): Item {
    const { model, index } = this.receiver;
    const _id = this.receiver.idOf(parsed['_id'], line, text);
    const given = _id === undefined ? parsed : { ...parsed, _id };
    if (index === undefined) return { line, given, key: this.receiver.keyOf(_id, line) };
    const found = keyIn(model, index, given);
    if (found.faults !== undefined) throw validationFailed(found.faults);
    return { line, given, key: found.key };
  }
}

const maxBatch = { records: 1000, characters: 4 * 1024 * 1024 };

/** Writes into the database of this process, as the operator. @throws Error for a model that does not exist */
function databaseReceiver(
  services: Services,
  source: Source,
  { on, raw, strict, callsChanged }: ImportOptions,
): Receiver {
  const model = modelFor(services.registry, source);
  const actor = operatorOn(services, model);
  const batches: Batches = {
    actor,
    index: indexOf(model, on),
    isExact: source.isExport,
    isRaw: raw,
    isStrict: strict,
    skipsReactions: callsChanged !== true,
  };
  return {
    model,
    index: batches.index,
    maxBatch,
    idOf(given, line, text) {
      if (given === undefined && source.isExport) throw new Error('the record has no _id');
      return given === undefined ? newId(model, line, text) : given;
    },
    keyOf: (id) => idKey(model, id, raw),
    write: (items) => writeBatch(batches, items),
  };
}

/** @throws Error naming the file, for a model that does not exist or is the server's own */
export function modelFor(registry: Registry, { file, model }: Source): ModelEntry {
  const found = registry.served.find(({ name }) => name === model.toLowerCase());
  if (found !== undefined) return found;
  const names = registry.served.map(({ name }) => name);
  throw new Error(`${file}: no model is named ${JSON.stringify(model)}; there are ${names.join(', ')}`);
}

/** @param on the fields that `--on` names @throws 400 that lists the unique indexes, where they are none */
export function indexOf(model: ModelEntry, on: readonly string[]): UniqueIndex | undefined {
  if (on.length === 0 || String(on) === '_id') return undefined;
  return uniqueIndexOn(model, policyFor(operator, model).view, on);
}

function documentIn(text: string): Row {
  try {
    return parseDocument(text);
  } catch (error) {
    if (error instanceof Error && error.cause instanceof Failure) throw error.cause;
    throw new Error(`the record ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** The values of cells. Those of lists, maps and objects are JSON; the schema casts all others. @throws 400 naming the path */
function valuesOf(cells: Cells, { schema, links }: Pick<ModelEntry, 'schema' | 'links'>): Row {
  const texts = new Set(links.flatMap(({ path, asText }) => (asText ? [path] : [])));
  return Object.fromEntries(
    Object.entries(cells).map(([path, cell]) => {
      const type = typeAt(schema, path);
      const isJson = /^[[{]/.test(cell);
      if (texts.has(path) && !isJson) return [path, objectIdCell(path, cell) ?? cell];
      if (type.kind === 'leaf' && !type.array) return [path, type.field.type?.readCell?.(path, cell) ?? cell];
      return [path, isJson ? jsonCell(path, cell) : cell];
    }),
  );
}

function jsonCell(path: string, cell: string): unknown {
  try {
    return parseValue(cell);
  } catch (error) {
    throw badValue(path, 'JSON', error instanceof Error ? error.message : String(error));
  }
}
