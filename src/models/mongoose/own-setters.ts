/** Distinguishes setters of a model file from those that Mongoose derives from options. */
import type { SchemaType } from 'mongoose';
import { typeParts } from './internals.ts';

export function hasOwnSetters(type: SchemaType): boolean {
  const { setters, options } = typeParts(type);
  return setters.length > ['lowercase', 'uppercase', 'trim'].filter((name) => Boolean(options[name])).length;
}
