/** The position of a row in the order of a list: the values by which the database compares the row, encoded as bytes. */
import { compileSort, type Key } from 'dossier-language/sort';
import { decode, type Doc, encode, isDoc, kindOf, readCollation, toDouble, type Value } from 'dossier-language/values';
import type { ModelEntry } from '../../models/entry.ts';
import { firstName } from '../../models/fields/path-type.ts';
import { mongo } from '../../models/mongoose.ts';
import type { OrderKey } from '../order.ts';
import { type Bracket, bracketOf } from './brackets.ts';

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
