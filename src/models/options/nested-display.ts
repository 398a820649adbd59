/** Nested documents, which are no fields of their own: what the model file says about them for people, and whether they may be missing. */
import type { ModelSchema } from '../fields/model-schema.ts';
import type { Display } from './display.ts';

/** `hidden` is in the description of each field of the nested document. */
export interface NestedDescription extends Omit<Display, 'hidden'> {
  /** That it may be missing as a whole: what it requires is required where it has a value. */
  readonly optional?: true;
}

/**
 * The nested documents that have a schema of their own, by their paths, and what the model file says about them.
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
      const about = { ...Object.fromEntries(said), ...(field.isRequired ? {} : { optional: true as const }) };
      const isDescribed = field.type?.shape === 'document' && Object.keys(about).length > 0;
      return [...(isDescribed ? [[path, about] as const] : []), ...nestedIn(field.schema, `${path}.`)];
    }),
  );
