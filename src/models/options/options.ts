/** The options of the core that a model file may set beside Mongoose's own: one row each, with its check and its default. */
import { type AddedOption, AddedValues } from './added-option.ts';
import { type CallableStatics, readStatics } from './callable.ts';
import { readColumns, readDisplaySwitch, readDisplayText, readTitle } from './display.ts';
import { readSwitch } from './durations.ts';
import { readPerms, type RoleRights } from './permissions.ts';

export interface ModelQueryLimits {
  readonly large_collection_threshold?: number;
  readonly max?: number;
  readonly default?: number;
}

/** What a model file may set, without the options of features; everything is optional. */
export interface CoreFileOptions {
  /** Role → letters of `crud`, each of which may be given for some rows only. Without it the model is for admins only. */
  perms?: Readonly<Record<string, RoleRights>>;
  /** Statics that `/call` may run: a list of names (each needs `c`), or name → letter, or `{ needs, on }`. */
  callable_statics?: CallableStatics;
  query_limits?: ModelQueryLimits;
  /** Switches of endpoints of the model: query and aggregate are open, bulkwrite is closed unless true. */
  advanced_queries?: { query?: boolean; aggregate?: boolean; bulkwrite?: boolean };
  /** false keeps this model's answers out of the cache. */
  cache?: boolean;
  /** true: never served. */
  internal?: boolean;
  /**
   * Whether changes load and save, as `/update` does, so that save middleware and all rules run. Without it, those of a model do that has
   * save middleware or a rule that reads the document.
   */
  save_on_put?: boolean;
  /** true: links to documents that do not exist or are deleted are refused. */
  check_links?: boolean;
  /** What happens to a deletion while other documents link to the document: they keep their links, or it is refused. */
  on_referenced_delete?: 'keep' | 'refuse';
  /** What the documents are called together, in the console and in OpenAPI. */
  label?: string;
  /** What they are, in the console and in OpenAPI. */
  description?: string;
  /** The heading below which the console lists the model. */
  group?: string;
  /** What the console shows before the label: an emoji, or the name of an icon. */
  icon?: string;
  /** true: the console does not list the model. It protects nothing. */
  hidden?: boolean;
  /** The columns that a table of the console has at first. */
  list?: readonly string[];
  /** The path of the text by which people know a document, such as the link of its row in the console. */
  title?: string;
}

type Reader = (value: unknown, statics: ReadonlySet<string>) => unknown;

/** Option → how its value is checked, and what it means. The documentation prints this table, and the options of features after it. */
export const optionRows = {
  perms: {
    read: readPerms,
    meaning: 'Role → letters of crud, for all rows or for some; without it the model is for admins only',
  },
  callable_statics: {
    read: readStatics,
    meaning: 'Statics that /call may run, with the letter that each needs, on what, and what describes them',
  },
  query_limits: { read: readLimits, meaning: 'Overrides of large_collection_threshold, max and default' },
  advanced_queries: {
    read: readQuerySwitches,
    meaning: 'Switches for query (true), aggregate (true) and bulkwrite (false)',
  },
  cache: {
    read: (value: unknown) => readSwitch('cache', value, true),
    meaning: 'false keeps answers out of the cache',
  },
  internal: { read: (value: unknown) => readSwitch('internal', value, false), meaning: 'true: never served' },
  save_on_put: {
    // undefined where the schema decides
    read: (value: unknown) => (value === undefined ? undefined : readSwitch('save_on_put', value, false)),
    meaning:
      'Whether changes load and save, as /update does; without it, where middleware or a rule reads the document',
  },
  check_links: {
    read: (value: unknown) => readSwitch('check_links', value, false),
    meaning: 'true: links to missing or deleted documents are refused',
  },
  on_referenced_delete: { read: readReferenced, meaning: 'refuse: a document that others link to cannot be deleted' },
  label: {
    read: (value: unknown) => readDisplayText('label', value),
    meaning: 'What the documents are called together, such as Tickets',
  },
  description: { read: (value: unknown) => readDisplayText('description', value), meaning: 'What the documents are' },
  group: {
    read: (value: unknown) => readDisplayText('group', value),
    meaning: 'The heading below which the console lists the model',
  },
  icon: {
    read: (value: unknown) => readDisplayText('icon', value),
    meaning: 'What the console shows before the label: an emoji, or the name of an icon',
  },
  hidden: {
    read: (value: unknown) => readDisplaySwitch('hidden', value) ?? false,
    meaning: 'true: the console does not list the model; it protects nothing',
  },
  list: { read: readColumns, meaning: 'The paths that are the columns of a table in the console at first' },
  title: { read: readTitle, meaning: 'The path of the text by which people know a document in the console' },
} as const satisfies Readonly<Record<string, { readonly read: Reader; readonly meaning: string }>>;

