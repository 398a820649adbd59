/** What a model file exports: schemas and compiled models, in any of the forms that Mongoose applications use. */
import type { Schema } from 'mongoose';
import type { AnyModel } from './handle.ts';

/** The schemas and models of a file's exports. */
export interface ModelExports {
  /** Schemas that are not compiled; with a name where the file exports several. */
  readonly schemas: readonly { readonly name: string | undefined; readonly schema: Schema }[];
  readonly models: readonly AnyModel[];
}

/**
 * Reads exports. Models take precedence over schemas beside them, which are theirs or parts of them; a default export or `schema` over
 * other schemas.
 */
export function readExports(exported: unknown): ModelExports {
  const all = valuesOf(exported);
  const models = [...new Set(all.map(([, value]) => value).filter(isModel))];
  if (models.length > 0) return { models, schemas: [] };
  const schemas = all.filter((one): one is [string, Schema] => isSchema(one[1]));
  const [main] = ['default', 'schema'].flatMap((key) => schemas.filter(([name]) => name === key));
  const [only = main] = new Set(schemas.map(([, schema]) => schema)).size === 1 ? schemas : [main];
  if (only !== undefined) return { models: [], schemas: [{ name: undefined, schema: only[1] }] };
  return {
    models: [],
    schemas: schemas.map(([key, schema]) => ({ name: key.replace(/(?<=.)_?schema$/i, ''), schema })),
  };
}

/** The values of the exports by their names, `default` for the default export and for all that a CommonJS module exports. */
function valuesOf(exported: unknown): readonly [string, unknown][] {
  if (isSchema(exported) || isModel(exported)) return [['default', exported]];
  if (typeof exported !== 'object' || exported === null) return [];
  const own = Object.entries(exported);
  // `{ default: { A, B } }`
  return own.flatMap(([name, value]) =>
    name === 'default' && isPlain(value) ? Object.entries(value) : [[name, value] as [string, unknown]],
  );
}

/** The function that a file exports instead of a schema, if it does; not a class, a plug-in of schemas or a helper. */
export function factoryOf(exported: unknown): ((given: object) => unknown) | undefined {
  const inner = isPlain(exported) && 'default' in exported ? exported['default'] : exported;
  return typeof inner === 'function' && !isModel(inner) && makesModel(String(inner))
    ? (inner as (given: object) => unknown)
    : undefined;
}

/**
 * Whether a function, by its source, makes a schema or a model, and is given none. Any other is not for the server to call: it may open a
 * connection, or remove what is stored before it fills the database.
 */
const makesModel = (source: string): boolean =>
  (takesMongoose.test(source) || /\bSchema\s*\(|\bmodel\s*\(\s*[^,()]+,/.test(source)) &&
  !/^class\b/.test(source) &&
  !/^(?:async\s+)?(?:function\b[^(]*)?\(?\s*\w*schema\w*\s*[,)=]/i.test(source);

/** A function whose first parameter is named `mongoose`, or takes parts of it. */
const takesMongoose = /^(?:async\s+)?(?:function\b[^(]*)?\(?\s*(?:mongoose\b|\{[^}]*\b(?:mongoose|Schema)\b)/;

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !isSchema(value);

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && 'instanceOfSchema' in value && value.instanceOfSchema === true;

export const isModel = (value: unknown): value is AnyModel =>
  typeof value === 'function' && 'schema' in value && isSchema(value.schema) && 'collection' in value;
