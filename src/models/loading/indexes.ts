/** The collections and indexes that models declare. */
import type { IndexDefinition, IndexOptions, mongo as driver, Schema } from 'mongoose';
import { Semaphore } from '../../async/semaphore.ts';
import { type ModelEntry, mongooseModel } from '../entry.ts';
import { kindsOf, modelOf, mongo } from '../mongoose.ts';
import { ModelFaults, type ModelFileError, modelFileError } from './files.ts';

const collectionExists = 48;
/** The codes of an index that the collection has with other options. */
const otherOptions: ReadonlySet<unknown> = new Set([85, 86]);
/** The code of an index of a view. */
const onView = 166;
/** The code of an index that the embedded store does not support. */
const commandNotSupported = 115;

/** Models whose collections are prepared at the same time: a start has two connections from the beginning. */
const maxModelsAtOnce = 2;

/**
 * Creates the collections and indexes that the models declare; existing indexes are unchanged. A model takes two commands, a
 * built-in one a single command, and discriminators one for each index.
 * @throws ModelFileError naming each model whose collection or index the database refuses, or whose collection exists with
 * another collation
 * @returns a warning for each model with geospatial indexes, where the database has none: they are left out
 */
export async function createIndexes(entries: readonly ModelEntry[]): Promise<readonly string[]> {
  const semaphore = new Semaphore({ permits: maxModelsAtOnce });
  const results = await Promise.allSettled(entries.map((entry) => semaphore.run(undefined, () => prepare(entry))));
  const faults = new ModelFaults();
  for (const result of results) if (result.status === 'rejected') faults.add(result.reason);
  faults.throwAny();
  return results.flatMap((result) => (result.status === 'fulfilled' ? (result.value ?? []) : []));
}

async function prepare(entry: ModelEntry): Promise<string | undefined> {
  const model = modelOf(entry);
  const refused = async (error: unknown): Promise<never> => {
    if (!(error instanceof mongo.MongoServerError)) throw error;
    if (error.code === onView) throw viewFault(entry, error);
    const changed = otherOptions.has(error.code) ? await changedIndexes(entry) : [];
    const drop = changed.map((name) => `dossier indexes --drop ${entry.name}.${name}`).join(', ');
    const reason =
      changed.length === 0
        ? error.message
        : `${changed.join(', ')} has other options than in the schema, and a start replaces no index: drop it (${drop}), and start again`;
    throw modelFileError(entry.file ?? entry.name, `collection ${entry.collection}: ${reason}`, error);
  };
  const indexes = indexesOf(entry);
  // the collection of a built-in model has no options, and the command that creates its indexes creates it
  if (entry.file !== undefined || indexes.length === 0)
    await model.createCollection().catch(async (error: unknown) => {
      if (!(error instanceof mongo.MongoServerError) || error.code !== collectionExists) await refused(error);
    });
  await checkCollation(entry);
  const create = (all: readonly driver.IndexDescription[]): Promise<unknown> =>
    all.length === 0 ? Promise.resolve() : model.db.collection(entry.collection).createIndexes([...all]);
  const leftOut = await create(indexes)
    .then(() => [], withoutGeospatial)
    .catch(refused);
  for (const kind of kindsOf(model)) await kind.createIndexes().catch(refused);
  return leftOut.length === 0
    ? undefined
    : `${entry.name}: the database has no geospatial indexes, so that of ${leftOut.join(', ')} is not created, and conditions such as $near are refused`;

  /** Creates the other indexes. @returns the paths of those that are left out @throws the error where there are none */
  async function withoutGeospatial(error: unknown): Promise<readonly string[]> {
    const others = indexes.filter((index) => geospatialIn(index).length === 0);
    if (!isNotSupported(error) || others.length === indexes.length) throw error;
    await create(others);
    return indexes.flatMap(geospatialIn);
  }
}

/** A view takes neither indexes nor the documents that callers write. */
const viewFault = ({ file, name, collection }: ModelEntry, error: Error): ModelFileError =>
  modelFileError(
    file ?? name,
    `${collection} is a view of the database, and models are served from collections: $merge can store its documents in one, and a function of another model can read the view (docs/models.md)`,
    error,
  );

const isNotSupported = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && error.code === commandNotSupported;

const geospatialIn = ({ key }: { readonly key: object }): readonly string[] =>
  Object.entries(key).flatMap(([path, kind]) => (kind === '2dsphere' || kind === '2d' ? [path] : []));

