/** Values that Mongoose would take for others than were sent are refused: documents in the place of ids, days that do not exist, parts of a number. */
import type { Schema } from 'mongoose';
import { badValue } from '../errors.ts';
import { bytesFrom, isDay, isId } from '../registry/cast.ts';
import { ObjectId } from '../registry/mongoose.ts';
import { isPartOfLeaf, typeAt } from '../registry/type-at.ts';

/** Refuses a value, or gives what is to be written for it. */
type Read = (path: string, value: unknown) => unknown;

const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  [
    'ObjectId',
    (path, value) => {
      if (!(value instanceof ObjectId) && !isId(value))
        throw badValue(path, 'ObjectId', 'must be 24 hexadecimal digits');
      return value;
    },
  ],
  [
    'Date',
    (path, value) => {
      if (typeof value === 'string' && (value.trim() === '' || (/^\d{4}-\d\d-\d\d/.test(value) && !isDay(value))))
        throw badValue(path, 'Date', 'must be a date that exists');
      return value;
    },
  ],
  [
    'Number',
    (path, value) => {
      if (
        typeof value === 'string' &&
        (value.trim() === '' || !Number.isFinite(Number(value)) || /^\s*0[box]/i.test(value))
      )
        throw badValue(path, 'Number', 'must be a finite number');
      return value;
    },
  ],
  ['Buffer', (path, value) => (typeof value === 'string' ? bytesFrom(path, value) : value)],
]);

/**
 * Reads values by the types that their paths have, through nested documents and lists. What has another form in JSON than in the
 * database is replaced in its place: base64 by its bytes.
 * @throws 400 naming the path
 */
export function readTypes(values: object, schema: Schema, prefix = ''): void {
  const fields = values as Record<string, unknown>;
  for (const [key, value] of Object.entries(fields)) {
    const read = readOne(value, schema, prefix + key);
    if (read !== value) fields[key] = read;
  }
}

function readOne(value: unknown, schema: Schema, path: string): unknown {
  const type = typeAt(schema, path);
  if (type.kind === 'unknown') checkWhole(schema, path);
  if (value === null || value === undefined) return value;
  if (type.kind === 'mixed' && type.map && (typeof value !== 'object' || Array.isArray(value)))
    throw badValue(path, 'Map', 'must be an object');
  if (type.kind === 'document' && type.schema === undefined && (typeof value !== 'object' || Array.isArray(value)))
    throw badValue(path, 'Object', 'must be an object');
  if (type.kind === 'document' && typeof value === 'object') readTypes(value, schema, `${path}.`);
  const read = type.kind === 'leaf' ? readers.get(type.type.instance) : undefined;
  if (read === undefined) return value;
  return Array.isArray(value)
    ? value.map((member) => (member === null ? null : read(path, member)))
    : read(path, value);
}

/** @throws 400 for a path to a part of what has none, where the database would store a document in its place */
export function checkWhole(schema: Schema, path: string): void {
  if (path.includes('.') && isPartOfLeaf(schema, path)) throw badValue(path, 'path', 'is a part of what has no parts');
}
