/** Indexes that a schema declares more than once, such as by `unique: true` and by `schema.index()`: a collection has one index of a key. */
import { isDeepStrictEqual } from 'node:util';
import type { Schema } from 'mongoose';

type Index = ReturnType<Schema['indexes']>[number];

const declaredBy = new WeakMap<Schema, () => Index[]>();

/** Makes a schema's `indexes()` return each index once, with the options of all of its declarations. */
export function mergeIndexes(schema: Schema): void {
  const declared = schema.indexes.bind(schema);
  declaredBy.set(schema, declared);
  schema.indexes = () => merged(declared());
}

/** The keys of the indexes that a schema declares more than once, as JSON. */
export function repeatedIndexes(schema: Schema): readonly string[] {
  const all = declaredBy.get(schema)?.() ?? [];
  const again = all.filter((one, at) => all.slice(0, at).some((other) => isSame(other, one)));
  return [...new Set(again.map(([key]) => JSON.stringify(key)))];
}

function merged(indexes: readonly Index[]): Index[] {
  const result: Index[] = [];
  for (const index of indexes) {
    const at = result.findIndex((one) => isSame(one, index));
    const known = result[at];
    if (known === undefined) result.push(index);
    else result[at] = [known[0], { ...known[1], ...index[1] }];
  }
  return result;
}

/** Whether two declarations mean one index: a name, a filter and a collation distinguish indexes of one key. */
const isSame = ([key, options]: Index, [otherKey, others]: Index): boolean =>
  isDeepStrictEqual(Object.entries(key), Object.entries(otherKey)) &&
  options.name === others.name &&
  isDeepStrictEqual(options.partialFilterExpression, others.partialFilterExpression) &&
  isDeepStrictEqual(options.collation, others.collation);
