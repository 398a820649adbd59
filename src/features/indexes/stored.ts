/** The indexes of a collection, with their sizes and uses where the database reports them. */
import { type ModelEntry, modelOf, mongo } from '../../core.ts';
import { isCollation } from '../../models/loading/indexes.ts';
import type { IndexKey, StoredIndex } from './advice.ts';

interface Described {
  readonly name: string;
  readonly key: IndexKey;
  readonly unique?: boolean;
  readonly sparse?: boolean;
  readonly hidden?: boolean;
  readonly expireAfterSeconds?: number;
  readonly partialFilterExpression?: object;
  readonly collation?: object;
}

interface Used {
  readonly name: string;
  readonly accesses: { readonly ops: unknown; readonly since: Date };
}

/** MongoDB's NamespaceNotFound: of a collection without documents so far. */
const namespaceNotFound = 26;

/** What the database refuses or lacks is absent. @throws 503 of a database that does not respond */
async function where<T>(read: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof mongo.MongoServerError) return otherwise;
    throw error;
  }
}

/** @throws 503 and other failures of the database */
export async function storedIndexes(model: ModelEntry, maxTimeMS: number): Promise<readonly StoredIndex[]> {
  const { collection } = modelOf(model);
  const run = (stage: object): Promise<unknown[]> => where(collection.aggregate([stage], { maxTimeMS }).toArray(), []);
  const described = await listed(collection.listIndexes().toArray() as Promise<Described[]>);
  const used = usesOf((await run({ $indexStats: {} })) as Used[]);
  const [stats] = (await run({ $collStats: { storageStats: {} } })) as {
    readonly storageStats?: { readonly indexSizes?: Readonly<Record<string, number>> };
  }[];
  const sizes = stats?.storageStats?.indexSizes ?? {};
  return described.map(({ name, key, unique = name === '_id_', ...options }) => ({
    name,
    key,
    unique,
    expires: options.expireAfterSeconds !== undefined,
    isSpecial: isSpecial(options, model),
    ...(sizes[name] === undefined ? {} : { size: Number(sizes[name]) }),
    ...used.get(name),
  }));
}

const isSpecial = (options: Partial<Described>, { schema }: ModelEntry): boolean =>
  options.sparse === true ||
  options.hidden === true ||
  options.partialFilterExpression !== undefined ||
  !isCollation(options.collation, schema.collation);

async function listed(read: Promise<Described[]>): Promise<readonly Described[]> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof mongo.MongoServerError && error.code === namespaceNotFound) return [];
    throw error;
  }
}

/** The uses by the names of indexes; each member of a sharded cluster counts its own. */
function usesOf(rows: readonly Used[]): ReadonlyMap<string, { readonly uses: number; readonly since: Date }> {
  const all = new Map<string, { uses: number; since: Date }>();
  for (const { name, accesses } of rows) {
    const before = all.get(name);
    const uses = Number(accesses.ops) + (before?.uses ?? 0);
    const since = before !== undefined && before.since > accesses.since ? before.since : accesses.since;
    all.set(name, { uses, since });
  }
  return all;
}
