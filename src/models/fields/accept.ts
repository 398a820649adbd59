/** Reads values of bodies, of paths that hold no documents, by the types of the paths. */
import type { SchemaType } from 'mongoose';
import { badValue } from '../../errors.ts';
import { isLink, ownIdTypeOf } from '../loading/links.ts';
import { isPlainObject } from '../plain-object.ts';
import { numberFor } from './cast.ts';
import { idFrom } from './id-types.ts';
import type { PathType } from './path-type.ts';
import { fieldTypeOf } from './types/index.ts';
import { castable } from './types/mongoose-cast.ts';

/**
 * Reads a value by the type of its path: refuses what Mongoose would store in another form than sent.
 * @returns the value to write @throws 400
 */
export function acceptLeaf(
  path: string,
  value: unknown,
  { type, array }: Extract<PathType, { kind: 'leaf' }>,
): unknown {
  if (array) return acceptAll(path, value, type);
  const isNull = value === '' && (fieldTypeOf(type)?.isNullWhenEmpty === true || ownIdTypeOf(type) !== undefined);
  return isNull ? null : acceptOne(path, value, type);
}

/** Reads the members of a list at any depth; a single value counts as a list of one. */
const acceptAll = (path: string, value: unknown, type: SchemaType): unknown =>
  Array.isArray(value)
    ? value.map((member) => acceptAll(path, member, type))
    : value === null
      ? null
      : acceptOne(path, value, type);

function acceptOne(path: string, value: unknown, type: SchemaType): unknown {
  const row = fieldTypeOf(type);
  const idType = ownIdTypeOf(type);
  // answers may show the linked document, and a caller may send it in place of its id
  const given = isPlainObject(value) && isLink(type, path) ? value['_id'] : numberFor(path, value, type);
  if (idType === undefined)
    return row?.accept === undefined ? castable(path, given, type, row?.rule) : row.accept(path, given, type);
  if (given !== null && idFrom(idType, given) === undefined) throw badValue(path, idType.name, idType.rule);
  return given;
}
