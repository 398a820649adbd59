/** Compares stored documents with the types and defaults of their schema, without casting: a filter compares what is stored. */
import type { Schema, SchemaType } from 'mongoose';
import { kindIn, schemaOfKind } from '../../models/fields/kinds.ts';
import { innerOf } from '../../models/fields/path-type.ts';
import { fieldTypeOf, shapeOf } from '../../models/fields/types/index.ts';
import { storedType } from '../../models/fields/values/bson-types.ts';
import { isPlainObject } from '../../models/plain-object.ts';

/** What a stored document has otherwise than its schema. Paths are without positions in lists; `$*` stands for the keys of a map. */
interface Deviation {
  readonly kind: 'type' | 'default';
  readonly path: string;
  /** Without values. */
  readonly message: string;
}

type Found = Generator<Deviation, void, void>;
type Json = Readonly<Record<string, unknown>>;

/** A path of a schema, with what is asked of it for each document. */
interface Declared {
  readonly type: SchemaType;
  readonly parts: readonly string[];
  readonly hasDefault: boolean;
}

const declared = new WeakMap<Schema, readonly Declared[]>();

function declaredIn(schema: Schema): readonly Declared[] {
  const found = declared.get(schema) ?? readDeclared(schema);
  declared.set(schema, found);
  return found;
}

const readDeclared = (schema: Schema): readonly Declared[] =>
  Object.entries(schema.paths)
    // the values of a map are found through its type
    .filter(([path]) => !path.includes('$*'))
    .map(([path, type]) => ({ type, parts: path.split('.'), hasDefault: hasDefault(type) }));

/** A missing value and null are equal in filters. */
function hasDefault({ options }: SchemaType): boolean {
  const value = (options as { readonly default?: unknown }).default;
  return value !== undefined && value !== null;
}

/** @param ignored names of the top level whose defaults need not be stored */
export function* deviations(row: Json, schema: Schema, ignored: ReadonlySet<string>): Found {
  yield* inDocument(row, schema, '', ignored);
}

const none: ReadonlySet<string> = new Set();

function* inDocument(row: Json, schema: Schema, prefix: string, ignored = none): Found {
  for (const one of declaredIn(schemaOfKind(schema, kindIn(schema, row)))) {
    const { value, depth } = follow(row, one.parts);
    const path = prefix + one.parts.slice(0, depth).join('.');
    if (depth < one.parts.length) yield wrong(path, 'Object', value);
    else if (value !== undefined) yield* inValue(value, one.type, path);
    else if (one.hasDefault && !ignored.has(path))
      yield { kind: 'default', path, message: 'the default of the schema is not stored' };
  }
}

/** The value at a path of nested objects, or the first on the way that is no object. @returns depth: how many parts were followed */
function follow(row: Json, parts: readonly string[]): { readonly value: unknown; readonly depth: number } {
  let value: unknown = row;
  for (const [depth, part] of parts.entries()) {
    if (value === undefined || value === null) return { value: undefined, depth: parts.length };
    if (!isPlainObject(value)) return { value, depth };
    value = Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return { value, depth: parts.length };
}

function* inValue(value: unknown, type: SchemaType, path: string): Found {
  if (value === null || value === undefined || isEncrypted(type)) return;
  const { schema, embeddedSchemaType: member, $__schemaType: inMap, schemaTypes } = innerOf(type);
  const typeShape = shapeOf(type);
  if (typeShape === 'list') {
    if (!Array.isArray(value)) yield wrong(path, 'Array', value);
    else
      for (const one of value)
        if (schema !== undefined) yield* inNested(one, schema, path);
        else if (member !== undefined) yield* inValue(one, member, path);
  } else if (typeShape === 'map') {
    if (!isPlainObject(value)) yield wrong(path, 'Map', value);
    else if (inMap !== undefined) for (const one of Object.values(value)) yield* inValue(one, inMap, `${path}.$*`);
  } else if (schema !== undefined) yield* inNested(value, schema, path);
  else if (schemaTypes !== undefined) {
    if (!schemaTypes.some((one) => [...inValue(value, one, path)].every(({ kind }) => kind !== 'type')))
      yield wrong(path, type.instance, value);
  } else if (!isStoredAs(type, value)) yield wrong(path, type.instance, value);
}

function* inNested(value: unknown, schema: Schema, path: string): Found {
  if (value === null || value === undefined) return;
  if (isPlainObject(value)) yield* inDocument(value, schema, `${path}.`);
  else yield wrong(path, 'Object', value);
}

/** Values of client-side field level encryption are stored as binary data, whatever their type is. */
const isEncrypted = ({ options }: SchemaType): boolean =>
  (options as { readonly encrypt?: unknown }).encrypt !== undefined;

/** Whether filters by a type find a value: all numbers are compared with each other. Types without stored types of their own are not compared. */
function isStoredAs(type: SchemaType, value: unknown): boolean {
  const { stored = [] } = fieldTypeOf(type) ?? {};
  return stored.length === 0 || stored.some((name) => name === storedType(value));
}

const wrong = (path: string, type: string, value: unknown): Deviation => ({
  kind: 'type',
  path,
  message: `is not of type ${type}: it is stored as ${storedType(value)}`,
});
