/** What the model file says for people about nested documents, which are no fields of their own. */
import type { ModelSchema } from '../fields/model-schema.ts';
import type { Display } from './display.ts';

/** `hidden` is in the description of each field of the nested document. */
export type NestedDescription = Omit<Display, 'hidden'>;

/**
 * The nested documents that the model file describes, by their paths.
 * @param paths those of the fields that are described
 */
export function describeNested(
  schema: ModelSchema,
  paths: readonly string[],
): { readonly nested?: Readonly<Record<string, NestedDescription>> } {
  const found = nestedIn(schema, '').filter(([path]) => paths.some((one) => one.startsWith(`${path}.`)));
  return found.length === 0 ? {} : { nested: Object.fromEntries(found) };
}

const nestedIn = (schema: ModelSchema, prefix: string): (readonly [path: string, NestedDescription])[] =>
  [schema, ...schema.kinds.map((kind) => kind.schema)].flatMap(({ declared }) =>
    [...declared.values()].flatMap((field) => {
      if (field.schema === undefined) return [];
      const path = prefix + field.path;
      const { label, description, group, icon } = field.display;
      const said = Object.entries({ label, description, group, icon }).filter(([, text]) => text !== undefined);
      const isDescribed = field.type?.shape === 'document' && said.length > 0;
      return [
        ...(isDescribed ? [[path, Object.fromEntries(said)] as const] : []),
        ...nestedIn(field.schema, `${path}.`),
      ];
    }),
  );
