/** The types of values: their order, and their numbers and names in `$type`. */
import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  Double,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';
import type { Doc, Value } from './types.ts';

/** A type of value. */
export interface Kind {
  /** Its name in `$type`. */
  readonly name: string;
  /** Its BSON number. */
  readonly code: number;
  /** Its rank in the order of types; types with the same rank are compared by value. */
  readonly rank: number;
}

/** All kinds by name. */
export const kinds = {
  minKey: { name: 'minKey', code: -1, rank: -1 },
  missing: { name: 'missing', code: 0, rank: 5 },
  null: { name: 'null', code: 10, rank: 5 },
  int: { name: 'int', code: 16, rank: 10 },
  long: { name: 'long', code: 18, rank: 10 },
  double: { name: 'double', code: 1, rank: 10 },
  decimal: { name: 'decimal', code: 19, rank: 10 },
  string: { name: 'string', code: 2, rank: 15 },
  symbol: { name: 'symbol', code: 14, rank: 15 },
  object: { name: 'object', code: 3, rank: 20 },
  array: { name: 'array', code: 4, rank: 25 },
  binData: { name: 'binData', code: 5, rank: 30 },
  objectId: { name: 'objectId', code: 7, rank: 35 },
  bool: { name: 'bool', code: 8, rank: 40 },
  date: { name: 'date', code: 9, rank: 45 },
  timestamp: { name: 'timestamp', code: 17, rank: 47 },
  regex: { name: 'regex', code: 11, rank: 50 },
  dbPointer: { name: 'dbPointer', code: 12, rank: 55 },
  javascript: { name: 'javascript', code: 13, rank: 60 },
  javascriptWithScope: { name: 'javascriptWithScope', code: 15, rank: 65 },
  maxKey: { name: 'maxKey', code: 127, rank: 127 },
} as const satisfies Readonly<Record<string, Kind>>;

/** Whether a value is a document: a plain object, not an array or a BSON class. */
export function isDoc(value: Value): value is Doc {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const byPrimitive: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['undefined', kinds.missing],
  ['boolean', kinds.bool],
  ['bigint', kinds.long],
  ['string', kinds.string],
]);

const byPrototype: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>([
  [Object.prototype, kinds.object],
  [null, kinds.object],
  [Array.prototype, kinds.array],
  [Date.prototype, kinds.date],
  [ObjectId.prototype, kinds.objectId],
  [Decimal128.prototype, kinds.decimal],
  [Double.prototype, kinds.double],
  [Binary.prototype, kinds.binData],
  [BSONRegExp.prototype, kinds.regex],
  [BSONSymbol.prototype, kinds.symbol],
  [Timestamp.prototype, kinds.timestamp],
  [DBRef.prototype, kinds.dbPointer],
  [MinKey.prototype, kinds.minKey],
  [MaxKey.prototype, kinds.maxKey],
]);

/** The kind of a value. */
export function kindOf(value: Value): Kind {
  if (value === null) return kinds.null;
  if (typeof value === 'number') return isInt(value) ? kinds.int : kinds.double;
  if (typeof value !== 'object') return byPrimitive.get(typeof value) ?? kinds.missing;
  const known = byPrototype.get(Object.getPrototypeOf(value));
  if (known !== undefined) return known;
  if (value instanceof Code) return value.scope === null ? kinds.javascript : kinds.javascriptWithScope;
  if (value instanceof Binary) return kinds.binData;
  throw new TypeError(`not a stored value: ${Object.prototype.toString.call(value)}`);
}

/** The rank of a value's type. */
export function rankOf(value: Value): number {
  if (typeof value === 'string') return kinds.string.rank;
  if (typeof value === 'number') return kinds.int.rank;
  return kindOf(value).rank;
}

/** Whether a JavaScript number is stored as an int. */
export function isInt(value: number): boolean {
  return (value | 0) === value && !Object.is(value, -0);
}

/** Whether a value is a number of any of the four types. */
export function isNumber(value: Value): value is number | bigint | Double | Decimal128 {
  return (
    typeof value === 'number' || typeof value === 'bigint' || value instanceof Double || value instanceof Decimal128
  );
}
