/** Creates the documents to store from those of a file: checked, cast and validated by their schema, or unchanged with `--raw`. */
import { createHash } from 'node:crypto';
import type { ModelActor } from '../../context.ts';
import { badRequest, dangerousKey, type PathFault } from '../../errors/errors.ts';
import { incarnationPath } from '../../models/built-in/incarnation.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { hasObjectIds } from '../../models/fields/document-id.ts';
import { withLinkIds } from '../../models/fields/shown-links.ts';
import { bsonNameOf, isNumberOfBson } from '../../models/fields/values/bson-types.ts';
import { DecimalLiteral } from '../../models/fields/values/exact-json.ts';
import { withOtherNames } from '../../models/loading/timestamps.ts';
import { modelOf, ObjectId, type Row, sameRow, sizeOfRow } from '../../models/mongoose.ts';
import { isPlainObject, plainCopy } from '../../models/plain-object.ts';
import { changedRow } from '../../write/plan/changed-document.ts';
import { newRow, refuseNew } from '../../write/plan/new-document.ts';
import { checkNames } from '../../write/rules/body.ts';
import { hashPasswords } from '../../write/rules/passwords.ts';
import { readTypes } from '../../write/rules/types.ts';
import { valueAt } from '../../write/rules/unique-index.ts';
import { groupFaults } from '../../write/rules/user-rules.ts';

/** How the documents of a file become those of the database. */
export interface ImportMode {
  /**
   * Stored as they are in the file, after validation: those of an export. Other documents are completed as new ones are, and names with dots in
   * them are paths, as those of the columns of CSV.
   */
  readonly isExact: boolean;
  /** Not validated. */
  readonly isRaw: boolean;
}

/** A new document. @throws Failure 400 with its faults */
export async function newDocument(actor: ModelActor, given: Row, mode: ImportMode): Promise<Row> {
  const { isExact, isRaw } = mode;
  if (isRaw) return rawDocument(given);
  const values = await readValues(actor, given, mode);
  const row = await newRow(actor, values);
  // validation has set another one, which no key or session of the user is bound to
  if (typeof given[incarnationPath] === 'string') row[incarnationPath] = given[incarnationPath];
  return asGiven(given, row, isExact);
}

/**
 * The fields that a record sets in an existing document, as they are to be stored.
 * @param fields of the record @param values of them, read
 * @returns undefined when they are stored already @throws Failure 400 with the faults of the document that they make
 */
export async function changedFields(
  actor: ModelActor,
  stored: Row,
  fields: Row,
  values: Row,
): Promise<Row | undefined> {
  const row = await changedRow(actor, stored, values);
  const paths = Object.keys(values).filter((path) => valueAt(row, path) !== undefined);
  const set = asGiven(fields, Object.fromEntries(paths.map((path) => [path, valueAt(row, path)])), false);
  const isChanged = paths.some((path) => !isEqual(valueAt(stored, path), set[path]));
  const updatedAt = actor.services.clock();
  return isChanged ? { ...withOtherNames(actor.model.schema.timestampNames, { updatedAt }), ...set } : undefined;
}

/** What an existing document keeps: its id, its revision, and what binds the keys and sessions of a user. */
const kept: ReadonlySet<string> = new Set(['_id', '__v', incarnationPath]);

export const fieldsToChange = (given: Row): Row =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !kept.has(name)));

const isEqual = (one: unknown, other: unknown): boolean => sameRow({ value: one }, { value: other });

/**
 * The values of a record: without refused names, with hashes in place of passwords, and read by the types of their paths.
 * @param stored the document that they change
 */
export async function readValues(actor: ModelActor, given: Row, { isExact }: ImportMode, stored?: Row): Promise<Row> {
  checkNames(given, !isExact);
  const faults: PathFault[] = [];
  const values = await hashPasswords(
    actor,
    withLinkIds(actor.model, plainCopy(given) as Row),
    { passwords: 'mixed' },
    faults,
  );
  faults.push(...readTypes(values, actor.model.schema, true, stored), ...groupFaults(actor.model, values));
  await refuseNew(actor, values, faults);
  return values;
}

