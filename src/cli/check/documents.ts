/** Checks the stored documents of a model in batches: whether they fit their schema as they are stored, and whether their links point to documents. */
import type { Link, ModelEntry } from '../../models/entry.ts';
import { idFrom, idText, type IdType } from '../../models/fields/id-types.ts';
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import type { Names } from '../../models/fields/names.ts';
import { isPosition, typeAt } from '../../models/fields/path-type.ts';
import { stampPaths } from '../../models/loading/base.ts';
import { modelOf, MongooseError, type Row } from '../../models/mongoose.ts';
import { otherHashFault } from '../../models/password-hashes.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import type { Registry } from '../../models/registry.ts';
import type { Filter } from '../../query/filter.ts';
import { nearestName } from '../../text/nearest.ts';
import { type Fault, Tally } from './faults.ts';
import { deviations } from './stored-types.ts';

const batchSize = 500;

/**
 * @param onProgress receives the number of documents so far
 * @returns the faults and notices, counted by path and reason
 */
export async function documentFaults(
  entry: ModelEntry,
  registry: Registry,
  onProgress: (documents: number) => void,
): Promise<readonly Fault[]> {
  const tally = new Tally(entry.name);
  let documents = 0;
  let batch: Row[] = [];
  const checkBatch = async (): Promise<void> => {
    for (const row of batch) await checkFit(entry, row, tally, checkStored(entry, row, tally));
    for (const link of entry.links) await checkLink(link, registry, batch, tally);
    onProgress((documents += batch.length));
    batch = [];
  };
  for await (const row of modelOf(entry).collection.find({}, { batchSize })) {
    batch.push(row);
    if (batch.length === batchSize) await checkBatch();
  }
  await checkBatch();
  return tally.faults;
}

/** The server sets these, and takes a document without one as if it had the default. */
const stamps: ReadonlySet<string> = new Set(stampPaths);

/**
 * Compares a document with the schema as it is stored. Mongoose would cast `"31"` to a number, add defaults and drop unknown paths.
 * @returns the paths of wrong types
 */
function checkStored(entry: ModelEntry, row: Row, tally: Tally): ReadonlySet<string> {
  const id = String(row['_id']);
  const { schema } = entry;
  for (const found of unknownPaths(row, schema.storedNames))
    tally.add('unknown', { path: found.path, message: () => unknownReason(entry, found) }, id);
  const wrong = new Set<string>();
  for (const { kind, path, message } of deviations(row, schema, stamps)) {
    if (kind === 'type') wrong.add(path);
    tally.add(kind === 'type' ? 'document' : 'default', { path, message }, id);
  }
  const { password } = entry.name === 'user' ? row : {};
  const fault = typeof password === 'string' ? otherHashFault(password) : undefined;
  if (fault !== undefined) tally.add('document', { path: 'password', message: fault }, id);
  return wrong;
}

function unknownReason(entry: ModelEntry, { path, prefix, name, known }: Unknown): string {
  const aliases = entry.schema.aliases;
  if (Object.hasOwn(aliases, path)) return `not in the schema, where it is an alias of ${aliases[path] ?? ''}`;
  const near = nearestName(
    name,
    [...known].filter((one) => !entry.ownPaths.includes(one)),
  );
  return near === undefined ? 'not in the schema' : `not in the schema, whose nearest name is ${prefix}${near}`;
}

/**
 * Casts and validates a stored document. The model's middleware does not run, because it may write.
 * @param wrong paths whose types are reported already
 */
async function checkFit(entry: ModelEntry, row: Row, tally: Tally, wrong: ReadonlySet<string>): Promise<void> {
  const id = String(row['_id']);
  try {
    await modelOf(entry).hydrate(row).validate({ middleware: false });
  } catch (error) {
    if (!(error instanceof MongooseError.ValidationError))
      return tally.add('document', { path: '_id', message: `cannot be checked: ${nameOf(error)}` }, id);
    for (const [at, { kind, name }] of Object.entries(error.errors)) {
      const path = withoutPositions(entry, at);
      if ((name === 'CastError' || kind === 'cast') && isBelow(path, wrong)) continue;
      tally.add('document', { path, message: reasonOf(name, kind) }, id);
    }
  }
}

/** Without the value, which differs between documents and may be secret. */
const reasonOf = (name: string, kind: string): string =>
  name === 'CastError' ? `is not of type ${kind}` : `does not fit the schema (${kind})`;

