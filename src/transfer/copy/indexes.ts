/** Copies the indexes of a collection. */
import type { Row } from '../../models/mongoose.ts';
import type { Database } from './place.ts';

type Collection = ReturnType<Database['collection']>;

/** An index as `listIndexes` describes it. */
type Described = Readonly<Row> & { readonly name: string; readonly key: Readonly<Row> };

/** What an engine adds to the description of an index. */
const engineFields: ReadonlySet<string> = new Set([
  ...[
    'v',
    'ns',
    'background',
    'textIndexVersion',
    '2dsphereIndexVersion',
    'language_override_',
    'prepareUnique',
    'storageEngine',
  ],
]);

/** The indexes besides that of `_id`. */
const indexesOf = async (collection: Collection): Promise<readonly Described[]> =>
  ((await collection.listIndexes().toArray()) as Described[]).filter(({ name }) => name !== '_id_');

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
function keysOf({ key, weights }: Described): Row {
  const fields = Object.entries(key).flatMap(([path, kind]): [string, unknown][] => {
    if (path === '_ftsx') return [];
    if (path !== '_fts') return [[path, kind]];
    return Object.keys((weights ?? {}) as Row).map((field) => [field, 'text']);
  });
  return Object.fromEntries(fields);
}

const compared = ['unique', 'sparse', 'expireAfterSeconds'] as const;

/** What of an index must be equal on both sides. */
const summary = (index: Described): string =>
  JSON.stringify([index.name, keysOf(index), ...compared.map((option) => Number(index[option] ?? 0))]);

async function checkIndexes(wanted: readonly Described[], target: Collection): Promise<void> {
  const found = new Set((await indexesOf(target)).map(summary));
  const missing = wanted.find((index) => !found.has(summary(index)));
  if (missing !== undefined)
    throw new Error(`${target.collectionName}: the index ${missing.name} is not as in the source`);
}
