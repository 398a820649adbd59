/** Whether the documents of a model have an `id` of the author's. In all others, `id` is another name of `_id`. */
import type { Schema } from 'mongoose';
import { schemaParts } from '../mongoose/internals.ts';
import { aliasesOf } from './aliases.ts';
import { kindSchemasOf, typeAt } from './path-type.ts';

const known = new WeakMap<Schema, boolean>();

/** Whether a virtual is the `id` that Mongoose adds. It runs after one of the author's, unless the schema has the option `id: false`. */
export const isMongooseId = (schema: Schema, name: string): boolean => name === 'id' && schema.get('id') !== false;

/** Whether a schema of a model, or one of its kinds, declares `id`: as a path, an alias or a virtual. Computed once. */
export function hasOwnId(schema: Schema): boolean {
  const found = known.get(schema) ?? [schema, ...kindSchemasOf(schema)].some(declaresId);
  known.set(schema, found);
  return found;
}

const declaresId = (schema: Schema): boolean =>
  typeAt(schema, 'id').kind !== 'unknown' ||
  Object.hasOwn(aliasesOf(schema), 'id') ||
  (Object.hasOwn(schema.virtuals, 'id') && !isMongooseId(schema, 'id'));

/** Notes that the kinds of a compiled model mean by `id` what the model means. */
export function shareOwnId(schema: Schema, kinds: readonly Schema[]): void {
  for (const kind of kinds) known.set(kind, hasOwnId(schema));
}

/** Removes Mongoose's virtual `id` from a schema that is about to be compiled, and from copies of its kinds, if one of them declares `id`. */
export function withoutMongooseId(schema: Schema): void {
  if (!hasOwnId(schema)) return;
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
  if (isMongooseId(schema, 'id') && !Object.hasOwn(aliasesOf(schema), 'id')) {
    delete (schema.virtuals as Record<string, unknown>)['id'];
    if (typeAt(schema, 'id').kind === 'unknown') delete schemaParts(schema).tree['id'];
  }
  schema.set('id', false);
}
