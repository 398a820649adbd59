/** Checks the stored documents of a model in batches: whether they fit their schema, and whether their links point to documents. */
import type { Link, ModelEntry } from '../../models/entry.ts';
import { modelOf, MongooseError, ObjectId, type Row } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import { type Fault, Tally } from './faults.ts';

const batchSize = 500;

/**
 * @param onProgress receives the number of documents so far
 * @returns the faults, counted by path and reason
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
    for (const row of batch) await checkFit(entry, row, tally);
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

/** Casts and validates a stored document. The model's middleware does not run, because it may write. */
async function checkFit(entry: ModelEntry, row: Row, tally: Tally): Promise<void> {
  const id = String(row['_id']);
  try {
    await modelOf(entry).hydrate(row).validate({ middleware: false });
  } catch (error) {
    if (!(error instanceof MongooseError.ValidationError))
      return tally.add(
        'document',
        '_id',
        `cannot be checked: ${error instanceof Error ? error.message : String(error)}`,
        id,
      );
    for (const [path, { kind, name }] of Object.entries(error.errors))
      tally.add('document', withoutPositions(path), reasonOf(name, kind), id);
  }
}

/** Without the value, which differs between documents and may be secret. */
const reasonOf = (name: string, kind: string): string =>
  name === 'CastError' ? `is not of type ${kind}` : `does not fit the schema (${kind})`;

const withoutPositions = (path: string): string => path.replace(/\.\d+(?=\.|$)/g, '');

/** Looks up the ids that a batch has at a link, by one query. */
async function checkLink(
  { path, model, stamp }: Link,
  registry: Registry,
  batch: readonly Row[],
  tally: Tally,
): Promise<void> {
  if (stamp) return;
  const linked = batch.map((row) => ({ row, ids: idsAt(row, path.split('.')) }));
  const ids = [...new Map(linked.flatMap((one) => one.ids).map((id) => [String(id), id])).values()];
  if (ids.length === 0) return;
  const found = modelOf(registry.internal(model)).collection.find({ _id: { $in: ids } }, { projection: { _id: 1 } });
  const there = new Set<string>();
  for await (const { _id } of found) there.add(String(_id));
  for (const { row, ids: own } of linked)
    if (own.some((id) => !there.has(String(id))))
      tally.add('link', path, `points to a missing ${model}`, String(row['_id']));
}

/** The ids at a path, in nested documents and lists too. */
function idsAt(value: unknown, path: readonly string[]): readonly ObjectId[] {
  if (Array.isArray(value)) return value.flatMap((member) => idsAt(member, path));
  const [name, ...rest] = path;
  if (name === undefined) return value instanceof ObjectId ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  // the members of a Map
  if (name === '$*') return Object.values(value).flatMap((member) => idsAt(member, rest));
  return Object.hasOwn(value, name) ? idsAt((value as Row)[name], rest) : [];
}
