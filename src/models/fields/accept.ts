/** Reads values of bodies, of paths that hold no documents, by the types of the paths. */
import { badValue } from '../../errors.ts';
import { isPlainObject } from '../plain-object.ts';
import { numberFor } from './cast.ts';
import { idFrom } from './id-types.ts';
import type { Field, PathType } from './model-schema.ts';
import { castable } from './types/mongoose-cast.ts';

/**
 * Reads a value by the type of its path: refuses what Mongoose would store in another form than sent.
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
  // answers may show the linked document, and a caller may send it in place of its id
  const given = isPlainObject(value) && field.isLink ? value['_id'] : numberFor(path, value, field);
  if (idType === undefined)
    return type?.accept === undefined ? castable(path, given, field) : type.accept(path, given, field);
  if (given !== null && idFrom(idType, given) === undefined) throw badValue(path, idType.name, idType.rule);
  return given;
}
