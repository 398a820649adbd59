/** Compiles sorts. */
import { Double } from 'bson';
import { dollarName, noTextScore, notSupported, StoreError } from '../errors.ts';
import type { Collation } from '../values/collation.ts';
import { isDoc } from '../values/kind.ts';
import { toDouble } from '../values/number.ts';
import { compare } from '../values/order.ts';
import { field } from '../values/path.ts';
import type { Doc, Value } from '../values/types.ts';
import { type Key, keyMaker, type Part } from './keys.ts';

/** One field of a sort. */
export interface SortField {
  readonly path: string;
  readonly direction: 1 | -1;
}

/** A compiled sort. */
export interface Sort {
  compare(a: Doc, b: Doc): number;
  /** The fields in order, without a text score. */
  readonly fields: readonly SortField[];
  /** The key by which a document is compared. Compute it once for a document that is compared often. */
  key(doc: Doc): Key;
  compareKeys(a: Key, b: Key): number;
}

/** The score of a document, for `{ $meta: 'textScore' }`. */
export type TextScore = (doc: Doc) => number;

interface Criterion {
  readonly path: string;
  readonly direction: 1 | -1;
  readonly byScore: boolean;
}

const maxFields = 32;

/**
 * Creates the order of a sort.
 * @throws StoreError 15974 or 15975 for an invalid direction
 */
export function compileSort(spec: Doc, collation?: Collation, textScore?: TextScore): Sort {
  const criteria = Object.entries(spec).map(([path, value]) => readCriterion(path, value));
  if (criteria.length > maxFields) throw new StoreError(13103, 'too many compound keys');
  const compareKeys = keyOrder(criteria, collation);
  const key = keysFor(criteria, compareKeys, textScore);
  return {
    fields: criteria.filter(({ byScore }) => !byScore).map(({ path, direction }) => ({ path, direction })),
    key,
    compareKeys,
    compare: (a, b) => compareKeys(key(a), key(b)),
  };
}

function readCriterion(path: string, value: Value): Criterion {
  if (isDoc(value)) return readMeta(path, value);
  const direction = toDouble(value);
  if (direction === undefined) throw new StoreError(15974, `Illegal key in $sort specification: ${path}`);
  const whole = Math.trunc(direction);
  if (whole !== 1 && whole !== -1) {
    throw new StoreError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
  }
  checkPath(path);
  return { path, direction: whole, byScore: false };
}

function readMeta(path: string, value: Doc): Criterion {
  const { $meta: meta } = value;
  if (Object.keys(value).length !== 1 || typeof meta !== 'string') {
    throw new StoreError(17312, '$meta is the only expression supported by $sort right now');
  }
  if (meta !== 'textScore') throw notSupported(`a sort by the metadata '${meta}'`);
  return { path, direction: -1, byScore: true };
}

function checkPath(path: string): void {
  if (path === '') throw new StoreError(40352, 'FieldPath cannot be constructed with empty string');
  if (path.startsWith('$')) {
    throw dollarName();
  }
  if (path.endsWith('.')) throw new StoreError(40353, `FieldPath must not end with a '.'.`);
  if (path.split('.').includes('')) throw new StoreError(15998, `FieldPath field names may not be empty strings.`);
}

function keyOrder(criteria: readonly Criterion[], collation: Collation | undefined): (a: Key, b: Key) => number {
  const directions = criteria.map(({ direction }) => direction);
  return (a, b) => {
    for (let at = 0; at < directions.length; at += 1) {
      const order = compareParts(a[at], b[at], collation);
      if (order !== 0) return directions[at] === 1 ? order : -order;
    }
    return 0;
  };
}

function compareParts(a: Part, b: Part, collation: Collation | undefined): number {
  if (typeof a === 'symbol') return beforeNull(b);
  if (typeof b === 'symbol') return -beforeNull(a);
  return compare(a, b, collation);
}

/** Compares an empty array to another value: it sorts after MinKey and before everything else. */
function beforeNull(other: Part): number {
  if (typeof other === 'symbol') return 0;
  return compare(other, null) < 0 ? 1 : -1;
}

function keysFor(
  criteria: readonly Criterion[],
  compareKeys: (a: Key, b: Key) => number,
  textScore: TextScore | undefined,
): (doc: Doc) => Key {
  const [only] = criteria;
  const paths = criteria.map(({ path, byScore }) => (byScore ? '' : path));
  const make = keyMaker(paths, compareKeys);
  if (criteria.some(({ byScore }) => byScore)) return withScore(criteria, make, textScore);
  if (only === undefined || criteria.length > 1 || only.path.includes('.')) return make;
  return (doc) => {
    const value = field(doc, only.path);
    return Array.isArray(value) ? make(doc) : [value];
  };
}

function withScore(
  criteria: readonly Criterion[],
  make: (doc: Doc) => Key,
  textScore: TextScore | undefined,
): (doc: Doc) => Key {
  if (textScore === undefined) throw noTextScore();
  return (doc) => {
    const score = new Double(textScore(doc));
    return make(doc).map((part, at) => (criteria[at]?.byScore === true ? score : part));
  };
}
