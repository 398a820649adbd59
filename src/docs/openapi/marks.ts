/** The placeholders in a row for the schemas of the model that is described. */
import type { JsonSchema } from './shapes.ts';

export const shown = Symbol('a document as it is shown');
export const created = Symbol('a document to create');
export const changed = Symbol('fields to change');

/** A row of a pipeline, by its identity; it may have any names. */
export const aggregatedRow: JsonSchema = { type: 'object' };

/** A filter in a body. The server checks its names and operators. */
export const filter: JsonSchema = { type: 'object', additionalProperties: {} };

/** Replaces the placeholders in a row by references to the model's schemas. */
export function placed(schema: unknown, name: string): unknown {
  if (schema === shown) return { $ref: `#/components/schemas/${name}` };
  if (schema === created) return { $ref: `#/components/schemas/${name}.create` };
  if (schema === changed) return { $ref: `#/components/schemas/${name}.change` };
  if (Array.isArray(schema)) return schema.map((inner: unknown) => placed(inner, name));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, placed(inner, name)]));
}
