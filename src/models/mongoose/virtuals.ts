/** The virtuals of a schema that answers show, and whether answers have values that the schema computes. */
import type { Schema } from 'mongoose';
import { isMongooseId } from '../loading/own-id.ts';
import { schemaParts, typeParts } from './internals.ts';
import { hasOwnHooks } from './save-hooks.ts';

interface Virtual {
  readonly options: { readonly ref?: unknown; readonly refPath?: unknown };
  readonly setters: readonly unknown[];
}

/**
 * The computed paths of a schema, without those of the schemas inside it.
 * Aliases are excluded, because they name stored paths; so are virtuals with `ref`, which only Mongoose's own `populate` fills.
 */
export function virtualsOf(schema: Schema): string[] {
  const aliases = schemaParts(schema).aliases;
  return entriesOf(schema)
    .filter(([name, virtual]) => !isMongooseId(schema, name) && !Object.hasOwn(aliases, name) && !isPopulated(virtual))
    .map(([name]) => name);
}

/** The virtuals that only Mongoose's own `populate` fills. */
export const populatedVirtualsOf = (schema: Schema): string[] =>
  entriesOf(schema).flatMap(([name, virtual]) => (isPopulated(virtual) ? [name] : []));

/** The virtuals of a schema that a setter of the model file writes, without those of the schemas inside it. */
export function settableVirtualsOf(schema: Schema): string[] {
  const aliases = schemaParts(schema).aliases;
  return entriesOf(schema).flatMap(([name, virtual]) =>
    !isMongooseId(schema, name) && !Object.hasOwn(aliases, name) && !isPopulated(virtual) && virtual.setters.length > 0
      ? [name]
      : [],
  );
}

const entriesOf = ({ virtuals }: Schema): [string, Virtual][] => Object.entries(virtuals);

const isPopulated = ({ options }: Virtual): boolean => options.ref !== undefined || options.refPath !== undefined;

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
