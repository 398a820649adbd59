/** The kinds of documents that are read: by the discriminator key. */
import { typesAt } from './known-path.ts';
import type { ModelSchema } from './model-schema.ts';

/** The schema of the documents with a value of the key: that of the kind, or the schema itself where no kind has the value. */
export const schemaOfKind = (schema: ModelSchema, value: unknown): ModelSchema =>
  (value === undefined ? undefined : schema.kinds.find((kind) => kind.value === value)?.schema) ?? schema;

/** The value of the key in a document. */
export const kindIn = ({ kindKey }: ModelSchema, document: Readonly<Record<string, unknown>>): unknown =>
  Object.hasOwn(document, kindKey) ? document[kindKey] : undefined;

/** Whether a path is the key of a nested document that may be of several kinds. @param path with aliases resolved */
export function isKeyOfPart(schema: ModelSchema, path: string): boolean {
  const end = path.lastIndexOf('.');
  if (end === -1) return false;
  return typesAt(schema, path.slice(0, end)).some(
    (type) =>
      type.kind === 'document' && type.schema?.kindKey === path.slice(end + 1) && type.schema.kindValues.length > 0,
  );
}
