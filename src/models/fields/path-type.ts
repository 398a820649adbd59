/** The type of a dotted path in a schema, through nested documents, lists, maps and Mixed. */
import type { Schema, SchemaType } from 'mongoose';
import { schemaParts } from '../mongoose/internals.ts';
import { shapeOf } from './types/index.ts';

/** The type of a path: a schema type, a list of one, a document, anything (Mixed, or a map of it), or unknown. */
export type PathType =
  | { readonly kind: 'leaf'; readonly type: SchemaType; readonly array: boolean }
  | { readonly kind: 'document'; readonly schema: Schema | undefined; readonly array: boolean }
  | { readonly kind: 'mixed'; readonly map: boolean }
  | { readonly kind: 'unknown' };

interface Inner {
  readonly schema?: Schema;
  readonly embeddedSchemaType?: SchemaType;
  /** The type of a map's values. */
  readonly $__schemaType?: SchemaType;
  /** The alternatives of a union. */
  readonly schemaTypes?: readonly SchemaType[];
}

/** The undeclared parts of a schema type. */
export const innerOf = (type: SchemaType): Inner => type;

/** The schemas of a schema's discriminators. */
export function kindSchemasOf(schema: Schema): readonly Schema[] {
  const { discriminators = {}, _applyDiscriminators } = schemaParts(schema);
  const applied = [...(_applyDiscriminators?.values() ?? [])].map((kind) => kind.schema);
  return [...Object.values(discriminators), ...applied].filter((kind) => kind !== schema);
}

/** Whether a part of a path is a position in a list. */
export const isPosition = (part: string | undefined): boolean => part !== undefined && /^\d+$/.test(part);

/** The schema type of a declared path; inherited names like `toString` are not paths. */
const ownPath = ({ paths }: Schema, path: string): SchemaType | undefined =>
  Object.hasOwn(paths, path) ? paths[path] : undefined;

/** The type at a path; aliases are followed. Positions in lists (`logins.0.site`) are allowed. */
export function typeAt(schema: Schema, path: string): PathType {
  const whole = ownPath(schema, path);
  if (whole !== undefined) return below(whole, [], schema, path);
  const parts = path.split('.');
  for (let length = parts.length - 1; length > 0; length--) {
    const name = parts.slice(0, length).join('.');
    const type = ownPath(schema, name);
    if (type !== undefined) return below(type, parts.slice(length), schema, name);
  }
  const { nested } = schemaParts(schema);
  return Object.hasOwn(nested, path) ? { kind: 'document', schema: undefined, array: false } : { kind: 'unknown' };
}

/** Whether a path may contain objects with keys that the schema does not declare. */
export const isFreeForm = (schema: Schema, path: string): boolean => typeAt(schema, path).kind !== 'leaf';

/** The lists whose members the database compares at a path, from the outermost on: the path itself, and those that it goes through. */
export function listsOn(schema: Schema, path: string): readonly string[] {
  const parts = path.split('.');
  return parts.flatMap((_, at) => {
    const prefix = parts.slice(0, at + 1).join('.');
    const type = typeAt(schema, prefix);
    return 'array' in type && type.array && !isPosition(parts[at + 1]) ? [prefix] : [];
  });
}

/** Whether a path is a subpath of a scalar, such as `price.amount` of a number. */
export function isPartOfLeaf(schema: Schema, path: string): boolean {
  const parts = path.split('.');
  return (
    parts.some((_, at) => at > 0 && typeAt(schema, parts.slice(0, at).join('.')).kind === 'leaf') &&
    typeAt(schema, path).kind === 'unknown'
  );
}

function below(type: SchemaType, rest: readonly string[], schema: Schema, name: string): PathType {
  const shape = shapeOf(type);
  if (shape === 'any') return { kind: 'mixed', map: false };
  if (shape === 'map') return inMap(rest, schema, name);
  const inner = innerOf(type);
  if (shape === 'document' && inner.schema !== undefined) {
    return rest.length === 0
      ? { kind: 'document', schema: inner.schema, array: false }
      : typeAt(inner.schema, rest.join('.'));
  }
  if (shape === 'list') return inList(type, rest);
  return rest.length === 0 ? { kind: 'leaf', type, array: false } : { kind: 'unknown' };
}

function inMap(rest: readonly string[], schema: Schema, name: string): PathType {
  const values = ownPath(schema, `${name}.$*`);
  if (rest.length === 0 || values === undefined) return { kind: 'mixed', map: rest.length === 0 };
  return below(values, rest.slice(1), schema, `${name}.$*`);
}

function inList(type: SchemaType, rest: readonly string[]): PathType {
  const inner = innerOf(type);
  const after = isPosition(rest[0]) ? rest.slice(1) : rest;
  const whole = rest.length === 0;
  if (inner.schema !== undefined) {
    return after.length === 0
      ? { kind: 'document', schema: inner.schema, array: whole }
      : typeAt(inner.schema, after.join('.'));
  }
  const member = inner.embeddedSchemaType;
  if (member === undefined || shapeOf(member) === 'any') return { kind: 'mixed', map: false };
  if (shapeOf(member) === 'list') return inList(member, after);
  return after.length === 0 ? { kind: 'leaf', type: member, array: whole } : { kind: 'unknown' };
}
