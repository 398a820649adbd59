/** A schema type of Mongoose → the JSON Schema of its values. */
import type { SchemaType } from 'mongoose';
import { enumOf, isAlwaysRequired, isPlain, type Required } from '../../models/describe.ts';
import { date, flag, id, type JsonSchema, text } from './shapes.ts';

/** Whether a schema is of what answers hold, of a body that creates, or of one that changes. */
export type Use = 'shown' | 'create' | 'change';

/** The parts of a schema type that Mongoose keeps on it without declaring them. */
interface Kept extends Required {
  readonly getters: readonly unknown[];
  readonly validators: readonly Readonly<Record<string, unknown>>[];
  readonly options: { readonly enum?: unknown; readonly default?: unknown };
}

const kept = (type: SchemaType): Kept => type as unknown as Kept;

const number: JsonSchema = { type: 'number' };

/** How values of the schema's types look in JSON. A type that is not here may hold anything. */
const types: Readonly<Record<string, JsonSchema>> = {
  String: text,
  Number: number,
  Double: number,
  Int32: number,
  BigInt: { type: ['number', 'string'] },
  Boolean: flag,
  Date: date,
  ObjectId: id,
  Decimal128: text,
  Buffer: text,
  UUID: text,
};

/** The keyword of JSON Schema by the validator of Mongoose, which keeps its bound under its own name. */
const bounds: Readonly<Record<string, string>> = {
  min: 'minimum',
  max: 'maximum',
  minlength: 'minLength',
  maxlength: 'maxLength',
};

/** The values of a path that is neither a list, a map nor a document. Bounds are described for bodies only: stored values may be older than their validators. */
export function leafSchema(type: SchemaType, use: Use): JsonSchema {
  const { options } = kept(type);
  const one = types[type.instance];
  if (one === undefined) return {};
  const values = enumOf(options.enum);
  return { ...one, ...(use === 'shown' ? {} : boundsOf(type)), ...(values === undefined ? {} : { enum: [...values] }) };
}

const boundsOf = (type: SchemaType): JsonSchema =>
  Object.fromEntries(
    kept(type).validators.flatMap((validator) => {
      const name = String(validator['type']);
      const bound = validator[name];
      const keyword = bounds[name];
      return keyword !== undefined && typeof bound === 'number' ? [[keyword, bound]] : [];
    }),
  );

/** Dates that no keyword of JSON Schema bounds, and the value that a new document gets. */
export function remarksOf(type: SchemaType, use: Use, isHidden: boolean): string[] {
  const { validators, options } = kept(type);
  if (use === 'shown') return [];
  const dates = validators.flatMap(({ type: name, min, max }) => [
    ...(name === 'min' && min instanceof Date ? [`Not before ${min.toJSON()}`] : []),
    ...(name === 'max' && max instanceof Date ? [`Not after ${max.toJSON()}`] : []),
  ]);
  // not the keyword: generators take a field that has it for one that is always there, and must be sent
  const fallback = options.default;
  const told = use === 'create' && fallback !== undefined && isPlain(fallback) && !isHidden;
  return [...dates, ...(told ? [`Defaults to ${JSON.stringify(fallback)}`] : [])];
}

/** The same, or null. */
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

/** Paths whose value the server sets itself, and never to null. */
const neverNull: ReadonlySet<string> = new Set(['_id', '_deleted', 'createdAt', 'updatedAt', '__v']);

/** Whether the model computes what is shown at a path. */
export const isComputed = (type: SchemaType): boolean => kept(type).getters.length > 0;

/** Whether null is stored at a path, and so taken and answered there: wherever a value is not required. */
export const takesNull = (type: SchemaType, name: string): boolean =>
  !neverNull.has(name) && !isAlwaysRequired(kept(type));