/** The indexes of a schema, without its discriminators', as `Model.createIndexes` of Mongoose sends them, and each only once. */
function indexesOf({ schema: { collation, indexes } }: ModelEntry): driver.IndexDescription[] {
  const descriptions = (indexes as readonly [IndexDefinition, Declared][]).map(
    ([key, { _autoIndex, ...options }]: [IndexDefinition, Declared]) => {
      const isText = Object.values(key).includes('text');
      return {
        key,
        ...(collation === undefined || isText ? {} : { collation }),
        ...options,
      } as driver.IndexDescription;
    },
  );
  // a database refuses a command with equal indexes
  return [...new Map(descriptions.map((one) => [JSON.stringify(one), one])).values()];
}

/** Mongoose records where an index comes from. */
type Declared = IndexOptions & { readonly _autoIndex?: unknown };

/** An index that a model declares and its collection lacks. */
export interface MissingIndex {
  /** JSON of its keys. */
  readonly keys: string;
  /** Why the next start cannot create it; undefined where it can. */
  readonly obstacle: string | undefined;
  /** Whether the next start leaves it out, since the database has no geospatial indexes. */
  readonly isLeftOut: boolean;
}

/** The indexes that the model declares and its collection lacks; none where there is no collection yet. */
export async function missingIndexes(entry: ModelEntry): Promise<readonly MissingIndex[]> {
  const model = modelOf(entry);
  const [exists] = (await model.db.db?.listCollections({ name: entry.collection }).toArray()) ?? [];
  if (exists === undefined) return [];
  const models = [model, ...kindsOf(model)];
  const stored = await model.collection.indexes();
  const missing = await Promise.all(models.map((one) => one.diffIndexes()));
  const kept = stored.filter(({ name }) => missing.some(({ toDrop }) => !toDrop.includes(name)));
  const keys = [
    ...new Set(missing.flatMap(({ toCreate }) => toCreate.map((one: unknown) => JSON.stringify(one)))),
  ].filter((keysOfOne) => !isThereBySchema(entry, kept, keysOfOne));
  const declared = models.flatMap(({ schema }) => schema.indexes() as [IndexDefinition, Declared][]);
  return Promise.all(
    keys.map(async (one) => {
      const [fields, options] = declared.find(([given]) => JSON.stringify(given) === one) ?? [{}, {}];
      const isLeftOut = geospatialIn({ key: fields }).length > 0 && (await lacksGeospatial(entry));
      return { keys: one, obstacle: await obstacleTo(entry, stored, [fields, options]), isLeftOut };
    }),
  );
}

/** Whether the database refuses geospatial conditions; one with indexes for them finds that there is none. */
const lacksGeospatial = async (entry: ModelEntry): Promise<boolean> =>
  modelOf(entry)
    .collection.findOne({ place: { $near: [0, 0] } })
    .then(() => false, isNotSupported);

/** Whether an index is there with the schema's collation. Mongoose leaves that out where it looks for what is missing, and only there. */
const isThereBySchema = ({ schema }: ModelEntry, stored: readonly driver.IndexDescription[], keys: string): boolean =>
  schema.collation !== undefined &&
  stored.some(({ key, collation }) => JSON.stringify(key) === keys && isCollation(collation, schema.collation));

/** The names of the indexes that a collection has and neither the model nor its discriminators declare, `_id_` not included. */
export async function undeclaredIndexes(entry: ModelEntry): Promise<ReadonlySet<string>> {
  const model = modelOf(entry);
  const kinds = kindsOf(model);
  const namesIn = async (one: typeof model): Promise<readonly string[]> => (await one.diffIndexes()).toDrop as string[];
  const [own, ofKinds] = await Promise.all([namesIn(model), Promise.all(kinds.map(namesIn))]);
  if (kinds.length === 0) return new Set(own);
  // Mongoose compares without the conditions on the kind that it adds to these indexes
  const declared = new Set(kinds.flatMap(({ schema }) => schema.indexes().map(([fields]) => comparedKey(fields))));
  const stored = await model.collection.indexes();
  const kept = new Set(stored.filter(({ key }) => declared.has(comparedKey(key))).map(({ name }) => name));
  return new Set([...own, ...ofKinds.flat().filter((name) => !kept.has(name))]);
}

/** The fields of an index in their order; a collection has one text index. */
const comparedKey = (fields: object): string =>
  Object.values(fields).includes('text') ? 'text' : JSON.stringify(fields);

/** The names of the indexes whose paths a model declares with other options. */
async function changedIndexes(entry: ModelEntry): Promise<readonly string[]> {
  const model = modelOf(entry);
  const kept = [model, ...kindsOf(model)].flatMap(({ schema }) => schema.indexes());
  const declared = new Set(kept.map(([fields]) => comparedKey(fields)));
  const [undeclared, stored] = await Promise.all([undeclaredIndexes(entry), model.collection.indexes()]);
  return stored.flatMap(({ key, name = '' }) => (undeclared.has(name) && declared.has(comparedKey(key)) ? [name] : []));
}