/** What a model file has set, checked and complete. */
type CoreOptions = { readonly [K in keyof typeof optionRows]: ReturnType<(typeof optionRows)[K]['read']> };

/** The options of a model, with those of features. */
export interface ModelOptions extends CoreOptions {
  readonly added: AddedValues;
}

/** An option as the documentation lists it. */
export type ListedOption = Pick<AddedOption, 'name' | 'meaning'>;

/** The options of the core, then those of features. */
export const listedOptions = (added: readonly ListedOption[]): readonly ListedOption[] => [
  ...Object.entries(optionRows).map(([name, { meaning }]) => ({ name, meaning })),
  ...added,
];

/**
 * Checks a schema's options.
 * @throws Error with a sentence that names the option
 */
export function readOptions(
  given: Readonly<Record<string, unknown>>,
  statics: ReadonlySet<string>,
  added: readonly AddedOption[],
): ModelOptions {
  const rows = Object.entries<{ readonly read: Reader }>(optionRows);
  const core = Object.fromEntries(rows.map(([name, { read }]) => [name, read(given[name], statics)])) as CoreOptions;
  return Object.freeze({ ...core, added: new AddedValues(added, given, statics) });
}

function entriesOf(name: string, value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${name} must be an object`);
  return Object.entries(value);
}

function readLimits(value: unknown): ModelQueryLimits {
  const names = ['large_collection_threshold', 'max', 'default'];
  for (const [name, number] of value === undefined ? [] : entriesOf('query_limits', value)) {
    if (!names.includes(name)) throw new Error(`query_limits.${name} is unknown; there are ${names.join(', ')}`);
    if (!Number.isSafeInteger(number) || (number as number) < (name === 'large_collection_threshold' ? 0 : 1))
      throw new Error(`query_limits.${name} must be a whole number above 0`);
  }
  const limits: ModelQueryLimits = { ...(value as ModelQueryLimits | undefined) };
  if ((limits.default ?? 0) > (limits.max ?? Infinity))
    throw new Error('query_limits.default must not be above query_limits.max');
  return Object.freeze(limits);
}

function readQuerySwitches(value: unknown): Readonly<Record<'query' | 'aggregate' | 'bulkwrite', boolean>> {
  const switches = { query: true, aggregate: true, bulkwrite: false };
  for (const [name, open] of value === undefined ? [] : entriesOf('advanced_queries', value)) {
    if (!(name in switches))
      throw new Error(`advanced_queries.${name} is unknown; there are ${Object.keys(switches).join(', ')}`);
    switches[name as keyof typeof switches] = readSwitch(`advanced_queries.${name}`, open, false);
  }
  return Object.freeze(switches);
}

function readReferenced(value: unknown): 'keep' | 'refuse' {
  if (value === undefined) return 'keep';
  if (value !== 'keep' && value !== 'refuse')
    throw new Error(`on_referenced_delete must be "keep" or "refuse", got ${JSON.stringify(value)}`);
  return value;
}
