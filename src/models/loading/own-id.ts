/** Whether the documents of a model have an `id` of the author's. In all others, `id` is another name of `_id`. */
import type { Schema } from 'mongoose';
import { schemaParts } from '../mongoose/internals.ts';
import { kindSchemasOf } from '../mongoose/schema-places.ts';

/** Whether a virtual is the `id` that Mongoose adds. It runs after one of the author's, unless the schema has the option `id: false`. */
export const isMongooseId = (schema: Schema, name: string): boolean => name === 'id' && schema.get('id') !== false;

/** Whether a schema of a model, or one of its kinds, declares `id`: as a path, an alias or a virtual. */
export const declaresOwnId = (schema: Schema): boolean => [schema, ...kindSchemasOf(schema)].some(declaresId);

const declaresId = (schema: Schema): boolean =>
  hasPath(schema) ||
  Object.hasOwn(schemaParts(schema).aliases, 'id') ||
  (Object.hasOwn(schema.virtuals, 'id') && !isMongooseId(schema, 'id'));

const hasPath = (schema: Schema): boolean =>
  Object.hasOwn(schema.paths, 'id') || Object.hasOwn(schemaParts(schema).nested, 'id');

/** Removes Mongoose's virtual `id` from a schema that is about to be compiled, and from copies of its kinds, if one of them declares `id`. */
export function withoutMongooseId(schema: Schema): void {
  if (!declaresOwnId(schema)) return;
  removeMongooseId(schema);
  const { _applyDiscriminators: kinds } = schemaParts(schema);
  for (const [name, kind] of kinds ?? []) {
    const own = kind.schema.clone();
    removeMongooseId(own);
    kinds?.set(name, { ...kind, schema: own });
  }
}

function removeMongooseId(schema: Schema): void {
  // a schema that has been compiled has the virtual
  if (isMongooseId(schema, 'id') && !Object.hasOwn(schemaParts(schema).aliases, 'id')) {
    delete (schema.virtuals as Record<string, unknown>)['id'];
    if (!hasPath(schema)) delete schemaParts(schema).tree['id'];
  }
  schema.set('id', false);
}
