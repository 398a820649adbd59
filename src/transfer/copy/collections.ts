/** The collections and views of a database, and how a copy makes them in another one. */
import { mongo, type Row } from '../../models/mongoose.ts';
import { markName } from './mark.ts';
import type { Database } from './place.ts';

/** A collection or a view, with the options that a copy keeps. */
export interface Described {
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
export async function collectionsOf(database: Database): Promise<readonly Described[]> {
  const found: Described[] = [];
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
export async function create(target: Database, { name, options }: Described): Promise<void> {
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
