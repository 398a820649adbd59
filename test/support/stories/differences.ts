/** What differs between two documents, computed apart from the sources. */
import { isDeepStrictEqual } from 'node:util';
import { mongo } from 'mongoose';
import type { Json } from './bodies.ts';

const { EJSON } = mongo.BSON;

export type Operation = 'create' | 'change' | 'delete' | 'restore' | 'remove';

/** A change of one document. */
export interface Step {
  readonly op: Operation;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

export interface Difference {
  readonly path: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** A document with the types of its values, in a form that compares and prints. */
export const typed = (row: Json | undefined): Json | undefined => row && EJSON.serialize(row, { relaxed: false });

/** Whether two values are stored alike; a value that is missing is not null. */
export const isSame = (one: unknown, other: unknown): boolean =>
  (one === undefined) === (other === undefined) && isDeepStrictEqual(typed({ one }), typed({ one: other }));

/** A document as answers have it, but for `id`. */
export const shown = (row: Json | undefined): Json | undefined =>
  row && (JSON.parse(JSON.stringify(row, (_, value: unknown) => decimalText(value))) as Json);

const decimalText = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$numberDecimal' in value ? value.$numberDecimal : value;

const isVisible = (row: Json | undefined): boolean => row !== undefined && row['_deleted'] !== true;

export function operationOf(before: Json | undefined, after: Json | undefined): Operation {
  if (after === undefined) return 'remove';
  if (before === undefined) return 'create';
  if (isVisible(before) === isVisible(after)) return 'change';
  return isVisible(after) ? 'restore' : 'delete';
}

/** The event of a change for a reader of all documents. */
export function eventOf({ before, after }: Pick<Step, 'before' | 'after'>): 'post' | 'put' | 'del' | undefined {
  if (isVisible(after)) return isVisible(before) ? 'put' : 'post';
  return isVisible(before) ? 'del' : undefined;
}

const stamps: ReadonlySet<string> = new Set(['_id', '__v', 'createdAt', 'updatedAt', '_updated_by_id']);
const isOfStamps = (path: string): boolean => stamps.has(path);

export const withoutStamps = (row: Json | undefined): Json | undefined =>
  row && Object.fromEntries(Object.entries(row).filter(([name]) => !isOfStamps(name)));

const isObject = (value: unknown): value is Json =>
  Object.prototype.toString.call(value) === '[object Object]' && !('_bsontype' in (value as object));
const namesOf = (one: Json, other: Json): string[] => [...new Set([...Object.keys(one), ...Object.keys(other)])];

/** The paths of `changed`: inside of objects in dots, a list as a whole. */
export function leafPaths(before: Json | undefined, after: Json | undefined): string[] {
  const inside = (one: unknown, other: unknown, path: string): string[] => {
    const isOpen =
      (isObject(one) && (isObject(other) || other === undefined)) || (isObject(other) && one === undefined);
    const [from, to] = [isObject(one) ? one : {}, isObject(other) ? other : {}];
    const names = isOpen ? namesOf(from, to) : [];
    if (names.length > 0) return names.flatMap((name) => inside(from[name], to[name], `${path}.${name}`));
    return isSame(one, other) ? [] : [path];
  };
  return namesOf(before ?? {}, after ?? {})
    .filter((name) => !isOfStamps(name))
    .flatMap((name) => inside(before?.[name], after?.[name], name));
}

/** The differences of histories and audit records: a list whose length changes is one value, and so is what is only in one document. */
export function differences(before: Json, after: Json, prefix = ''): Difference[] {
  return namesOf(before, after).flatMap((name): Difference[] => {
    const path = `${prefix}${name}`;
    const [from, to] = [before[name], after[name]];
    if (isOfStamps(path) || isSame(from, to)) return [];
    if (isObject(from) && isObject(to)) return differences(from, to, `${path}.`);
    if (Array.isArray(from) && Array.isArray(to) && from.length === to.length)
      return differences({ ...from }, { ...to }, `${path}.`);
    return [{ path, ...(Object.hasOwn(before, name) ? { from } : {}), ...(Object.hasOwn(after, name) ? { to } : {}) }];
  });
}
