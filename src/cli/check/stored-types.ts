/** Compares stored documents with the types and defaults of their schema, without casting: a filter compares what is stored. */
import { kindIn, schemaOfKind } from '../../models/fields/known-path.ts';
import { type Field, mayBeEmpty, type ModelSchema } from '../../models/fields/model-schema.ts';
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

/** @param ignored names of the top level whose defaults need not be stored */
export function* deviations(row: Json, schema: ModelSchema, ignored: ReadonlySet<string>): Found {
  yield* inDocument(row, schema, '', ignored);
}

const none: ReadonlySet<string> = new Set();

function* inDocument(row: Json, schema: ModelSchema, prefix: string, ignored = none): Found {
  for (const field of schemaOfKind(schema, kindIn(schema, row)).declared.values()) {
    const { parts } = field;
    const { value, depth } = follow(row, parts);
    const path = prefix + parts.slice(0, depth).join('.');
    if (depth < parts.length) yield wrong(path, 'Object', value);
    else if (value !== undefined) yield* inValue(value, field, path);
    // a missing value and null are equal in filters
    else if ((field.default ?? null) !== null && !ignored.has(path) && !isNotStored(field))
      yield { kind: 'default', path, message: 'the default of the schema is not stored' };
  }
}

/** Whether Mongoose does not store a default, or may not: an empty object. */
const isNotStored = (field: Field): boolean =>
  mayBeEmpty(field) &&
  (typeof field.default === 'function' || (isPlainObject(field.default) && Object.keys(field.default).length === 0));

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

function* inValue(value: unknown, field: Field, path: string): Found {
  // values of client-side field level encryption are stored as binary data, whatever their type is
  if (value === null || value === undefined || field.isEncrypted) return;
  const { type, typeName, schema, member, alternatives } = field;
  if (type?.shape === 'list') {
    if (!Array.isArray(value)) yield wrong(path, 'Array', value);
    else
      for (const one of value)
        if (schema !== undefined) yield* inNested(one, schema, path);
        else if (member !== undefined) yield* inValue(one, member, path);
  } else if (type?.shape === 'map') {
    if (!isPlainObject(value)) yield wrong(path, 'Map', value);
    else if (member !== undefined) for (const one of Object.values(value)) yield* inValue(one, member, `${path}.$*`);
  } else if (schema !== undefined) yield* inNested(value, schema, path);
  else if (alternatives !== undefined) {
    if (!alternatives.some((one) => [...inValue(value, one, path)].every(({ kind }) => kind !== 'type')))
      yield wrong(path, typeName, value);
  } else if (!isStoredAs(field, value)) yield wrong(path, typeName, value);
}

function* inNested(value: unknown, schema: ModelSchema, path: string): Found {
  if (value === null || value === undefined) return;
  if (isPlainObject(value)) yield* inDocument(value, schema, `${path}.`);
  else yield wrong(path, 'Object', value);
}

/** Whether filters by a type find a value: all numbers are compared with each other. Types without stored types of their own are not compared. */
function isStoredAs({ type }: Field, value: unknown): boolean {
  const { stored = [] } = type ?? {};
  return stored.length === 0 || stored.some((name) => name === storedType(value));
}

const wrong = (path: string, type: string, value: unknown): Deviation => ({
  kind: 'type',
  path,
  message: `is not of type ${type}: it is stored as ${storedType(value)}`,
});
