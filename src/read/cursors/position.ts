/**
 * The position of a row in the order of a list: the values by which the database compares the row, encoded as bytes, and the filter of the
 * rows beside it.
 */
import { compileSort, type Key } from 'dossier-language/sort';
import { decode, type Doc, encode, isDoc, kindOf, readCollation, toDouble, type Value } from 'dossier-language/values';
import type { ModelEntry } from '../../models/entry.ts';
import { firstName } from '../../models/fields/path-type.ts';
import { mongo } from '../../models/mongoose.ts';
import { allOf } from '../../query/and.ts';
import type { Filter } from '../../query/filter.ts';
import type { OrderKey } from '../order.ts';
import { type Bracket, bracketOf, bracketsBeyond } from './brackets.ts';

/** The value of one key, with the class of the driver. */
export interface KeyValue {
  readonly bracket: Bracket;
  readonly value: unknown;
}

/** The values of all keys; a text says why the database cannot be asked for the rows beside them. */
export type Position = readonly KeyValue[] | string;

/** Bytes of a position. A cursor is part of a URL, which must have at most 16 KB together with the headers. */
const maxBytes = 4096;

/** The position of the end of a list: it has no values, and nothing is beyond it. */
export const endOfList = (): Uint8Array => encode({ parts: [] });

/** Prepares positions of rows. @returns a function of a stored row, of which the members of `keyNames` suffice */
export function positions(order: readonly OrderKey[], model: ModelEntry): (row: Buffer) => Uint8Array {
  let keyOf: ((row: Doc) => readonly Key[number][]) | undefined;
  return (row) => {
    keyOf ??= keyReader(order, model);
    const parts: Doc[] = [];
    for (const [at, value] of keyOf(decode(row)).entries()) {
      const path = order[at]?.path ?? '';
      const bracket = typeof value === 'symbol' ? 'empty' : bracketOf(kindOf(value).name, isNotANumber(value));
      if (bracket === undefined) return encode({ refused: `${path} has a value of the type ${typeOf(value)} there` });
      parts.push({ bracket, ...(typeof value === 'symbol' ? {} : { value: value ?? null }) });
    }
    const bytes = encode({ parts });
    return bytes.length > maxBytes
      ? encode({ refused: `the values of sort have more than ${maxBytes} bytes there` })
      : bytes;
  };
}

/** The names of the top-level members that decide about the position of a row. */
export const keyNames = (order: readonly OrderKey[]): readonly Buffer[] =>
  [...new Set(order.map(({ path }) => firstName(path)))].map((name) => Buffer.from(name));

const isNotANumber = (value: Value): boolean => Number.isNaN(toDouble(value) ?? 0);
const typeOf = (value: Key[number]): string => (typeof value === 'symbol' ? 'array' : kindOf(value).name);

/** @param bytes of a position */
export function readPosition(bytes: Uint8Array): Position {
  const { refused, parts } = mongo.BSON.deserialize(bytes, { promoteValues: false, bsonRegExp: true }) as {
    readonly refused?: string;
    readonly parts?: readonly KeyValue[];
  };
  return parts ?? refused ?? '';
}

/** Prepares the sort keys of rows: of a list its least member counts, with direction -1 its greatest one. */
function keyReader(order: readonly OrderKey[], { schema }: ModelEntry): (row: Doc) => readonly Key[number][] {
  const { collation } = schema;
  const stored = order.filter(({ isFree }) => !isFree);
  const sort = compileSort(
    Object.fromEntries(stored.map(({ path, direction }) => [path, direction])),
    collation && readCollation({ ...collation }),
  );
  return (row) => {
    const values = new Map(sort.key(row).map((value, at) => [stored[at]?.path, value] as const));
    const isOther = ({ within }: OrderKey): boolean =>
      within !== undefined && !within.values.some((value) => value === row[within.key]);
    return order.map((key) => {
      if (!key.isFree) return values.get(key.path);
      return isOther(key) ? undefined : plainAt(row, key.path.split('.'));
    });
  };
}

