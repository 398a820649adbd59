/** Distinguishes setters of a model file from those that Mongoose derives from options. */
import type { SchemaType } from 'mongoose';

export function hasOwnSetters(type: SchemaType): boolean {
  const { setters, options } = type as unknown as { setters: readonly unknown[]; options: Record<string, unknown> };
  return setters.length > ['lowercase', 'uppercase', 'trim'].filter((name) => Boolean(options[name])).length;
}
