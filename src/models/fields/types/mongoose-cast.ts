/** The casts of Mongoose, for types that need nothing else. */
import type { SchemaType } from 'mongoose';
import { badValue } from '../../../errors.ts';
import { typeParts } from '../../mongoose/internals.ts';
import { hasOwnSetters } from '../../mongoose/own-setters.ts';

/** Casts a value as Mongoose does, without setters. @throws 400 */
export function mongooseCast(path: string, value: unknown, type: SchemaType): unknown {
  try {
    return typeParts(type).cast(value);
  } catch {
    throw badValue(path, type.instance, ruleOf(type));
  }
}

const ruleOf = ({ instance }: SchemaType): string => `must be of type ${instance}`;

/** Accepts a value unchanged if Mongoose can cast it, or if setters of the model file may convert it. @throws 400 */
export function castable(path: string, value: unknown, type: SchemaType, rule = ruleOf(type)): unknown {
  if (hasOwnSetters(type)) return value;
  try {
    typeParts(type).cast(value);
  } catch (error) {
    const { kind } = error as { readonly kind?: unknown };
    throw badValue(path, typeof kind === 'string' ? kind : type.instance, rule);
  }
  return value;
}
