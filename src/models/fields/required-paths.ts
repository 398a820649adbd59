/** Which paths a new document needs, and which every document has. */
import type { Field, ModelSchema } from './model-schema.ts';

/**
 * The fields that a body must have to create a document: always required and without a default. Lists have a default, the empty
 * list.
 */
export const neededOf = ({ declared }: ModelSchema): ReadonlySet<string> =>
  new Set([...declared.values()].filter((field) => field.isAlwaysRequired && !field.isFilled).map(({ path }) => path));

/**
 * The paths that every document has since it was created: those that are always required, and those with a default, but for those whose
 * value may be an empty object.
 */
export const presentOf = ({ declared }: ModelSchema): readonly string[] =>
  [...declared.values()]
    .filter((field) => (field.isAlwaysRequired || field.isFilled) && !mayBeEmpty(field))
    .map(({ path }) => path);

/** Whether the value of a field may be an object without fields, which Mongoose does not store. */
export const mayBeEmpty = ({ type, schema }: Field): boolean =>
  type?.shape === 'any' || (type?.shape === 'document' && schema !== undefined && presentOf(schema).length === 0);
