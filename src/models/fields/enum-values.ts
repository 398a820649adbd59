/** The values that the schema's `enum` allows, and how messages list them. */
import type { Schema } from 'mongoose';
import { typeParts } from '../mongoose/internals.ts';
import { schemasOf } from './known-path.ts';
import { type PathType, typeAt } from './path-type.ts';

const enumOfPath = (type: PathType): readonly unknown[] =>
  type.kind === 'leaf' ? (typeParts(type.type).enumValues ?? []) : [];

/**
 * The values, apart from null, that documents which fit the schema have at a path; undefined for any. Discriminators may have values of
 * their own.
 * @param path with aliases resolved
 */
export function enumValuesAt(schema: Schema, path: string): ReadonlySet<unknown> | undefined {
  const paths = known.get(schema) ?? new Map<string, ReadonlySet<unknown> | undefined>();
  known.set(schema, paths);
  if (paths.has(path)) return paths.get(path);
  const values = readValues(schema, path);
  if (paths.size < maxKept) paths.set(path, values);
  return values;
}

/** Positions and the keys of maps make any number of paths, of which so many are kept. */
const maxKept = 1000;
const known = new WeakMap<Schema, Map<string, ReadonlySet<unknown> | undefined>>();

function readValues(schema: Schema, path: string): ReadonlySet<unknown> | undefined {
  const types = schemasOf(schema, path)
    .map((place) => typeAt(place.schema, place.rest))
    .filter(({ kind }) => kind !== 'unknown');
  const lists = types.map(enumOfPath);
  return lists.length === 0 || lists.some(({ length }) => length === 0) ? undefined : new Set(lists.flat());
}

/** Maximum allowed values that a message lists. */
const maxListed = 30;

/** Allowed values as a message lists them. */
export function listedValues(values: readonly unknown[]): string {
  const more = values.length > maxListed ? ` and ${values.length - maxListed} more` : '';
  return `${values.slice(0, maxListed).map(shownValue).join(', ')}${more}`;
}

/** A value as a message shows it. */
export const shownValue = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value).slice(0, 40);
