/**
 * What differs between two forms of a document: the paths to set and to remove, as deep as possible, so that all others
 * keep their values and types.
 */
import { castUpdate, type Model, type Row, sameRow, storedRow } from '../models/mongoose.ts';
import { BSON } from '../models/object-id.ts';
import { isPlainObject } from '../models/plain-object.ts';
import { storedAfter } from '../query/row-update.ts';
import type { Update } from './bulk/update.ts';

/** Values by dotted paths; undefined for a path to remove. */
export type Difference = Readonly<Record<string, unknown>>;

/**
 * A list whose length changes is one value, since its other members may have moved.
 * @param before and after without dots in their names @param always paths that count as changed
 */
export function difference(before: Row, after: Row, always: readonly string[] = []): Difference {
  const found: Row = {};
  compare(before, after, '', found);
  const covers = (path: string, other: string): boolean => path === other || other.startsWith(`${path}.`);
  for (const path of always)
    if (!Object.keys(found).some((known) => covers(known, path) || covers(path, known)))
      found[path] = valueAt(after, path);
  return found;
}

const valueAt = (row: Row, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Row)[name] : undefined,
      row,
    );

function compare(before: Row, after: Row, prefix: string, found: Row): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (Object.hasOwn(after, name)) compareAt(before[name], after[name], prefix + name, found);
    else found[prefix + name] = undefined;
  }
}

function compareAt(before: unknown, after: unknown, path: string, found: Row): void {
  if (before === after) return;
  if (isPlainObject(before) && isPlainObject(after)) compare(before, after, `${path}.`, found);
  else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    for (const [at, member] of before.entries()) compareAt(member, after[at], `${path}.${at}`, found);
  else if (!sameRow({ value: before }, { value: after }) || before === undefined) found[path] = after;
}

type Loaded = Parameters<typeof storedRow>[0] & { readonly constructor: unknown };

/** What update operators change in a loaded document. @param now the time of `$currentDate` @throws Mongoose's CastError */
export function effectOf(document: Loaded, operators: Update, now: Date): Difference {
  if (Object.keys(operators).length === 0) return {};
  const before = storedRow(document);
  // the class of a document is its model, which may be a discriminator
  const cast = castUpdate(document.constructor as Model<Row>, operators);
  const after = storedAfter(before, cast, now);
  return difference(BSON.deserialize(BSON.serialize(before)), after);
}
