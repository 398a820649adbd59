/** The dotted paths of a JSON Schema: what filters, orders and `fields` may name. */
import type { JsonSchema } from '../docs/openapi/shapes.ts';
import { partsOf, typeNames } from './type-text.ts';

export interface PathSchema {
  /** Dotted, without positions in lists. */
  readonly path: string;
  readonly schema: JsonSchema;
  /** Whether the model computes the value, so that the database does not have it. */
  readonly computed: boolean;
  /** Whether it stands for any path below a free-form value, and ends with `${string}` as a template type does. */
  readonly free: boolean;
}

/** All paths of a document, those of nested documents and of lists of documents included. */
export function pathsOf(schema: JsonSchema, prefix = ''): readonly PathSchema[] {
  return Object.entries(partsOf(schema).properties ?? {}).flatMap(([name, value]) => {
    const path = prefix + name;
    return [{ path, schema: value, computed: value['readOnly'] === true, free: false }, ...below(value, path)];
  });
}

function below(schema: JsonSchema, path: string): readonly PathSchema[] {
  const parts = partsOf(schema);
  if (parts.properties !== undefined) return pathsOf(schema, `${path}.`);
  if (parts.items !== undefined) return below(parts.items, path);
  const isMap = parts.additionalProperties !== undefined;
  const isFree = typeNames(parts).length === 0 && parts.enum === undefined && schema['readOnly'] !== true;
  return isMap || isFree ? [{ path: `${path}.\${string}`, schema: {}, computed: false, free: true }] : [];
}
