/** The discriminators of schemas. */
import type { Schema } from 'mongoose';
import { schemaParts } from './internals.ts';

export function kindSchemasOf(schema: Schema): readonly Schema[] {
  const { discriminators = {}, _applyDiscriminators } = schemaParts(schema);
  const applied = [...(_applyDiscriminators?.values() ?? [])].map((kind) => kind.schema);
  return [...Object.values(discriminators), ...applied].filter((kind) => kind !== schema);
}

/** The name of the path that has the kind of a document. */
export const kindKeyOf = (schema: Schema): string => String(schema.get('discriminatorKey') ?? '__t');

/** The value of the key in the documents of a discriminator; undefined before its model is compiled, and for other schemas. */
export const kindValueOf = (kind: Schema): unknown => schemaParts(kind).discriminatorMapping?.value;

/** The kinds of a schema, each once, with the value of the key and their schema; none before its model is compiled. */
export function kindsIn(schema: Schema): readonly { readonly value: unknown; readonly schema: Schema }[] {
  const kinds = new Map<unknown, Schema>();
  for (const kind of kindSchemasOf(schema)) {
    const value = kindValueOf(kind);
    if (value !== undefined && !kinds.has(value)) kinds.set(value, kind);
  }
  return [...kinds].map(([value, kind]) => ({ value, schema: kind }));
}
