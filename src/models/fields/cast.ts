/** Casts values of queries by the types of their paths. An invalid value is a 400 that names the path. */
import mongoose from 'mongoose';
import { badValue } from '../../errors/errors.ts';
import { type Setter, typeParts } from '../mongoose/internals.ts';
import { ObjectId } from '../object-id.ts';
import { typesAt } from './known-path.ts';
import type { Field, ModelSchema, PathType } from './model-schema.ts';
import { mongooseType } from './mongoose-keys.ts';
import { mongooseCast, numberFor } from './types/read-value.ts';
import { dateFrom, isId } from './values/ids-and-dates.ts';
import { looselyTyped, numbersFrom } from './values/number-values.ts';

/** Casts the value of a leaf for a query. `null` stays null. Setters apply as they do to stored values. */
function castLeaf(path: string, value: unknown, field: Field): unknown {
  const cast = castByType(path, value, field);
  const { setters } = typeParts(field[mongooseType]);
  if (cast === null || setters.length === 0) return cast;
  return castByType(path, asStored(path, cast, field, setters), field);
}

/** Applies setters with a query as `this`, as Mongoose does. @throws 400 if a setter throws */
function asStored(path: string, cast: unknown, field: Field, setters: readonly Setter[]): unknown {
  const query = new mongoose.Query();
  try {
    return (
      setters.reduceRight((value, setter) => setter.call(query, value, undefined, field[mongooseType]), cast) ?? null
    );
  } catch {
    throw badValue(path, field.typeName, 'must be a value that its setter accepts');
  }
}

/** Casts the value of a leaf by its type, without setters. `null` stays null. @throws 400 */
export function castByType(path: string, value: unknown, field: Field): unknown {
  if (value === null) return null;
  const { type } = field;
  return type?.cast === undefined
    ? mongooseCast(path, numberFor(path, value, field), field)
    : type.cast(path, value, field);
}

/** Casts the value of a leaf as Mongoose stores it, without setters. @throws Mongoose's CastError */
export const castAsStored = (field: Field, value: unknown): unknown => typeParts(field[mongooseType]).cast(value);

/**
 * The values that a string of a query may mean: one value by the type of its path, or, on Mixed and unknown paths, every value
 * that it resembles, because the string itself may be stored too.
 */
export function castText(schema: ModelSchema, path: string, text: string): readonly unknown[] {
  const types = typesAt(schema, path);
  const leaves = leavesOf(types);
  if (leaves.length > 0) return castByAny(path, text, leaves);
  return types.some(({ kind }) => kind === 'document') ? [text] : byLook(text);
}

/** The types of plain values; none where there are others, too. */
const leavesOf = (types: readonly PathType[]): readonly Field[] =>
  types.every((type) => type.kind === 'leaf') ? types.map(({ field }) => field) : [];

/** The values that a text means by the types that kinds of documents have at a path. @throws 400 where none of them has such a value */
function castByAny(path: string, text: string, leaves: readonly Field[]): readonly unknown[] {
  const found = new Map<string, unknown>();
  let failure: unknown;
  for (const leaf of leaves)
    try {
      const value = castLeaf(path, text, leaf);
      found.set(`${typeof value} ${String(value)}`, value);
    } catch (error) {
      failure ??= error;
    }
  if (found.size === 0) throw failure;
  return [...found.values()];
}

/** Casts a value of a JSON body by the type of its path; on Mixed and unknown paths, and where kinds differ, it stays unchanged. */
export function castJson(schema: ModelSchema, path: string, value: unknown): unknown {
  const leaves = leavesOf(typesAt(schema, path));
  const [field] = leaves;
  if (field === undefined || leaves.some(({ typeName }) => typeName !== field.typeName))
    return looselyTyped(path, value);
  if (Array.isArray(value)) return value.map((member: unknown) => castLeaf(path, member, field));
  return castLeaf(path, value, field);
}

const isoDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;
const plainNumber = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/**
 * The values that a string resembles where the schema has no type: a boolean; or a date, a number or an id, and the string
 * itself.
 */
function byLook(text: string): readonly unknown[] {
  if (text === 'true' || text === 'false') return [text === 'true'];
  const date = isoDate.test(text) ? dateFrom(text) : undefined;
  return [
    ...(date === undefined || Number.isNaN(date.getTime()) ? [] : [date]),
    ...(plainNumber.test(text) ? numbersFrom(text) : []),
    ...(isId(text) ? [new ObjectId(text)] : []),
    text,
  ];
}
