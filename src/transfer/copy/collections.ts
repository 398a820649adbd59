/** The collections, views and indexes of a database, and how a copy makes them in another one. */
import { mongo, type Row } from '../../models/mongoose.ts';
import type { Collection } from '../stored-documents.ts';
import { markName } from './mark.ts';
import type { Database } from './place.ts';

/** A collection or a view, with the options that a copy keeps. */
export interface CollectionDescription {
  readonly name: string;
  readonly isView: boolean;
  readonly options: Readonly<Row>;
}

/** A collection as `listCollections` describes it. */
interface Listed {
  readonly name: string;
  readonly type?: string;
  readonly options?: Readonly<Row>;
}

/** The options that both the embedded store and MongoDB have. */
const keptOptions = [
  ...['collation', 'validator', 'validationLevel', 'validationAction', 'capped', 'size', 'max'],
  ...['changeStreamPreAndPostImages', 'viewOn', 'pipeline'],
];

/** @throws Error for a collection that could not be copied as it is */
export async function collectionsOf(database: Database): Promise<readonly CollectionDescription[]> {
  const found: CollectionDescription[] = [];
  for (const { name, type = 'collection', options = {} } of (await database
    .listCollections()
    .toArray()) as readonly Listed[]) {
    if (name.startsWith('system.') || name === markName) continue;
    if (type !== 'collection' && type !== 'view') throw new Error(`${name} is a ${type}, which cannot be copied`);
    const kept = Object.entries(options).filter(([option]) => keptOptions.includes(option));
    found.push({ name, isView: type === 'view', options: Object.fromEntries(kept) });
  }
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

const namespaceExists = 48;

/**
 * Makes a collection or view, unless a part of the copy has it.
 * @throws Error naming the options, where the target does not have one of them
 */
export async function create(target: Database, { name, options }: CollectionDescription): Promise<void> {
  try {
    await target.createCollection(name, options);
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError)) throw error;
    if (error.code === namespaceExists) return;
    const names = Object.keys(options).join(', ');
    throw names === ''
      ? error
      : new Error(`${name}: the target refuses a collection with ${names}: ${error.message}`, { cause: error });
  }
}

/** An index as `listIndexes` describes it. */
type Index = Readonly<Row> & { readonly name: string; readonly key: Readonly<Row> };

/** What an engine adds to the description of an index. */
const engineFields: ReadonlySet<string> = new Set([
  ...['v', 'ns', 'background', 'textIndexVersion', '2dsphereIndexVersion', 'prepareUnique', 'storageEngine'],
]);

/** The indexes besides that of `_id`. */
const indexesOf = async (collection: Collection): Promise<readonly Index[]> =>
  ((await collection.listIndexes().toArray()) as Index[]).filter(({ name }) => name !== '_id_');

/** Creates the indexes of one collection on another. @throws Error naming one that the target refuses */
export async function copyIndexes(source: Collection, target: Collection): Promise<number> {
  const wanted = await indexesOf(source);
  for (const index of wanted) {
    const { key, ...options } = index;
    const kept = Object.fromEntries(Object.entries(options).filter(([name]) => !engineFields.has(name)));
    try {
      await target.createIndex(keysOf(index) as Record<string, 1>, kept);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${source.collectionName}: the target refuses the index ${index.name}: ${reason}`, {
        cause: error,
      });
    }
  }
  await checkIndexes(wanted, target);
  return wanted.length;
}

/** The fields of an index. Those of a text index are described by their weights. */
function keysOf({ key, weights }: Index): Row {
  const fields = Object.entries(key).flatMap(([path, kind]): [string, unknown][] => {
    if (path === '_ftsx') return [];
    if (path !== '_fts') return [[path, kind]];
    return Object.keys((weights ?? {}) as Row).map((field) => [field, 'text']);
  });
  return Object.fromEntries(fields);
}

const compared = ['unique', 'sparse', 'expireAfterSeconds'] as const;

/** What of an index must be equal on both sides. */
const summary = (index: Index): string =>
  JSON.stringify([index.name, keysOf(index), ...compared.map((option) => Number(index[option] ?? 0))]);

async function checkIndexes(wanted: readonly Index[], target: Collection): Promise<void> {
  const found = new Set((await indexesOf(target)).map(summary));
  const missing = wanted.find((index) => !found.has(summary(index)));
  if (missing !== undefined)
    throw new Error(`${target.collectionName}: the index ${missing.name} is not as in the source`);
}
