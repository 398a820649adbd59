/** The casts of Mongoose, for types that need nothing else. */
import { badValue } from '../../../errors.ts';
import { hasOwnSetters, typeParts } from '../../mongoose/internals.ts';
import { mongooseType, type Typed } from '../mongoose-keys.ts';

/** Casts a value as Mongoose does, without setters. @throws 400 */
export function mongooseCast(path: string, value: unknown, field: Typed): unknown {
  try {
    return typeParts(field[mongooseType]).cast(value);
  } catch {
    throw badValue(path, field.typeName, ruleFor(field.type, field.typeName));
  }
}

/** What a value must be, as a fault states it after the path. @param name of a type without a row, such as one of a plug-in */
export const ruleFor = (type: Typed['type'], name: string): string =>
  type?.rule ?? `must be a value that ${/^[A-Z]/.test(name) ? `the type ${name}` : 'its type'} accepts`;

/** Accepts a value unchanged if Mongoose can cast it, or if setters of the model file may convert it. @throws 400 */
export function castable(path: string, value: unknown, field: Typed): unknown {
  const { [mongooseType]: type } = field;
  if (hasOwnSetters(type)) return value;
  try {
    typeParts(type).cast(value);
  } catch (error) {
    const { kind } = error as { readonly kind?: unknown };
    throw badValue(path, typeof kind === 'string' ? kind : field.typeName, ruleFor(field.type, field.typeName));
  }
  return value;
}
