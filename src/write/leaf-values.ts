/** Reads the values of paths that hold no documents: one reader for each type that accepts more, or less, than Mongoose does. */
import type { SchemaType } from 'mongoose';
import { badValue } from '../errors.ts';
import { bytesFrom, castDate, isId } from '../models/cast.ts';
import { idFrom, type IdType, objectIdType } from '../models/fields/id-types.ts';
import { isLink, ownIdTypeOf } from '../models/links.ts';
import { ObjectId } from '../models/mongoose.ts';
import { decimalOf, doubleOf, numberFor } from '../models/number-values.ts';
import { hasOwnSetters } from '../models/own-setters.ts';
import type { PathType } from '../models/path-type.ts';
import { isPlainObject } from '../models/plain-object.ts';

type Leaf = Extract<PathType, { kind: 'leaf' }>;

/** Reads a value: refuses it, or returns the value to write. */
type Read = (path: string, value: unknown, type: SchemaType) => unknown;

const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  [
    'ObjectId',
    (path, value, type) => {
      // answers may show the linked document, and a caller may send it in place of its id
      const id: unknown = isPlainObject(value) && isLink(type, path) ? value['_id'] : value;
      if (!(id instanceof ObjectId) && !isId(id)) throw badValue(path, 'ObjectId', objectIdType.rule);
      return id;
    },
  ],
  ['Date', castDate],
  ['Number', readNumber],
  ['Double', (path, value, type) => (hasOwnSetters(type) ? value : readNumber(path, value, type))],
  ['Buffer', (path, value) => (typeof value === 'string' ? bytesFrom(path, value) : value)],
  [
    'Decimal128',
    (path, value, type) =>
      typeof value === 'string' && !hasOwnSetters(type) ? decimalOf(path, value) : castable(path, value, type),
  ],
]);

/** Reads a link whose ids have a type of their own. Answers may show the linked document, which stands for its id. */
const linkReader =
  (idType: IdType): Read =>
  (path, value) => {
    const id: unknown = isPlainObject(value) ? value['_id'] : value;
    if (id !== null && idFrom(idType, id) === undefined) throw badValue(path, idType.name, idType.rule);
    return id;
  };

/** @throws 400 for a text of no finite number, and of one that a double would make another one of */
function readNumber(path: string, value: unknown, type: SchemaType): unknown {
  if (typeof value !== 'string') return castable(path, value, type);
  if (value.trim() === '' || !Number.isFinite(Number(value)) || /^\s*0[box]/i.test(value))
    throw badValue(path, 'Number', 'must be a finite number');
  doubleOf(path, value.trim());
  return castable(path, value, type);
}

/** Types for which an empty string, which HTML forms send for an empty field, is not a value. */
const emptied: ReadonlySet<string> = new Set([
  ...['ObjectId', 'Date', 'Boolean', 'Number', 'Double', 'Int32', 'BigInt', 'Decimal128'],
]);

/** Accepts a value unchanged if Mongoose can cast it, or if setters of the model file may convert it. */
function castable(path: string, value: unknown, type: SchemaType): unknown {
  if (hasOwnSetters(type)) return value;
  try {
    (type as unknown as { cast(given: unknown): unknown }).cast(value);
  } catch (error) {
    const { kind } = error as { readonly kind?: unknown };
    throw badValue(path, typeof kind === 'string' ? kind : type.instance, castRule(type.instance));
  }
  return value;
}

const castRules: Readonly<Record<string, string>> = {
  Number: 'must be a finite number',
  Boolean: 'must be true or false',
};
const castRule = (instance: string): string => castRules[instance] ?? `must be of type ${instance}`;

/**
 * Reads a value by the type of its path: refuses what Mongoose would store in another form than sent.
 * @returns the value to write @throws 400
 */
export function readLeaf(path: string, value: unknown, { type, array }: Leaf): unknown {
  const idType = ownIdTypeOf(type);
  const reader = idType === undefined ? (readers.get(type.instance) ?? castable) : linkReader(idType);
  const read: Read = (at, given, own) => reader(at, numberFor(at, given, own.instance), own);
  if (array) return readAll(path, value, (at, member) => read(at, member, type));
  return value === '' && (emptied.has(type.instance) || idType !== undefined) ? null : read(path, value, type);
}

/** Reads the members of a list at any depth; a single value counts as a list of one. */
const readAll = (path: string, value: unknown, read: (path: string, value: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map((member) => readAll(path, member, read)) : value === null ? null : read(path, value);
