/** Discriminators: the key that says which kind a document is of, and the values that it takes. */
import type { Schema, SchemaType } from 'mongoose';
import { schemaParts, typeParts } from '../mongoose/internals.ts';
import { kindSchemasOf } from './path-type.ts';

/** The name of the path that has the kind of a document. */
export const kindKeyOf = (schema: Schema): string => String(schema.get('discriminatorKey') ?? '__t');

/** The value of the key in the documents of a discriminator; undefined before its model is compiled, and for other schemas. */
export const kindValueOf = (kind: Schema): unknown => schemaParts(kind).discriminatorMapping?.value;

/** The schema of the documents with a value of the key: that of the kind, or the schema itself where no kind has the value. */
export const schemaOfKind = (schema: Schema, value: unknown): Schema =>
  (value === undefined ? undefined : kindSchemasOf(schema).find((kind) => kindValueOf(kind) === value)) ?? schema;

/** A kind of documents: the value of the key, and their schema. */
export interface KindSchema {
  readonly value: unknown;
  readonly schema: Schema;
}

/** The kinds of a schema, each once; none before its model is compiled. */
export function kindsIn(schema: Schema): readonly KindSchema[] {
  const kinds = new Map<unknown, Schema>();
  for (const kind of kindSchemasOf(schema)) {
    const value = kindValueOf(kind);
    if (value !== undefined && !kinds.has(value)) kinds.set(value, kind);
  }
  return [...kinds].map(([value, kind]) => ({ value, schema: kind }));
}

/** The value of the key in a document. */
export function kindIn(schema: Schema, document: Readonly<Record<string, unknown>>): unknown {
  const key = kindKeyOf(schema);
  return Object.hasOwn(document, key) ? document[key] : undefined;
}

/** The values of the key, those of an `enum` that the model declares for it included; empty for a schema without discriminators. */
export function kindValuesOf(schema: Schema): readonly unknown[] {
  const known = valuesBySchema.get(schema) ?? readValues(schema);
  valuesBySchema.set(schema, known);
  return known;
}

const valuesBySchema = new WeakMap<Schema, readonly unknown[]>();

function readValues(schema: Schema): readonly unknown[] {
  const values = kindSchemasOf(schema).flatMap((kind) => kindValueOf(kind) ?? []);
  if (values.length === 0) return [];
  const declared = schema.path(kindKeyOf(schema)) as SchemaType | undefined;
  return [...new Set([...values, ...((declared && typeParts(declared).enumValues) ?? [])])];
}
