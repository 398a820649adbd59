/** The JSON schemas that all models share: envelopes, failures, descriptions of models, counts of writes. */
import { inputs } from '../../models/fields/types/field-type.ts';
import { letters } from '../../models/letters.ts';
import { callEffects, callTargets } from '../../models/options/callable.ts';
import type { JsonSchema } from '../../models/schemas/contract.ts';

export type { JsonSchema };

/** An object with required fields, optional fields, and no others. */
export const object = (
  required: Readonly<Record<string, unknown>>,
  optional: Readonly<Record<string, unknown>> = {},
): JsonSchema => ({
  type: 'object',
  ...(Object.keys(required).length === 0 ? {} : { required: Object.keys(required) }),
  properties: { ...required, ...optional },
  additionalProperties: false,
});
/** What a page with a password sends: its form may have other fields, such as a confirmation, which have no effect. */
export const form = (...names: Parameters<typeof object>): JsonSchema => ({
  ...object(...names),
  additionalProperties: true,
});
export const listOf = (items: unknown): JsonSchema => ({ type: 'array', items });
/** An object with arbitrary names. */
export const mapOf = (values: unknown): JsonSchema => ({ type: 'object', additionalProperties: values });
/** Any value; the model files define it. */
export const anyValue = (description: string): JsonSchema => ({ description });

export const text: JsonSchema = { type: 'string' };
/** A value that may be absent. */
export const orNull = (schema: JsonSchema): JsonSchema => ({ oneOf: [schema, { type: 'null' }] });
/** A schema with what its value means, for people. */
export const withDescription = (description: string, schema: JsonSchema): JsonSchema => ({ ...schema, description });
/** A body that is not JSON, by its media type. */
export const textOf = (contentMediaType: string): JsonSchema => ({ ...text, contentMediaType });
export const email: JsonSchema = { ...text, format: 'email' };
export const integer: JsonSchema = { type: 'integer' };
/** How a read finds its documents (docs/indexes.md), in place of its usual answer. */
export const explainAnswer: JsonSchema = object({
  plan: text,
  index: orNull(text),
  examined: integer,
  returned: integer,
});
/** A count; -1 means that the documents were not counted. */
export const count: JsonSchema = { type: 'integer', minimum: -1 };
export const id: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{24}$' };
export const date: JsonSchema = { type: 'string', format: 'date-time' };
export const flag: JsonSchema = { type: 'boolean' };

export const status: JsonSchema = { const: 'ok' };
/** The fields of every answer to a write. */
export const message = { status, message: text };
/** Success without data. */
export const successAnswer: JsonSchema = object(message);

/** The tokens of a session. */
export const tokens = {
  user_id: id,
  token: text,
  token_expires: date,
  refresh_token: text,
  refresh_token_expires: date,
};
/** A session that begins. */
export const session = object({ ...tokens, apikey: text });

/** Ids by the position of the operation or the document in the request. */
const idsByPosition: JsonSchema = {
  type: 'object',
  propertyNames: { pattern: '^(0|[1-9][0-9]*)$' },
  additionalProperties: { ...text, minLength: 1 },
};

/** The result of a bulk write. */
export const counts: JsonSchema = object(
  {
    ok: { const: 1 },
    nInserted: count,
    nMatched: count,
    nModified: count,
    nRemoved: count,
    nUpserted: count,
    insertedIds: idsByPosition,
    upsertedIds: idsByPosition,
  },
  { ignored: { type: 'object', additionalProperties: listOf(text) } },
);
export const insertAnswer: JsonSchema = object({ insertedCount: count, insertedIds: idsByPosition });

/** The fields of a user that are shown to callers who may not read users. */
export const person: JsonSchema = object({ _id: id }, { name: text });

/** Every failure (docs/errors.md); a bulk write adds the position of the operation and the result of those before it. */
export const failure: JsonSchema = object(
  {
    status: { const: 'fail' },
    message: { type: 'string', description: 'The kind of failure' },
    err: { type: 'string', description: 'The reason' },
  },
  {
    errors: listOf(object({ path: text, kind: text, message: text })),
    index: { type: 'integer', minimum: 0, description: 'The operation of a bulk write that failed' },
    operation: { type: 'integer', minimum: 0, description: 'The operation of a batch that failed' },
    data: counts,
    holder: { type: 'string', description: 'The id of the deleted document that has the unique value' },
    ticket: {
      type: 'string',
      description: 'For POST /login/code: the password is right, and a second factor is needed',
    },
    request_id: {
      type: 'string',
      description: 'The X-Request-Id of the answer, which identifies an error of the server in its log',
    },
  },
);

