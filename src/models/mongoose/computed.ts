/** Whether answers have values that a schema computes. */
import type { Schema } from 'mongoose';
import { isMongooseId } from '../loading/own-id.ts';
import { schemaParts, typeParts } from './internals.ts';
import { hasOwnHooks } from './save-hooks.ts';

/**
 * Whether a schema has, at any depth, virtuals (besides aliases and Mongoose's `id`), getters, or middleware of `init`, by which plug-ins change
 * what has been read, such as a field that they encrypt.
 */
export const isComputed = (schema: Schema): boolean => hasOwnHooks(schema, ['init']) || hasComputedPaths(schema);

function hasComputedPaths(schema: Schema): boolean {
  const aliases = new Set(Object.keys(schemaParts(schema).aliases));
  const virtuals: Readonly<Record<string, { readonly getters: readonly unknown[] }>> = schema.virtuals;
  const own = Object.entries(virtuals).some(
    ([name, virtual]) => !isMongooseId(schema, name) && !aliases.has(name) && virtual.getters.length > 0,
  );
  const getters = Object.values(schema.paths).some((type) => typeParts(type).getters.length > 0);
  return own || getters || schema.childSchemas.some((child) => hasComputedPaths(child.schema));
}
