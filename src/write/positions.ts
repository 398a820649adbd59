/** Numbers in dotted names: a position far past the end of a list would fill all places before it. */
import type { Schema } from 'mongoose';
import type { ModelContext } from '../context.ts';
import { badValue, type Failure, tooMany } from '../errors.ts';
import { fromDatabase } from '../models/database-errors.ts';
import { modelOf } from '../models/mongoose.ts';
import { typeAt } from '../models/path-type.ts';
import { allOf } from '../query/and.ts';
import type { Filter } from '../query/filter.ts';
import { sessionOf } from './commit.ts';

/** The last position that a dotted name may have in a list. */
const lastPosition = 1000;
const maxNumbered = 100;

/** Paths that only a document tells about, where a number above the last position means a key → the name that goes through it. */
export type NumberedKeys = ReadonlyMap<string, string>;

/**
 * Where names go through free-form fields by such numbers: what is there may be a list, or an object with a year for a key.
 * @throws 400 for a name that leads past the last position of what the schema says is a list
 */
export function numberedKeys(schema: Schema, names: readonly string[]): NumberedKeys {
  const found = new Map<string, string>();
  for (const name of names) {
    const parts = name.split('.');
    for (const [at, part] of parts.entries()) {
      if (at === 0 || !/^\d+$/.test(part) || Number(part) <= lastPosition) continue;
      const parent = parts.slice(0, at).join('.');
      const type = typeAt(schema, parent);
      if ('array' in type && type.array) throw tooFar(name);
      if (type.kind === 'unknown' || (type.kind === 'mixed' && !type.map)) found.set(parent, name);
    }
  }
  if (found.size > maxNumbered) throw tooMany(`free-form values with keys above ${lastPosition}`, maxNumbered);
  return found;
}

/** The name leads past the last position of a list. */
export const tooFar = (name: string): Failure =>
  badValue(name, 'position', `names a position above ${lastPosition} in a list`);

const isList = (path: string): Filter => ({ [path]: { $type: 'array' } });

/** Holds for the documents that have no list at any of these paths. */
export const noLists = (keys: NumberedKeys): Filter | undefined =>
  keys.size === 0 ? undefined : { $nor: [...keys.keys()].map(isList) };

/** The failure where a document of a filter has a list at one of these paths. */
export async function listFault(
  context: ModelContext,
  filter: Filter,
  keys: NumberedKeys,
): Promise<Failure | undefined> {
  const { collection } = modelOf(context.model);
  const options = { projection: { _id: 1 }, ...sessionOf(context) };
  try {
    for (const [path, name] of keys)
      if ((await collection.findOne(allOf([filter, isList(path)]), options)) !== null) return tooFar(name);
    return undefined;
  } catch (error) {
    throw fromDatabase(error);
  }
}