/** The name of an error, whose message may have values of the document. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Whether a path or one above it is among others. */
const isBelow = (path: string, others: ReadonlySet<string>): boolean =>
  [...others].some((other) => path === other || path.startsWith(`${other}.`));

/** A path of an error without positions in lists, and with `$*` for the keys of maps, which may be many. */
function withoutPositions({ schema }: ModelEntry, path: string): string {
  const parts = path.split('.');
  const named = parts.map((part, at) => (isInMap(schema, parts.slice(0, at).join('.')) ? '$*' : part));
  return named.filter((part, at) => at === 0 || !isPosition(part)).join('.');
}

function isInMap(schema: ModelSchema, above: string): boolean {
  const type = above === '' ? undefined : typeAt(schema, above);
  return type?.kind === 'mixed' && type.map;
}

/** Looks up the ids that a batch has at a link, by one query. */
async function checkLink(
  { path, model, stamp, asText }: Link,
  registry: Registry,
  batch: readonly Row[],
  tally: Tally,
): Promise<void> {
  if (stamp) return;
  const target = registry.internal(model);
  const { idType } = target;
  const linked = batch.map((row) => ({ row, ids: idsAt(row, path.split('.'), { idType, asText }) }));
  const ids = [
    ...new Map(linked.flatMap((one) => one.ids).map((id) => [idText(idType, id), idFrom(idType, id)])).values(),
  ];
  if (ids.length === 0) return;
  const found = modelOf(target).collection.find({ _id: { $in: ids } } as Filter, { projection: { _id: 1 } });
  const there = new Set<string | undefined>();
  for await (const { _id } of found) there.add(idText(idType, _id));
  for (const { row, ids: own } of linked)
    if (own.some((id) => !there.has(idText(idType, id))))
      tally.add('link', { path, message: `points to a missing ${model}` }, String(row['_id']));
}

/** The stored ids of a type at a path, in nested documents and lists too. */
function idsAt(value: unknown, path: readonly string[], type: StoredType): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((member) => idsAt(member, path, type));
  const [name, ...rest] = path;
  if (name === undefined) return isStoredId(type, value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  // the members of a Map
  if (name === '$*') return Object.values(value).flatMap((member) => idsAt(member, rest, type));
  return Object.hasOwn(value, name) ? idsAt((value as Row)[name], rest, type) : [];
}

/** How a link's path has the ids of a type. */
interface StoredType extends Pick<Link, 'asText'> {
  readonly idType: IdType;
}

/** Whether a value is an id as the database stores it; a text is none of another type. */
const isStoredId = ({ idType, asText }: StoredType, value: unknown): boolean =>
  (typeof value === 'string') === (asText || idType.name === 'String') && idFrom(idType, value) !== undefined;

type Json = Readonly<Record<string, unknown>>;

/** An unknown path. */
interface Unknown {
  /** Without positions in lists; `$*` stands for the keys of a map. */
  readonly path: string;
  /** The path of the object that has it, with a dot at its end; empty at the top. */
  readonly prefix: string;
  readonly name: string;
  /** The names that the schema has there. */
  readonly known: Iterable<string>;
}

/** The unknown paths of a stored value. What is below an unknown path is not looked at. */
function* unknownPaths(value: unknown, names: Names, prefix = ''): Generator<Unknown, void, void> {
  if (names === 'any') return;
  if (Array.isArray(value)) {
    for (const member of value) yield* unknownPaths(member, names, prefix);
    return;
  }
  // an object in the place of a plain value is a wrong type, and a path of its own
  if (!isPlainObject(value)) return;
  const { inValues, kinds } = names;
  if (inValues !== undefined) {
    for (const member of Object.values(value)) yield* unknownPaths(member, inValues, `${prefix}$*.`);
    return;
  }
  const own = kinds === undefined ? names : (kinds.byValue.get(value[kinds.key]) ?? kinds.base);
  if (own === 'any' || own.byName.size === 0) return;
  yield* unknownIn(value, own.byName, prefix);
}

function* unknownIn(value: Json, byName: ReadonlyMap<string, Names>, prefix: string): Generator<Unknown, void, void> {
  for (const [name, member] of Object.entries(value)) {
    const below = byName.get(name);
    if (below === undefined) yield { path: prefix + name, prefix, name, known: byName.keys() };
    else yield* unknownPaths(member, below, `${prefix}${name}.`);
  }
}
