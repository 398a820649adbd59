/**
 * What differs between two forms of a document: the paths to set and to remove, as deep as possible, so that all others
 * keep their values and types.
 */
import { type Row, sameRow } from '../../models/mongoose.ts';
import { isPlainObject, valueAt } from '../../models/plain-object.ts';

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
