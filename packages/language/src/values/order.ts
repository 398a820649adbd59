/** BSON order over all types, and the equality that follows from it. */
import { Binary, BSONRegExp, BSONSymbol, Code, DBRef, Decimal128, Double, ObjectId, Timestamp } from 'bson';
import type { Collation } from './collation.ts';
import { compareDecimals, type DecimalParts, exactParts, partsOf } from './decimal.ts';
import { isDoc, rankOf } from './kind.ts';
import type { Doc, Value } from './types.ts';

export { keyOf } from './key.ts';

/** Compares two values: negative, 0 or positive. A missing value counts as null. */
export function compare(a: Value, b: Value, collation?: Collation): number {
  if (typeof a === 'string' && typeof b === 'string') return collation?.compare(a, b) ?? compareStrings(a, b);
  if (typeof a === 'number' && typeof b === 'number') return compareDoubles(a, b);
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime();
  if (a instanceof ObjectId && b instanceof ObjectId) return compareIds(a.id, b.id);
  const rank = rankOf(a);
  const difference = rank - rankOf(b);
  if (difference !== 0) return difference;
  return byRank.get(rank)?.(a, b, collation) ?? 0;
}

/**
 * Whether two values are equal. 1, 1.0 and a long 1 are equal; documents are equal only with their fields in the same
 * order.
 */
export function equal(a: Value, b: Value, collation?: Collation): boolean {
  return a === b || compare(a, b, collation) === 0;
}

/** Compares two strings by their UTF-8 bytes, which is the order of their code points. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) {
      const surrogates = Number(isSurrogate(left)) - Number(isSurrogate(right));
      return surrogates !== 0 && left >= 0xd800 && right >= 0xd800 ? surrogates : left - right;
    }
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

function compareDoubles(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) return 0;
  return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
}

/** Compares byte by byte, which is faster than a native call for so few. */
function compareIds(a: Uint8Array, b: Uint8Array): number {
  for (let at = 0; at < 12; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Compares two numbers of any type by their exact values. */
function compareNumbers(a: Value, b: Value): number {
  if (a instanceof Decimal128 || b instanceof Decimal128) return compareDecimals(decimalOf(a), decimalOf(b));
  const left = plainNumber(a);
  const right = plainNumber(b);
  if (typeof left === 'number' && typeof right === 'number') return compareDoubles(left, right);
  if (left < right) return -1;
  if (left > right) return 1;
  return Number(Number.isNaN(right)) - Number(Number.isNaN(left));
}

const decimalOf = (value: Value): DecimalParts =>
  value instanceof Decimal128 ? partsOf(value) : exactParts(plainNumber(value));

function plainNumber(value: Value): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return value instanceof Double ? value.value : NaN;
}

/** Documents are compared field by field: first the type, then the name, then the value. */
function compareDocs(a: Value, b: Value, collation?: Collation): number {
  if (!isDoc(a) || !isDoc(b)) return 0;
  const left = namesOf(a);
  const right = namesOf(b);
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const leftName = left[at] ?? '';
    const rightName = right[at] ?? '';
    const difference =
      rankOf(a[leftName]) - rankOf(b[rightName]) ||
      compareStrings(leftName, rightName) ||
      compare(a[leftName], b[rightName], collation);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

const namesOf = (doc: Doc): readonly string[] => {
  const names = Object.keys(doc);
  return names.some((name) => doc[name] === undefined) ? names.filter((name) => doc[name] !== undefined) : names;
};

function compareArrays(a: Value, b: Value, collation?: Collation): number {
  if (!Array.isArray(a) || !Array.isArray(b)) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const difference = compare(a[at], b[at], collation);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Binary values are compared by length, then by subtype, then byte by byte. */
function compareBinaries(a: Value, b: Value): number {
  if (!(a instanceof Binary) || !(b instanceof Binary)) return 0;
  return a.position - b.position || a.sub_type - b.sub_type || Buffer.compare(a.value(), b.value());
}

function compareRegexes(a: Value, b: Value): number {
  if (!(a instanceof BSONRegExp) || !(b instanceof BSONRegExp)) return 0;
  return compareStrings(a.pattern, b.pattern) || compareStrings(a.options, b.options);
}

function comparePointers(a: Value, b: Value): number {
  if (!(a instanceof DBRef) || !(b instanceof DBRef)) return 0;
  return compareStrings(a.collection, b.collection) || Buffer.compare(a.oid.id, b.oid.id);
}

function compareCodes(a: Value, b: Value, collation?: Collation): number {
  if (!(a instanceof Code) || !(b instanceof Code)) return 0;
  return compareStrings(String(a.code), String(b.code)) || compareDocs(scopeOf(a), scopeOf(b), collation);
}

/** The scope of a code value. */
export function scopeOf(code: Code): Doc {
  return code.scope ?? {};
}

const textOf = (value: Value): string => (value instanceof BSONSymbol ? value.value : String(value));

type Comparison = (a: Value, b: Value, collation?: Collation) => number;

/** Comparisons of values of the same rank. A rank that is missing here has only one value, or is compared before. */
const byRank: ReadonlyMap<number, Comparison> = new Map<number, Comparison>([
  [10, compareNumbers],
  [15, (a, b, collation) => collation?.compare(textOf(a), textOf(b)) ?? compareStrings(textOf(a), textOf(b))],
  [20, compareDocs],
  [25, compareArrays],
  [30, compareBinaries],
  [40, (a, b) => Number(a) - Number(b)],
  [47, (a, b) => (a instanceof Timestamp && b instanceof Timestamp ? Math.sign(a.compare(b)) : 0)],
  [50, compareRegexes],
  [55, comparePointers],
  [60, compareCodes],
  [65, compareCodes],
]);
