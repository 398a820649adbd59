/**
 * A reference model of random filters, sorts and updates, written as plainly as possible from the manual and without
 * the store's code: it examines every document and compares every value. It covers only what `random-queries.ts`
 * generates.
 */
import { Decimal128, type Document, Long, ObjectId } from 'mongodb';

const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || value instanceof Long || value instanceof Decimal128;

const isPlain = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** BSON's order of types. */
const kinds: readonly ((value: unknown) => boolean)[] = [
  (value) => value === null || value === undefined,
  isNumber,
  (value) => typeof value === 'string',
  isPlain,
  Array.isArray,
  (value) => value instanceof ObjectId,
  (value) => typeof value === 'boolean',
  (value) => value instanceof Date,
];
const kindOf = (value: unknown): number => kinds.findIndex((is) => is(value));

const scalar = (value: unknown): string | number =>
  typeof value === 'string' ? value : value instanceof ObjectId ? value.toHexString() : Number(String(toPlain(value)));

const toPlain = (value: unknown): unknown =>
  value instanceof Date ? value.getTime() : typeof value === 'boolean' ? Number(value) : value;

/** Compares two values. */
export function order(a: unknown, b: unknown): number {
  const difference = kindOf(a) - kindOf(b);
  if (difference !== 0) return difference;
  if (a === null || a === undefined) return 0;
  if (isPlain(a) && isPlain(b)) return orderOfDocuments(Object.entries(a), Object.entries(b));
  if (Array.isArray(a) && Array.isArray(b)) return orderOfLists(a, b);
  const [left, right] = [scalar(a), scalar(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function orderOfLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const found = order(a[at], b[at]);
    if (found !== 0) return found;
  }
  return a.length - b.length;
}

type Fields = readonly (readonly [string, unknown])[];

function orderOfDocuments(a: Fields, b: Fields): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const [left, right] = [a[at] ?? ['', null], b[at] ?? ['', null]];
    const found = kindOf(left[1]) - kindOf(right[1]) || order(left[0], right[0]) || order(left[1], right[1]);
    if (found !== 0) return found;
  }
  return a.length - b.length;
}

/** The values that a condition on a path tests: the value, or a list's members and then the list itself. */
function candidates(doc: Document, path: string): readonly unknown[] {
  const [first = '', second] = path.split('.');
  const value: unknown = doc[first];
  if (second !== undefined) return Array.isArray(value) ? [] : [isPlain(value) ? value[second] : undefined];
  return Array.isArray(value) ? [...(value as readonly unknown[]), value] : [value];
}

const same = (a: unknown, b: unknown): boolean => kindOf(a) === kindOf(b) && order(a, b) === 0;

type Test = (value: unknown, operand: unknown) => boolean;

const within =
  (wanted: (difference: number) => boolean): Test =>
  (value, operand) =>
    kindOf(value) === kindOf(operand) && wanted(order(value, operand));

const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['$eq', same],
  ['$gt', within((difference) => difference > 0)],
  ['$gte', within((difference) => difference >= 0)],
  ['$lt', within((difference) => difference < 0)],
  ['$lte', within((difference) => difference <= 0)],
  ['$in', (value, operand) => (operand as readonly unknown[]).some((one) => same(value, one))],
  ['$regex', (value, operand) => typeof value === 'string' && new RegExp(String(operand)).test(value)],
]);

const opposites: ReadonlyMap<string, string> = new Map([
  ['$ne', '$eq'],
  ['$nin', '$in'],
]);

function meets(doc: Document, path: string, operator: string, operand: unknown): boolean {
  if (operator === '$not') return !meetsAll(doc, path, operand as Document);
  const opposite = opposites.get(operator);
  if (opposite !== undefined) return !meets(doc, path, opposite, operand);
  const found = candidates(doc, path);
  if (operator === '$exists') return found.some((value) => value !== undefined) === operand;
  return found.some((value) => tests.get(operator)?.(value, operand));
}

