/** Limits numbers in dotted names: a position far beyond the end of a list would create all positions before it. */
import type { Schema } from 'mongoose';
import type { ModelContext } from '../context.ts';
import { badValue, type Failure, tooMany } from '../errors.ts';
import { fromDatabase } from '../models/database-errors.ts';
import { modelOf } from '../models/mongoose.ts';
import { typeAt } from '../models/path-type.ts';
import { allOf } from '../query/and.ts';
import type { Filter } from '../query/filter.ts';
import { sessionOf } from './commit.ts';

/** The highest position in a list that a dotted name may contain. */
const lastPosition = 1000;
const maxNumbered = 100;

/**
 * Names with numbers above the limit, by the free-form path before the number: only the document shows whether the number is a
 * key.
 */
export type NumberedKeys = ReadonlyMap<string, string>;

/**
 * Finds names with such numbers in free-form fields, which may contain a list, or an object with a year as a key.
 * @throws 400 for a name beyond the limit in a declared list
 */
export function numberedKeys(schema: Schema, names: readonly string[]): NumberedKeys {
  const found = new Map<string, string>();
  for (const name of names) {
    const parts = name.split('.');
    for (const [at, part] of parts.entries()) {
      if (at === 0 || !/^\d+$/.test(part) || Number(part) <= lastPosition) continue;
      const parent = parts.slice(0, at).join('.');
      const type = typeAt(schema, parent);
      if ('array' in type && type.array) throw positionTooLarge(name);
      if (type.kind === 'unknown' || (type.kind === 'mixed' && !type.map)) found.set(parent, name);
    }
  }
  if (found.size > maxNumbered) throw tooMany(`free-form values with keys above ${lastPosition}`, maxNumbered);
  return found;
}

/** The failure of a name beyond the limit in a list. */
export const positionTooLarge = (name: string): Failure =>
  badValue(name, 'position', `names a position above ${lastPosition} in a list`);

const isList = (path: string): Filter => ({ [path]: { $type: 'array' } });

/** A filter of the documents without a list at any of these paths. */
export const noLists = (keys: NumberedKeys): Filter | undefined =>
  keys.size === 0 ? undefined : { $nor: [...keys.keys()].map(isList) };

/** The failure if a document of a filter has a list at one of these paths. */
export async function listFault(
  context: ModelContext,
  filter: Filter,
  keys: NumberedKeys,
): Promise<Failure | undefined> {
  const { collection } = modelOf(context.model);
  const options = { projection: { _id: 1 }, ...sessionOf(context) };
  try {
    for (const [path, name] of keys)
      if ((await collection.findOne(allOf([filter, isList(path)]), options)) !== null) return positionTooLarge(name);
    return undefined;
  } catch (error) {
    throw fromDatabase(error);
  }
}
