/** The options that a model file may set beside Mongoose's own: one row each, with its check and its default. */
import { type CallableStatics, type CallRule, readStatics } from './callable.ts';
import { readDuration } from './durations.ts';
import { readPerms, type RoleLetters, type RoleRights } from './permissions.ts';

/** Query limits that a model overrides. */
export interface ModelQueryLimits {
  readonly large_collection_threshold?: number;
  readonly max?: number;
  readonly default?: number;
}

/** What a model file may set; everything is optional. */
export interface ModelFileOptions {
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
  /** true, or how long entries are kept, such as `{ keep: '90d', min: 5 }`: each write leaves an entry in the history of its document. */
  history?: boolean | HistoryRule;
  /** How long after their deletion soft-deleted documents are removed permanently, such as `30d`. */
  trash?: string;
  /** true: each write of a document is a record of the audit log. */
  audit?: boolean;
}

/** Which entries of a history are kept. */
interface HistoryRule {
  /** How long, such as `90d`; without it, for as long as the document exists. */
  readonly keep?: string;
  /** The number of the newest entries of each document that are kept in any case; 1 by default. */
  readonly min?: number;
}

/** The same, read: `keepMs` is undefined where entries are kept without a limit. */
interface KeptHistory {
  readonly keepMs: number | undefined;
  readonly min: number;
}

/** The same, checked and complete. */
export interface ModelOptions {
  readonly perms: ReadonlyMap<string, RoleLetters>;
  readonly callable_statics: ReadonlyMap<string, CallRule>;
  readonly query_limits: ModelQueryLimits;
  readonly advanced_queries: { readonly query: boolean; readonly aggregate: boolean; readonly bulkwrite: boolean };
  readonly cache: boolean;
  readonly internal: boolean;
  /** Undefined where the schema decides. */
  readonly save_on_put: boolean | undefined;
  readonly check_links: boolean;
  readonly on_referenced_delete: 'keep' | 'refuse';
  /** Undefined for a model without history. */
  readonly history: KeptHistory | undefined;
  /** Milliseconds after their deletion until documents are removed; undefined where they stay. */
  readonly trash: number | undefined;
  readonly audit: boolean;
}

type Reader<K extends keyof ModelOptions> = (value: unknown, statics: ReadonlySet<string>) => ModelOptions[K];

/** Option → how its value is checked, and what it means. The documentation prints this table. */
export const optionRows: {
  readonly [K in keyof ModelOptions]: { readonly read: Reader<K>; readonly meaning: string };
} = {
  perms: {
    read: readPerms,
    meaning: 'Role → letters of crud, for all rows or for some; without it the model is for admins only',
  },
  callable_statics: {
    read: readStatics,
    meaning: 'Statics that /call may run, with the letter that each needs, and on what',
  },
  query_limits: { read: readLimits, meaning: 'Overrides of large_collection_threshold, max and default' },
  advanced_queries: {
    read: readQuerySwitches,
    meaning: 'Switches for query (true), aggregate (true) and bulkwrite (false)',
  },
  cache: { read: (value) => readSwitch('cache', value, true), meaning: 'false keeps answers out of the cache' },
  internal: { read: (value) => readSwitch('internal', value, false), meaning: 'true: never served' },
  save_on_put: {
    read: (value) => (value === undefined ? undefined : readSwitch('save_on_put', value, false)),
    meaning:
      'Whether changes load and save, as /update does; without it, where middleware or a rule reads the document',
  },
  check_links: {
    read: (value) => readSwitch('check_links', value, false),
    meaning: 'true: links to missing or deleted documents are refused',
  },
  on_referenced_delete: { read: readReferenced, meaning: 'refuse: a document that others link to cannot be deleted' },
  history: {
    read: readHistory,
    meaning: 'true, or { keep, min }: each write leaves an entry in the history of its document',
  },
  trash: {
    read: (value) => (value === undefined ? undefined : readDuration('trash', value)),
    meaning: 'How long after their deletion soft-deleted documents are removed permanently, such as 30d',
  },
  audit: {
    read: (value) => readSwitch('audit', value, false),
    meaning: 'true: each write of a document is a record of the audit log',
  },
};

/**
 * Checks a schema's options.
 * @throws Error with a sentence that names the option
 */
export function readOptions(given: Readonly<Record<string, unknown>>, statics: ReadonlySet<string>): ModelOptions {
  const read = <K extends keyof ModelOptions>(name: K): ModelOptions[K] => optionRows[name].read(given[name], statics);
  return Object.freeze({
    perms: read('perms'),
    callable_statics: read('callable_statics'),
    query_limits: read('query_limits'),
    advanced_queries: read('advanced_queries'),
    cache: read('cache'),
    internal: read('internal'),
    save_on_put: read('save_on_put'),
    check_links: read('check_links'),
    on_referenced_delete: read('on_referenced_delete'),
    history: read('history'),
    trash: read('trash'),
    audit: read('audit'),
  });
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

function readQuerySwitches(value: unknown): ModelOptions['advanced_queries'] {
  const switches = { query: true, aggregate: true, bulkwrite: false };
  for (const [name, open] of value === undefined ? [] : entriesOf('advanced_queries', value)) {
    if (!(name in switches))
      throw new Error(`advanced_queries.${name} is unknown; there are ${Object.keys(switches).join(', ')}`);
    switches[name as keyof typeof switches] = readSwitch(`advanced_queries.${name}`, open, false);
  }
  return Object.freeze(switches);
}

function readSwitch(name: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (typeof value !== 'boolean') throw new Error(`${name} must be true or false`);
  return value;
}

function readReferenced(value: unknown): ModelOptions['on_referenced_delete'] {
  if (value === undefined) return 'keep';
  if (value !== 'keep' && value !== 'refuse')
    throw new Error(`on_referenced_delete must be "keep" or "refuse", got ${JSON.stringify(value)}`);
  return value;
}

const maxKept = 10_000;

function readHistory(value: unknown): KeptHistory | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true) return Object.freeze({ keepMs: undefined, min: 1 });
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`history must be true, false or { keep, min }, got ${JSON.stringify(value)}`);
  const { keep, min = 1, ...others } = value as Readonly<Record<string, unknown>>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`history.${unknown} is unknown; there are keep, min`);
  if (!Number.isSafeInteger(min) || (min as number) < 1 || (min as number) > maxKept)
    throw new Error(`history.min must be a whole number from 1 to ${maxKept}, got ${JSON.stringify(min)}`);
  const keepMs = keep === undefined ? undefined : readDuration('history.keep', keep);
  return Object.freeze({ keepMs, min: min as number });
}
