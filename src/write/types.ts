/** Values that Mongoose would take for others than were sent are refused: texts that are no dates, lists in the place of documents, parts of a number. */
import type { Schema } from 'mongoose';
import { badValue, dangerousKey } from '../errors.ts';
import { bytesFrom, castDate, isId } from '../registry/cast.ts';
import { ObjectId } from '../registry/mongoose.ts';
import { isOwnName } from '../registry/own-names.ts';
import { isPlainObject } from '../registry/plain-object.ts';
import { isPartOfLeaf, isPosition, typeAt } from '../registry/type-at.ts';
import { NameBudget } from './size.ts';

/** Refuses a value, or gives what is to be written for it. */
type Read = (path: string, value: unknown) => unknown;

const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  [
    'ObjectId',
    (path, value) => {
      // a linked document as answers show it, sent back in the place of its id
      const id: unknown = isPlainObject(value) ? value['_id'] : value;
      if (!(id instanceof ObjectId) && !isId(id)) throw badValue(path, 'ObjectId', 'must be 24 hexadecimal digits');
      return id;
    },
  ],
  ['Date', castDate],
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
 * database is replaced in its place: base64 by its bytes, a date in any of its forms by the date.
 * @param isNew the values make a document, where Mongoose compares no names @throws 400 naming the path
 */
export function readTypes(values: object, schema: Schema, isNew = false): void {
  const budget = new NameBudget();
  readFields(values, schema, '', { budget, each: true, inList: false });
  if (!isNew) budget.check(values);
}

/** What is counted of fields: each of them, as of the document itself and of maps, and the unknown ones, save in lists. */
interface Counted {
  readonly budget: NameBudget;
  readonly each: boolean;
  readonly inList: boolean;
}

function readFields(values: object, schema: Schema, prefix: string, counted: Counted): void {
  const fields = values as Record<string, unknown>;
  for (const [key, value] of Object.entries(fields)) {
    if (counted.each) counted.budget.name();
    if (prefix === '') checkWhole(schema, key);
    const read = readOne(value, schema, prefix + key, counted);
    if (read !== value) fields[key] = read;
  }
}

function readOne(value: unknown, schema: Schema, path: string, counted: Counted): unknown {
  const type = typeAt(schema, path);
  if (type.kind === 'unknown' && !counted.inList) counted.budget.unknown();
  checkMember(value, schema, path);
  if (value === null || value === undefined) return value;
  const isMap = type.kind === 'mixed' && type.map;
  if (isMap && !isPlainObject(value)) throw badValue(path, 'Map', 'must be an object');
  if (type.kind === 'document') checkDocument(value, type.array, path);
  if (type.kind === 'document' || isMap) {
    const inList = counted.inList || (type.kind === 'document' && type.array);
    readFields(value, schema, `${path}.`, { ...counted, each: isMap, inList });
  }
  if (type.kind !== 'leaf') return value;
  const read = readers.get(type.type.instance);
  if (read === undefined) return value;
  return type.array ? readAll(path, value, read) : read(path, value);
}

/** The members of a list, at any depth; one value in the place of a list is a list of it. */
const readAll = (path: string, value: unknown, read: Read): unknown =>
  Array.isArray(value) ? value.map((member) => readAll(path, member, read)) : value === null ? null : read(path, value);

/** Null is no member of a list of documents: what is in its members could not be read. @throws 400 */
export function checkMember(value: unknown, schema: Schema, path: string, list = /^(.+)\.\d+$/.exec(path)?.[1]): void {
  if (value !== null || list === undefined) return;
  const type = typeAt(schema, list);
  if (type.kind === 'document' && type.array) throw badValue(path, 'Object', 'must be an object');
}

/** One document in the place of a list is a list of it; an object of positions is none. @throws 400 */
function checkDocument(value: unknown, list: boolean, path: string): asserts value is object {
  if (!list && !isPlainObject(value)) throw badValue(path, 'Object', 'must be an object');
  if (list && !Array.isArray(value) && (!isPlainObject(value) || Object.keys(value).some(isPosition)))
    throw badValue(path, 'Array', 'must be a list of objects');
}

/** @throws 400 for a path to a part of what has none, where the database would store a document in its place, or to no member of a list, or of a name that Mongoose needs itself */
export function checkWhole(schema: Schema, path: string): void {
  const [first = path] = path.split('.', 1);
  if (isOwnName(schema, first)) throw dangerousKey(first);
  if (!path.includes('.')) return;
  if (isPartOfLeaf(schema, path)) throw badValue(path, 'path', 'is a part of what has no parts');
  const parts = path.split('.');
  for (let end = 1; end < parts.length; end++) {
    const type = typeAt(schema, parts.slice(0, end).join('.'));
    if (type.kind === 'document' && type.array && !isPosition(parts[end]))
      throw badValue(path, 'path', 'must name a member of the list by its position');
  }
}