const numberOrDate: JsonSchema = { oneOf: [{ type: 'number' }, date] };

/** What the model file says for people. */
const display = { label: text, description: text, group: text, icon: text, hidden: { const: true } };

const field: JsonSchema = object(
  { type: text, input: { enum: inputs }, required: flag, unique: flag, index: flag, array: flag },
  {
    immutable: { const: true },
    enum: listOf(anyValue('A value')),
    min: numberOrDate,
    max: numberOrDate,
    minlength: integer,
    maxlength: integer,
    match: object({ pattern: text, flags: text }, { message: text }),
    trim: { const: true },
    lowercase: { const: true },
    uppercase: { const: true },
    default: anyValue('A value of the type'),
    link: text,
    map_to: text,
    reverse: text,
    kinds: listOf(anyValue('A kind of documents')),
    perms: mapOf({ type: 'string', pattern: '^[cru]*$' }),
    ...display,
    list: flag,
  },
);
/** Keys of an index: direction or kind by path. */
const indexKeys = mapOf({ enum: [1, -1, 'text', 'hashed', '2d', '2dsphere'] });
const limits = object({}, { large_collection_threshold: integer, max: integer, default: integer });

const letter: JsonSchema = { enum: letters };

const extent = { enum: ['all', 'some', 'own', 'none', true, false] };

/** What a caller may do with a model, or with one document of it. */
export const rights: JsonSchema = object({
  model: text,
  rows: object({ c: extent, r: extent, u: extent, d: extent }),
  fields: mapOf({ type: 'string', pattern: '^c?r?u?$' }),
});

const schemaInJson: JsonSchema = { type: 'object', description: 'A JSON Schema' };

/** A function that the caller may call. Without `on` it is called on the model, and on a document. */
const describedFunction: JsonSchema = object(
  { name: text },
  {
    on: { enum: callTargets },
    label: text,
    input: schemaInJson,
    answer: schemaInJson,
    confirm: text,
    effect: { enum: callEffects },
  },
);

/** The description of a model at `/model`. */
export const modelDescription: JsonSchema = {
  ...object(
    {
      name: text,
      collection: text,
      fields: mapOf(field),
      perms: mapOf({ type: 'string', pattern: '^[crud]*$' }),
      indexes: listOf(
        object({ fields: indexKeys }, { unique: flag, sparse: flag, expireAfterSeconds: { type: 'number' } }),
      ),
      callable_statics: mapOf({ oneOf: [letter, object({ needs: letter, on: { enum: callTargets } })] }),
      functions: listOf(describedFunction),
      query_limits: limits,
      advanced_queries: object({ query: flag, aggregate: flag, bulkwrite: flag }),
    },
    {
      rights,
      ...display,
      list: listOf(text),
      title: text,
      nested: mapOf(object({}, { label: text, description: text, group: text, icon: text, optional: flag })),
      kinds: object({ key: text, values: listOf(anyValue('A kind of documents')) }),
      reverses: mapOf(object({ model: text, path: text }, { local: text, shape: { enum: ['one', 'count'] } })),
      rules: mapOf(mapOf({ type: 'object', description: 'The filter of the rows that a letter is given for' })),
    },
  ),
  additionalProperties: { ...flag, description: 'That the model has an option of a feature, such as `history`' },
};

export const documentMark = Symbol('a document as it is shown');
export const newDocumentMark = Symbol('a document to create');
export const changeMark = Symbol('fields to change');

/** A row of a pipeline, by its identity; it may have any names. */
export const aggregatedRow: JsonSchema = { type: 'object' };

/** A filter in a body. The server checks its names and operators. */
export const filter: JsonSchema = { type: 'object', additionalProperties: {} };

/** Replaces the placeholders in a row by references to the model's schemas. */
export function withReferences(schema: unknown, name: string): unknown {
  if (schema === documentMark) return { $ref: `#/components/schemas/${name}` };
  if (schema === newDocumentMark) return { $ref: `#/components/schemas/${name}.create` };
  if (schema === changeMark) return { $ref: `#/components/schemas/${name}.change` };
  if (Array.isArray(schema)) return schema.map((inner: unknown) => withReferences(inner, name));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, withReferences(inner, name)]));
}
