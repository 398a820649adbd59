/** Whether answers have values that a schema computes. */
import type { Schema } from 'mongoose';
import { isMongooseId } from '../loading/own-id.ts';
import { schemaParts, typeParts } from './internals.ts';

/** Whether a schema has virtuals (besides aliases and Mongoose's `id`) or getters at any depth. */
export function isComputed(schema: Schema): boolean {
  const aliases = new Set(Object.keys(schemaParts(schema).aliases));
  const virtuals: Readonly<Record<string, { readonly getters: readonly unknown[] }>> = schema.virtuals;
  const own = Object.entries(virtuals).some(
    ([name, virtual]) => !isMongooseId(schema, name) && !aliases.has(name) && virtual.getters.length > 0,
  );
  const getters = Object.values(schema.paths).some((type) => typeParts(type).getters.length > 0);
  return own || getters || schema.childSchemas.some((child) => isComputed(child.schema));
}