/** What keeps a start from creating an index. */
async function obstacleTo(
  entry: ModelEntry,
  stored: readonly driver.IndexDescription[],
  [fields, options]: [IndexDefinition, Declared],
): Promise<string | undefined> {
  const isText = Object.values(fields).includes('text');
  if (stored.some(({ key }) => (isText ? '_fts' in key : JSON.stringify(key) === JSON.stringify(fields))))
    return 'the collection has one with other options, which the next start does not replace: drop that one';
  if (options.unique !== true) return undefined;
  return (await hasDuplicates(entry, Object.keys(fields), options))
    ? 'the next start cannot create it, because documents have equal values: change or remove them'
    : undefined;
}

/**
 * Whether documents that a unique index covers have equal values, as MongoDB's indexes have them: a missing value is null, also in a member
 * of a list, and an empty list at the end of a path is a value of its own. A sparse index has no member in which all fields are missing.
 */
async function hasDuplicates(entry: ModelEntry, paths: readonly string[], options: Declared): Promise<boolean> {
  const { partialFilterExpression: covered = {}, sparse, collation = entry.schema.collation } = options;
  const lists = [...new Set(paths.flatMap(prefixesOf))];
  const values = Object.fromEntries(paths.map((path, at) => [`v${at}`, { $ifNull: [`$${path}`, null] }]));
  const [found] = await modelOf(entry)
    .collection.aggregate(
      [
        { $match: covered },
        { $project: Object.fromEntries(paths.map((path) => [path, 1])) },
        ...lists.flatMap((path) => membersOf(path, paths.includes(path))),
        ...(sparse === true ? [{ $match: { $or: paths.map((path) => ({ [path]: { $exists: true } })) } }] : []),
        { $group: { _id: { ...values, of: '$_id' } } },
        { $group: { _id: Object.fromEntries(paths.map((_, at) => [`v${at}`, `$_id.v${at}`])), count: { $sum: 1 } } },
        { $match: { count: { $gt: 1 } } },
        { $limit: 1 },
      ],
      {
        allowDiskUse: true,
        ...(collation === undefined ? {} : { collation: collation }),
      },
    )
    .toArray();
  return found !== undefined;
}

/** Stages that make a row of each member of a list; an empty list at the end of a path leaves itself, elsewhere nothing. */
const membersOf = (path: string, isEnd: boolean): readonly object[] => [
  ...(isEnd ? [{ $set: { [path]: { $cond: [{ $eq: [`$${path}`, []] }, [[]], `$${path}`] } } }] : []),
  { $unwind: { path: `$${path}`, preserveNullAndEmptyArrays: true } },
];

/** A path with all that are above it, from the outermost on. */
const prefixesOf = (path: string): readonly string[] =>
  path.split('.').map((_, at, parts) => parts.slice(0, at + 1).join('.'));

/** Checks a collection's collation, which cannot be changed after its creation. */
async function checkCollation({ file, name, collection, schema, [mongooseModel]: model }: ModelEntry): Promise<void> {
  const requested = schema.collation;
  if (requested === undefined) return;
  const [found] = (await model.db.db?.listCollections({ name: collection }).toArray()) ?? [];
  const { collation = simple } = (found as { options?: CollectionOptions } | undefined)?.options ?? {};
  if (isCollation(collation, requested)) return;
  throw modelFileError(
    file ?? name,
    `collection ${collection} exists with the collation ${JSON.stringify(collation)}, which cannot be changed to the schema's ${JSON.stringify(requested)}; copy its documents into a new collection`,
  );
}

/** The comparison of databases where no collation is declared. */
const simple = { locale: 'simple' };

/** Whether a stored collation is the declared one. Databases store further options with their defaults. */
export function isCollation(stored: object = simple, declared: object = simple): boolean {
  const all = new Map<string, unknown>(Object.entries(stored));
  return Object.entries(declared).every(([option, value]) => all.get(option) === value);
}

interface CollectionOptions {
  readonly collation?: object;
}

/** The keys of indexes that the server has added, as JSON, by their schemas. */
const added = new WeakMap<object, Set<string>>();

/** Adds an index to those of a model file. A start builds it again, so no advice is to remove it. @param key the paths in their order */
export function addIndex(schema: Schema, key: Readonly<Record<string, 1 | -1>>): void {
  schema.index({ ...key });
  const keys = added.get(schema) ?? new Set();
  added.set(schema, keys.add(JSON.stringify(key)));
}

/** Whether the server has added the index with a key to a model. */
export const isAddedIndex = (entry: ModelEntry, key: object): boolean =>
  added.get(modelOf(entry).schema)?.has(JSON.stringify(key)) === true;