const meetsAll = (doc: Document, path: string, condition: Document): boolean =>
  Object.entries(condition).every(([operator, operand]) => meets(doc, path, operator, operand));

/** Whether a filter matches a document. */
export function matches(doc: Document, filter: Document): boolean {
  return Object.entries(filter).every(([name, value]) => {
    if (name === '$or') return (value as readonly Document[]).some((part) => matches(doc, part));
    if (name === '$and') return (value as readonly Document[]).every((part) => matches(doc, part));
    return meetsAll(doc, name, value as Document);
  });
}

/** Sorts documents: of a list, the smallest member counts, or the greatest in a descending sort. */
export function sorted(docs: readonly Document[], sort: Document): readonly Document[] {
  return docs.toSorted((a, b) => {
    for (const [name, direction] of Object.entries(sort)) {
      const found = orderOfKeys(keyOf(a[name], direction as number), keyOf(b[name], direction as number));
      if (found !== 0) return found * (direction as number);
    }
    return 0;
  });
}

/** An empty list, which sorts before everything else here. */
const emptyList = Symbol('empty list');

function keyOf(value: unknown, direction: number): unknown {
  if (!Array.isArray(value)) return value;
  return (value as unknown[]).toSorted((a, b) => order(a, b) * direction)[0] ?? (value.length === 0 ? emptyList : null);
}

const orderOfKeys = (a: unknown, b: unknown): number =>
  a === emptyList || b === emptyList ? Number(b === emptyList) - Number(a === emptyList) : order(a, b);

/** The result of updating one field; `refused` is MongoDB's error. */
export const refused = Symbol('refused');

type Change = (value: unknown, operand: unknown) => unknown;

const toList =
  (change: (list: readonly unknown[], operand: unknown) => readonly unknown[]): Change =>
  (value, operand) =>
    value === undefined ? change([], operand) : Array.isArray(value) ? change(value, operand) : refused;

const changes: ReadonlyMap<string, Change> = new Map<string, Change>([
  ['$set', (_value, operand) => operand],
  ['$unset', () => undefined],
  ['$inc', (value, operand) => arithmetic(value, operand, (a, b) => a + b, operand)],
  ['$mul', (value, operand) => arithmetic(value, operand, (a, b) => a * b, 0)],
  ['$min', (value, operand) => (value === undefined || order(operand, value) < 0 ? operand : value)],
  ['$max', (value, operand) => (value === undefined || order(operand, value) > 0 ? operand : value)],
  ['$push', toList((list, operand) => [...list, operand])],
  ['$addToSet', toList((list, operand) => (list.some((one) => same(one, operand)) ? list : [...list, operand]))],
  [
    '$pull',
    (value, operand) =>
      value === undefined ? undefined : toList((list) => list.filter((one) => !same(one, operand)))(value, operand),
  ],
  [
    '$pop',
    (value, operand) =>
      value === undefined ? undefined : toList((list) => (operand === 1 ? list.slice(0, -1) : list.slice(1)))(value, 0),
  ],
]);

function arithmetic(
  value: unknown,
  operand: unknown,
  join: (a: number, b: number) => number,
  missing: unknown,
): unknown {
  if (value === undefined) return missing;
  return isNumber(value) ? join(Number(scalar(value)), Number(scalar(operand))) : refused;
}

/** A document after an update such as `{ $inc: { a: 1 } }`, or `refused`. */
export function updated(doc: Document, update: Document): Document | typeof refused {
  const [operator = '', fields] = Object.entries(update)[0] ?? [];
  const [field = '', operand] = Object.entries(fields as Document)[0] ?? [];
  const value = changes.get(operator)?.(doc[field], operand);
  if (value === refused) return refused;
  const { [field]: before, ...rest } = doc;
  if (value === undefined) return rest;
  return before === undefined ? { ...doc, [field]: value } : { ...doc, [field]: value };
}
