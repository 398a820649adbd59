/** Reads values by the type of their path: those of bodies, which must be stored as they are sent, and by Mongoose's casts. */
import { badValue } from '../../../errors/errors.ts';
import { isPlainObject } from '../../plain-object.ts';
import { idFrom } from '../id-types.ts';
import type { Field, PathType } from '../model-schema.ts';
import { type CastField, mongooseType } from '../mongoose-keys.ts';
import { isBsonNumber } from '../values/number-values.ts';

/** Casts a value as Mongoose does, without setters. @throws 400 */
export function mongooseCast(path: string, value: unknown, field: CastField): unknown {
  try {
    return field[mongooseType].cast(value);
  } catch {
    throw badValue(path, field.typeName, ruleFor(field.type, field.typeName));
  }
}

/** What a value must be, as a fault states it after the path. @param name of a type without a row, such as one of a plug-in */
export const ruleFor = (type: CastField['type'], name: string): string =>
  type?.rule ?? `must be a value that ${/^[A-Z]/.test(name) ? `the type ${name}` : 'its type'} accepts`;

/** Accepts a value unchanged if Mongoose can cast it, or if setters of the model file may convert it. @throws 400 */
export function acceptCastable(path: string, value: unknown, field: CastField): unknown {
  if (field.hasOwnSetters) return value;
  try {
    field[mongooseType].cast(value);
  } catch (error) {
    const { kind } = error as { readonly kind?: unknown };
    throw badValue(path, typeof kind === 'string' ? kind : field.typeName, ruleFor(field.type, field.typeName));
  }
  return value;
}

/** A number of BSON for a path of a type, without rounding it; any other value unchanged. @throws 400 for one that the type cannot hold */
export const numberFor = (path: string, value: unknown, { type }: Field): unknown =>
  isBsonNumber(value) || typeof value === 'bigint' ? (type?.fromNumber?.(path, value) ?? value) : value;

/**
 * Reads a value of a body, of a path that holds no documents: refuses what Mongoose would store in another form than sent.
 * @returns the value to write @throws 400
 */
export function acceptLeaf(
  path: string,
  value: unknown,
  { field, array }: Extract<PathType, { kind: 'leaf' }>,
): unknown {
  if (array) return acceptAll(path, value, field);
  const isNull = value === '' && (field.type?.isNullWhenEmpty === true || field.linkedIdType !== undefined);
  return isNull ? null : acceptOne(path, value, field);
}

/** Reads the members of a list at any depth; a single value counts as a list of one. */
const acceptAll = (path: string, value: unknown, field: Field): unknown =>
  Array.isArray(value)
    ? value.map((member) => acceptAll(path, member, field))
    : value === null
      ? null
      : acceptOne(path, value, field);

function acceptOne(path: string, value: unknown, field: Field): unknown {
  const { type, linkedIdType: idType } = field;
  const given = ownValue(path, value, field);
  if (idType === undefined)
    return type?.accept === undefined ? acceptCastable(path, given, field) : type.accept(path, given, field);
  if (given !== null && idFrom(idType, given) === undefined) throw badValue(path, idType.name, idType.rule);
  return given;
}

/** The id of a linked document, which answers may show and callers may send in place of it, and the number that a value of BSON is. */
function ownValue(path: string, value: unknown, field: Field): unknown {
  if (typeof value !== 'object' && typeof value !== 'bigint') return value;
  return isPlainObject(value) && field.isLink ? value['_id'] : numberFor(path, value, field);
}
