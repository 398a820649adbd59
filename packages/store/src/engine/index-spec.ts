/** Parses index specifications: fields and options, checked as by `createIndexes`. */
import { notSupported, StoreError, unknownName } from 'dossier-language/errors';
import { weightsOf } from 'dossier-language/text';
import type { Doc, Value } from 'dossier-language/values';
import { type Collation, readCollation } from 'dossier-language/values';
import { equal } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';
import { toDouble } from 'dossier-language/values';

/** A parsed index specification. */
export interface IndexSpec {
  readonly name: string;
  readonly kind: 'tree' | 'text';
  /** `key` as given; `listIndexes` reports it. */
  readonly key: Doc;
  /** The fields of an ordinary index, with 1 or -1. */
  readonly fields: readonly { readonly path: string; readonly direction: 1 | -1 }[];
  readonly unique: boolean;
  readonly sparse: boolean;
  readonly hidden: boolean;
  readonly partial: Doc | undefined;
  readonly expireAfterSeconds: number | undefined;
  /** The collation of its strings; undefined compares bytes. */
  readonly collation: Collation | undefined;
  /** The whole specification as `listIndexes` reports it. */
  readonly shown: Doc;
}

/** Supported index options; true for those that have no effect here. */
const knownOptions: ReadonlyMap<string, boolean> = new Map([
  ['v', true],
  ['key', false],
  ['name', false],
  ['unique', false],
  ['sparse', false],
  ['hidden', false],
  ['background', true],
  ['partialFilterExpression', false],
  ['expireAfterSeconds', false],
  ['weights', false],
  ['default_language', false],
  ['language_override', false],
  ['textIndexVersion', false],
  ['collation', false],
  ['ns', true],
  ['prepareUnique', true],
]);

/** Index options that require a MongoDB server. */
const refusedOptions: ReadonlySet<string> = new Set([
  '2dsphereIndexVersion',
  'bits',
  'bucketSize',
  'clustered',
  'coarsestIndexedLevel',
  'columnstoreProjection',
  'finestIndexedLevel',
  'max',
  'min',
  'storageEngine',
  'wildcardProjection',
]);

const maxNameLength = 1500;
const maxFields = 32;
const maxExpirySeconds = 2_147_483_647;

/** The name of the `_id` index, which every collection has. */
export const idIndexName = '_id_';

/** The key of the `_id` index. */
export const idIndexKey: Doc = { _id: 1 };

/** The `_id` index. It has the collation of its collection. */
export const idIndexSpec = (collation: Collation | undefined): IndexSpec => ({
  ...readIndexSpec({ key: idIndexKey, name: idIndexName, ...(collation ? { collation: collation.shown } : {}) }),
  unique: true,
});

/** Parses one index of `createIndexes`. @throws StoreError with MongoDB's code for an invalid specification */
export function readIndexSpec(requested: Doc): IndexSpec {
  for (const name of Object.keys(requested)) {
    if (refusedOptions.has(name)) throw notSupported(`an index with the option '${name}'`);
    if (!knownOptions.has(name)) {
      throw unknownName(
        197,
        `The field '${name}' is not valid for an index specification. Specification: ${JSON.stringify(Object.keys(requested))}`,
      );
    }
  }
  const given = withoutNaN(requested);
  const { key } = given;
  if (!isDoc(key)) throw new StoreError(9, "The 'key' field for an index specification must be an object");
  const text = Object.values(key).includes('text') || key['_fts'] === 'text';
  const collation = collationOf(given);
  const spec = {
    name: nameOf(given, key),
    kind: text ? ('text' as const) : ('tree' as const),
    key: text ? textKey(key) : key,
    fields: text ? [] : fieldsOf(key),
    unique: flagOf(given, 'unique'),
    sparse: flagOf(given, 'sparse'),
    hidden: flagOf(given, 'hidden'),
    partial: partialOf(given),
    expireAfterSeconds: expiryOf(given, key, text),
    collation,
  };
  if (spec.partial !== undefined && spec.sparse) {
    throw new StoreError(67, 'cannot mix "partialFilterExpression" and "sparse" options');
  }
  return { ...spec, shown: shownOf({ ...given, collation: collation?.shown }, spec.name, key, text) };
}

function nameOf(given: Doc, key: Doc): string {
  const { name } = given;
  if (name === undefined)
    return Object.entries(key)
      .map(([path, direction]) => `${path}_${String(direction)}`)
      .join('_');
  if (typeof name !== 'string') throw new StoreError(14, "The field 'name' of an index must be a string");
  if (name === '' || name === '*' || name.length > maxNameLength)
    throw new StoreError(67, `The index name '${name}' is not valid`);
  return name;
}

function fieldsOf(key: Doc): IndexSpec['fields'] {
  const entries = Object.entries(key);
  if (entries.length === 0) throw new StoreError(67, 'Index keys cannot be an empty object');
  if (entries.length > maxFields)
    throw new StoreError(67, `an index must have at most ${maxFields} fields, got ${entries.length}`);
  return entries.map(([path, direction]) => {
    if (path === '' || path.startsWith('.') || path.endsWith('.') || path.includes('..')) {
      throw new StoreError(67, 'Index keys cannot contain an empty field.');
    }
    if (path.split('.').some((part) => part.startsWith('$'))) {
      if (path.includes('$**')) throw notSupported('a wildcard index');
      throw new StoreError(67, 'Index key contains an illegal field name: field name starts with $');
    }
    return { path, direction: directionOf(direction) };
  });
}

