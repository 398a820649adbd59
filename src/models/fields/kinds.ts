/** The kinds of documents that are read: by the discriminator key. */
import type { ModelSchema } from './model-schema.ts';

/** The schema of the documents with a value of the key: that of the kind, or the schema itself where no kind has the value. */
export const schemaOfKind = (schema: ModelSchema, value: unknown): ModelSchema =>
  (value === undefined ? undefined : schema.kinds.find((kind) => kind.value === value)?.schema) ?? schema;

/** The value of the key in a document. */
export const kindIn = ({ kindKey }: ModelSchema, document: Readonly<Record<string, unknown>>): unknown =>
  Object.hasOwn(document, kindKey) ? document[kindKey] : undefined;
