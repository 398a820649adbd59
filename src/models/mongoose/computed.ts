/** Whether answers have values that a schema computes. */
import type { Schema } from 'mongoose';
import { aliasesOf } from '../fields/aliases.ts';
import { isMongooseId } from '../fields/own-id.ts';
import { typeParts } from './internals.ts';

/** Whether a schema has virtuals (besides aliases and Mongoose's `id`) or getters at any depth. */
export function isComputed(schema: Schema): boolean {
  const aliases = new Set(Object.keys(aliasesOf(schema)));
  const virtuals: Readonly<Record<string, { readonly getters: readonly unknown[] }>> = schema.virtuals;
  const own = Object.entries(virtuals).some(
    ([name, virtual]) => !isMongooseId(schema, name) && !aliases.has(name) && virtual.getters.length > 0,
  );
  const getters = Object.values(schema.paths).some((type) => typeParts(type).getters.length > 0);
  return own || getters || schema.childSchemas.some((child) => isComputed(child.schema));
}
