/**
 * The content of a document that an upsert creates: the equalities of the filter, and the results of update operators
 * on missing fields.
 */
import type { Row } from '../../models/mongoose.ts';
import { type Filter, isValue } from '../../query/filter.ts';

/** The equalities of a checked filter. */
export function seedOf(filter: Filter): Row {
  const seed: Row = {};
  for (const [path, value] of Object.entries(filter)) {
    if (path === '$and') for (const inner of value as Filter[]) Object.assign(seed, seedOf(inner));
    else if (!path.startsWith('$') && isEquality(value)) place(seed, path, equalTo(value));
  }
  return seed;
}

/** Whether a condition of a checked filter compares with one value. */
export const isEquality = (value: unknown): boolean => isValue(value) || Object.keys(value as object).join() === '$eq';
const equalTo = (value: unknown): unknown => (isValue(value) ? value : (value as { $eq: unknown }).$eq);

/** The values that an update sets in a new document. */
export function valuesOf(update: Readonly<Record<string, unknown>>, now: Date): Row {
  const values: Row = {};
  for (const [operator, make] of Object.entries(makers))
    for (const [path, operand] of Object.entries((update[operator] as Row | undefined) ?? {}))
      place(values, path, make(operand, now));
  return values;
}

const listOf = (operand: unknown): unknown[] =>
  typeof operand === 'object' && operand !== null && '$each' in operand ? (operand.$each as unknown[]) : [operand];

const makers: Readonly<Record<string, (operand: unknown, now: Date) => unknown>> = {
  $setOnInsert: (operand) => operand,
  $set: (operand) => operand,
  $inc: (operand) => operand,
  $mul: () => 0,
  $min: (operand) => operand,
  $max: (operand) => operand,
  $push: listOf,
  $addToSet: listOf,
  $currentDate: (_operand, now) => now,
};

/** Sets a dotted path in nested objects. Names that JavaScript inherits have been refused before. */
function place(target: Row, path: string, value: unknown): void {
  const parts = path.split('.');
  let level = target;
  for (const part of parts.slice(0, -1)) {
    const inner = Object.hasOwn(level, part) ? level[part] : undefined;
    level[part] = typeof inner === 'object' && inner !== null ? inner : {};
    level = level[part] as Row;
  }
  level[parts.at(-1) ?? path] = value;
}