function directionOf(value: Value): 1 | -1 {
  if (typeof value === 'string') {
    if (value === 'hashed' || value === '2d' || value === '2dsphere') throw notSupported(`an index of type '${value}'`);
    throw unknownName(67, `Unknown index plugin '${value}'`);
  }
  const direction = toDouble(value);
  if (direction === undefined || Number.isNaN(direction) || direction === 0) {
    throw new StoreError(67, 'Values in the index key pattern must be numbers that are not 0, or strings');
  }
  return direction > 0 ? 1 : -1;
}

function flagOf(given: Doc, name: string): boolean {
  const value = given[name];
  if (value === undefined || value === null) return false;
  const number = toDouble(value);
  if (typeof value !== 'boolean' && number === undefined)
    throw new StoreError(14, `The field '${name}' must be a bool`);
  return typeof value === 'boolean' ? value : number !== 0;
}

function partialOf(given: Doc): Doc | undefined {
  const partial = given['partialFilterExpression'];
  if (partial === undefined) return undefined;
  if (!isDoc(partial)) throw new StoreError(14, "The field 'partialFilterExpression' must be an object");
  return partial;
}

/**
 * Replaces NaN by the maximum time, as MongoDB does since 5.0.14. With NaN the index would treat every date as expired
 * and remove all documents. It is not an error, because an existing data file may contain it.
 */
function withoutNaN(given: Doc): Doc {
  return Number.isNaN(toDouble(given['expireAfterSeconds']))
    ? { ...given, expireAfterSeconds: maxExpirySeconds }
    : given;
}

function expiryOf(given: Doc, key: Doc, text: boolean): number | undefined {
  const value = given['expireAfterSeconds'];
  if (value === undefined || value === null) return undefined;
  const seconds = toDouble(value);
  if (seconds === undefined) throw new StoreError(14, "The field 'expireAfterSeconds' must be a number");
  if (seconds < 0 || seconds > maxExpirySeconds)
    throw new StoreError(67, 'TTL index expireAfterSeconds is out of range');
  if (text || Object.keys(key).length !== 1)
    throw new StoreError(67, 'TTL indexes are single-field indexes, compound indexes do not support TTL');
  if (Object.hasOwn(key, '_id'))
    throw new StoreError(197, "The field 'expireAfterSeconds' is not valid for an _id index specification");
  return seconds;
}

/** @throws StoreError 2 or 14 for a collation that an index cannot have; errors of `readCollation` */
function collationOf(given: Doc): Collation | undefined {
  const requested = given['collation'];
  if (requested === undefined || requested === null) return undefined;
  if (!isDoc(requested)) throw new StoreError(14, "The field 'collation' of an index must be an object");
  if (Object.keys(requested).length === 0) throw new StoreError(2, "The field 'collation' cannot be an empty object.");
  return readCollation(requested);
}

/**
 * Parses an index from a data file. Earlier versions ignored the collation of an index, so the file may contain one
 * that is refused today: such an index compares bytes, as before.
 */
export function readStoredSpec(shown: Doc): IndexSpec {
  try {
    return readIndexSpec(shown);
  } catch (error) {
    if (shown['unique'] === true || shown['collation'] === undefined) throw error;
    return readIndexSpec({ ...shown, collation: { locale: 'simple' } });
  }
}

function shownOf(given: Doc, name: string, key: Doc, text: boolean): Doc {
  const shown: Record<string, Value> = { v: 2, key: text ? textKey(key) : key, name };
  for (const [option, value] of Object.entries(given)) {
    if (knownOptions.get(option) === false && !(option in shown) && value !== undefined) shown[option] = value;
  }
  if (!text) return shown;
  return {
    ...shown,
    weights: shownWeights(given, key),
    default_language: shown['default_language'] ?? 'english',
    language_override: shown['language_override'] ?? 'language',
    textIndexVersion: 3,
  };
}

/** The key with its text fields as `_fts` and `_ftsx`, as MongoDB reports them. */
function textKey(key: Doc): Doc {
  const shown: Record<string, Value> = {};
  for (const [path, direction] of Object.entries(key)) {
    if (direction === 'text' || path === '_fts') Object.assign(shown, { _fts: 'text', _ftsx: 1 });
    else shown[path] = direction;
  }
  return shown;
}

/** The weight of each text field, sorted by name. */
const shownWeights = (given: Doc, key: Doc): Doc =>
  Object.fromEntries([...weightsOf({ ...given, key })].sort(([a], [b]) => (a < b ? -1 : 1)));

/** Whether two keys have the same fields in the same order. */
export function sameKey(a: Doc, b: Doc): boolean {
  return equal(a, b) && Object.keys(a).join('\0') === Object.keys(b).join('\0');
}
