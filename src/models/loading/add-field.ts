/** Adds fields of the server to schemas of model files. */
import type { Schema, SchemaDefinition } from 'mongoose';

/** Adds a field to a schema that may use another `typeKey`. */
export function addField(schema: Schema, path: string, field: Readonly<Record<'type', unknown>> & object): void {
  const { type, ...options } = field;
  schema.add({ [path]: { ...options, [String(schema.get('typeKey'))]: type } } as SchemaDefinition);
}