/** @throws 400 for names that could not be stored, or that JavaScript would not take as names */
function rawDocument(given: Row): Row {
  const operator = Object.keys(given).find((name) => name.startsWith('$'));
  if (operator !== undefined) throw dangerousKey(operator);
  checkRawNames(given);
  return given;
}

const notNames: ReadonlySet<string> = new Set(['__proto__', '_bsontype']);

function checkRawNames(value: unknown): void {
  if (Array.isArray(value)) return value.forEach(checkRawNames);
  if (!isPlainObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (notNames.has(name) || name.includes('\0')) throw dangerousKey(name);
    checkRawNames(inner);
  }
}

/** MongoDB's limit of a document. */
const maxDocumentBytes = 16 * 1024 * 1024;

/** Bytes of a document in the database. @throws 400 for one that is too large */
export function storedSize(row: Row): number {
  const size = sizeOfRow(row);
  if (size > maxDocumentBytes) throw badRequest(`the document is larger than ${maxDocumentBytes} bytes`);
  return size;
}

/** An id for a record without one; undefined where the model has no default for ids of its own type. */
export const newId = (model: ModelEntry, line: number, content: string): unknown =>
  hasObjectIds(model) ? idFor(model, line, content) : new (modelOf(model))()._id;

/**
 * An ObjectId for a record without one. It is the same whenever the file is imported, so that an import that was interrupted can be run
 * again.
 */
function idFor({ name }: ModelEntry, line: number, content: string): ObjectId {
  const hash = createHash('sha256').update(`${name}\0${line}\0${content}`).digest();
  return new ObjectId(hash.subarray(0, 12));
}

/**
 * A cast document with its fields in the given order, and with the given values where they are equal.
 * @param isExact keeps the given fields and no others; otherwise the fields that Mongoose has added come last
 */
function asGiven(given: Readonly<Row>, cast: Readonly<Row>, isExact: boolean): Row {
  const kept = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    if (Object.hasOwn(cast, name)) return [[name, valueAsGiven(value, cast[name], isExact)]];
    return isExact ? [[name, value]] : [];
  });
  const added = isExact ? [] : Object.entries(cast).filter(([name]) => !Object.hasOwn(given, name));
  return Object.fromEntries([...kept, ...added]);
}

function valueAsGiven(given: unknown, cast: unknown, isExact: boolean): unknown {
  if (isPlainObject(given) && isPlainObject(cast)) return asGiven(given, cast, isExact);
  if (Array.isArray(given) && Array.isArray(cast) && given.length === cast.length)
    return given.map((member, at) => valueAsGiven(member, cast[at], isExact));
  return isSameValue(given, cast, isExact) ? given : cast;
}

/** @param isExact whether the type of the given value is kept even where the schema has another one */
function isSameValue(given: unknown, cast: unknown, isExact: boolean): boolean {
  if (typeof given !== 'object' || given === null || !('_bsontype' in given)) return false;
  // the type of a number in JSON is that of its path
  if (given instanceof DecimalLiteral) return false;
  const type = bsonNameOf(given);
  if (type === 'Binary') return isSameBytes(given, cast);
  if (type === 'BSONSymbol') return String(given) === cast;
  if (!isNumberOfBson(given)) return false;
  if (typeof cast === 'number') return Number(String(given)) === cast;
  return (isExact || bsonNameOf(cast) === type) && String(given) === String(cast);
}

interface BinaryLike {
  readonly buffer: Uint8Array;
  readonly position: number;
}

function isSameBytes(given: object, cast: unknown): boolean {
  if (!Buffer.isBuffer(cast)) return false;
  const { buffer, position } = given as BinaryLike;
  return Buffer.compare(buffer.subarray(0, position), cast) === 0;
}
