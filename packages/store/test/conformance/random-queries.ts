/** Random documents, filters and updates from a seed; the same seed gives the same ones. */
import type { Document } from 'mongodb';
import { Decimal128, Long, ObjectId } from 'mongodb';

type Random = () => number;

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const scalars: readonly unknown[] = [
  0,
  1,
  2,
  3,
  -1,
  1.5,
  Long.fromNumber(2),
  Decimal128.fromString('1.5'),
  'a',
  'b',
  'ab',
  '',
  true,
  false,
  null,
  new Date(0),
  new Date(1000),
  new ObjectId('65f000000000000000000001'),
];

function valueOf(random: Random): unknown {
  const kind = random();
  if (kind < 0.7) return pick(random, scalars);
  if (kind < 0.85) return Array.from({ length: Math.floor(random() * 3) }, () => pick(random, scalars));
  return { x: pick(random, scalars) };
}

const fields = ['a', 'b', 'c', 'a.x'];

/**
 * A document; each field may be missing. `c` is never a list, because an index may contain only one list per document.
 */
export function randomDocument(random: Random, _id: number): Document {
  const doc: Document = { _id };
  for (const name of ['a', 'b']) if (random() < 0.85) doc[name] = valueOf(random);
  if (random() < 0.85) doc['c'] = pick(random, scalars);
  return doc;
}

function condition(random: Random): unknown {
  const operator = pick(random, [
    '$eq',
    '$ne',
    '$gt',
    '$gte',
    '$lt',
    '$lte',
    '$in',
    '$nin',
    '$exists',
    '$regex',
    '$not',
  ]);
  if (operator === '$in' || operator === '$nin') return { [operator]: [valueOf(random), valueOf(random)] };
  if (operator === '$exists') return { $exists: random() < 0.5 };
  if (operator === '$regex') return { $regex: pick(random, ['^a', 'b', '^$']) };
  if (operator === '$not') return { $not: { $gt: pick(random, scalars) } };
  if (random() < 0.2) return { $gte: pick(random, scalars), $lt: pick(random, scalars) };
  return { [operator]: valueOf(random) };
}

/** A filter of one to three conditions, sometimes with `$or` or `$and`. */
export function randomFilter(random: Random, depth = 0): Document {
  const kind = random();
  if (depth < 2 && kind < 0.15) return { $or: [randomFilter(random, depth + 1), randomFilter(random, depth + 1)] };
  if (depth < 2 && kind < 0.25) return { $and: [randomFilter(random, depth + 1), randomFilter(random, depth + 1)] };
  const filter: Document = {};
  for (let count = 1 + Math.floor(random() * 2); count > 0; count--) filter[pick(random, fields)] = condition(random);
  return filter;
}

/** A sort that ends with `_id`, so that it is total. */
export function randomSort(random: Random): Document {
  return { [pick(random, ['a', 'b', 'c'])]: pick(random, [1, -1]), _id: pick(random, [1, -1]) };
}

const numbers: readonly unknown[] = [1, -2, 0.5, Long.fromNumber(3), Decimal128.fromString('2.5')];

/** An update of one field. `c` never becomes a list, because an index may contain only one list per document. */
export function randomUpdate(random: Random): Document {
  const field = pick(random, ['a', 'b', 'c']);
  const operator = pick(random, ['$set', '$unset', '$inc', '$mul', '$min', '$max']);
  if (field === 'c') return { [operator]: { c: operandOf(random, operator, pick(random, scalars)) } };
  const any = pick(random, [operator, '$push', '$addToSet', '$pull', '$pop']);
  return { [any]: { [field]: operandOf(random, any, valueOf(random)) } };
}

function operandOf(random: Random, operator: string, value: unknown): unknown {
  if (operator === '$inc' || operator === '$mul') return pick(random, numbers);
  if (operator === '$pop') return pick(random, [1, -1]);
  return ['$push', '$addToSet', '$pull'].includes(operator) ? pick(random, scalars) : value;
}
