/** Converts a field of a model to the JSON Schema of its values. */
import { isPlain } from '../../models/fields/describe.ts';
import type { Field } from '../../models/fields/model-schema.ts';
import type { JsonSchema } from './shapes.ts';

/** The use of a schema: in answers, in bodies that create, or in bodies that change. */
export type Use = 'shown' | 'create' | 'change';

/** The keyword of JSON Schema for each limit. */
const keywords: Readonly<Record<string, string>> = {
  min: 'minimum',
  max: 'maximum',
  minlength: 'minLength',
  maxlength: 'maxLength',
};

/**
 * The values of a path that is neither a list, a map nor a document. Only schemas of bodies have bounds: stored values may be
 * older than their validators.
 * @param one that of the type itself
 */
export function leafSchema(field: Field, use: Use, one = field.type?.jsonSchema ?? {}): JsonSchema {
  if (one['type'] === undefined) return {};
  return {
    ...one,
    ...(use === 'shown' ? {} : keywordsOf(field)),
    ...(field.enum === undefined ? {} : { enum: [...field.enum] }),
  };
}

const keywordsOf = ({ bounds }: Field): JsonSchema =>
  Object.fromEntries(
    Object.entries(bounds).flatMap(([name, bound]) =>
      typeof bound === 'number' ? [[keywords[name] ?? name, bound]] : [],
    ),
  );

/** Remarks without a keyword of JSON Schema: the bounds of dates, and the default. */
export function remarksOf({ bounds: { min, max }, default: fallback }: Field, use: Use, isHidden: boolean): string[] {
  if (use === 'shown') return [];
  const dates = [
    ...(min instanceof Date ? [`Not before ${min.toJSON()}`] : []),
    ...(max instanceof Date ? [`Not after ${max.toJSON()}`] : []),
  ];
  // not the keyword `default`: generators treat a field with a default as always present and required
  const isDescribed = use === 'create' && fallback !== undefined && isPlain(fallback) && !isHidden;
  return [...dates, ...(isDescribed ? [`Defaults to ${JSON.stringify(fallback)}`] : [])];
}

/** A schema that also allows null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...(anyOf as unknown[]), { type: 'null' }] };
  if (type === undefined) return schema;
  return {
    ...schema,
    type: [...(Array.isArray(type) ? (type as unknown[]) : [type]), 'null'],
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...(values as unknown[]), null] } : {}),
  };
}

/** Paths that the server sets and never sets to null. */
const neverNull: ReadonlySet<string> = new Set(['_id', '_deleted', 'createdAt', 'updatedAt', '__v']);

/** Whether null can be stored at a path, and so appear in bodies and answers: if the path is not required. */
export const acceptsNull = ({ isAlwaysRequired }: Field, name: string): boolean =>
  !neverNull.has(name) && !isAlwaysRequired;