/** The value of a computed key: objects and lists count as missing. */
function plainAt(value: Value, [part, ...rest]: readonly string[]): Value {
  if (part !== undefined) return isDoc(value) && Object.hasOwn(value, part) ? plainAt(value[part], rest) : undefined;
  return isDoc(value) || Array.isArray(value) ? undefined : value;
}

/** Brackets with one value, which nothing follows inside the bracket. */
const singular: ReadonlySet<Bracket> = new Set<Bracket>(['minKey', 'empty', 'null', 'nan', 'maxKey']);
const never: Filter = { _id: { $in: [] } };

/** @param values of the keys at the position @param isReversed for the rows before it */
export function rangeOf(order: readonly OrderKey[], values: readonly KeyValue[], isReversed: boolean): Filter {
  const fixed: Filter[] = [];
  const alternatives: Filter[] = [];
  for (const [at, key] of order.entries()) {
    const value = values[at];
    if (value === undefined) break;
    for (const next of following(key, value, isReversed)) alternatives.push(allOf([...fixed, next]));
    fixed.push(...same(key, value));
  }
  return anyOf(alternatives);
}

const anyOf = (filters: readonly Filter[]): Filter => {
  const [first, ...others] = filters;
  return first === undefined ? never : others.length === 0 ? first : { $or: [...filters] };
};

/** The rows whose key follows a value: any of these filters. */
function following(key: OrderKey, value: KeyValue, isReversed: boolean): readonly Filter[] {
  const { direction, lists } = key;
  if (lists.length === 0) return beyond(key, value, (direction === 1) !== isReversed);
  // of a list its first member counts: it follows when all do, and precedes when any does
  const before = beyond(key, value, direction !== 1);
  return isReversed ? before : [{ $nor: [...equal(key, value), ...before] }];
}

/** The rows whose key equals a value: all of these filters. */
function same(key: OrderKey, value: KeyValue): readonly Filter[] {
  const before = key.lists.length === 0 ? [] : beyond(key, value, key.direction !== 1);
  return [anyOf(equal(key, value)), ...(before.length === 0 ? [] : [{ $nor: [...before] }])];
}

/** The rows with a value that equals this one: any of these filters. */
function equal({ compared, lists }: OrderKey, { bracket, value }: KeyValue): readonly Filter[] {
  switch (bracket) {
    case 'minKey':
    case 'maxKey':
      return [{ [compared]: { $type: bracket } }];
    case 'empty':
      return [{ [compared]: { $size: 0 } }];
    case 'null':
      return nothingAt(compared, lists);
    case 'nan':
      return [{ [compared]: Number.NaN }];
    default:
      return [{ [compared]: { $eq: value } }];
  }
}

/** A field of the members of an empty list counts as missing. */
const nothingAt = (path: string, lists: readonly string[]): readonly Filter[] => [
  { [path]: null },
  ...lists.filter((list) => list !== path).map((list) => ({ [list]: { $size: 0 } })),
];

/** The rows with a value above this one, or below it: any of these filters. */
function beyond(key: OrderKey, { bracket, value }: KeyValue, upwards: boolean): readonly Filter[] {
  const { compared, lists, path } = key;
  const filters: Filter[] = [];
  // the ids of a model have one type, and engines find the rows of a single bound fastest
  if (path === '_id' && (bracket === 'id' || bracket === 'text' || bracket === key.idBracket))
    return [{ [compared]: { [upwards ? '$gt' : '$lt']: value } }];
  if (bracket === 'nan' && upwards) filters.push({ [compared]: { $gte: Number.NEGATIVE_INFINITY } });
  else if (!singular.has(bracket)) filters.push({ [compared]: { [upwards ? '$gt' : '$lt']: value } });
  const others = bracketsBeyond(bracket, upwards).filter(({ name }) => bracket !== 'nan' || name !== 'number');
  const types = others.flatMap(({ types: names }): readonly string[] => names);
  if (types.length > 0) filters.push({ [compared]: { $type: types } });
  for (const { name } of others) {
    if (name === 'empty' && lists.length > 0) filters.push({ [compared]: { $size: 0 } });
    if (name === 'null') filters.push(...nothingAt(compared, lists));
    // an index of DocumentDB finds it by its value, and not as a number
    if (name === 'nan') filters.push({ [compared]: Number.NaN });
  }
  return filters;
}
