/** Extracts the conditions of a filter that an index can use: a list of intervals for each path. */
import { Binary, BSONRegExp, Code, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import type { Doc, Value } from 'dossier-language/values';
import { type Collation, sameCollation } from 'dossier-language/values';
import { distinctOf } from 'dossier-language/values';
import { isDoc, rankOf } from 'dossier-language/values';
import { toDouble } from 'dossier-language/values';

/** A range of values, inclusive unless a side is open. It may be wider than the condition: the filter is applied afterwards. */
export interface Interval {
  readonly low: Value;
  readonly high: Value;
  /** Whether the range ends before its lowest or highest value. */
  readonly openLow?: boolean;
  readonly openHigh?: boolean;
}

/** A condition on a path: every matching document has an index key in one of the intervals. */
export interface Predicate {
  readonly path: string;
  readonly operator: string;
  readonly operand: Value;
  readonly intervals: readonly Interval[];
}

const lowest = new MinKey();
const highest = new MaxKey();

/** All keys. */
export const everything: Interval = { low: lowest, high: highest };

const point = (value: Value): readonly Interval[] => [{ low: value, high: value }];

/** The conditions that all matching documents meet, from the top level of a filter and its `$and`s. */
export function predicatesOf(filter: Doc, collation?: Collation, prefix = ''): readonly Predicate[] {
  return Object.entries(filter).flatMap(([name, value]) => {
    if (name === '$and' && Array.isArray(value))
      return value.flatMap((part) => (isDoc(part) ? predicatesOf(part, collation, prefix) : []));
    return name.startsWith('$') ? [] : fieldPredicates(prefix + name, value, collation);
  });
}

/** The conditions of each alternative of the `$or`s at the top level of a filter and its `$and`s. */
export function alternativesOf(filter: Doc, collation?: Collation): readonly (readonly (readonly Predicate[])[])[] {
  return Object.entries(filter).flatMap(([name, value]) => {
    const parts = Array.isArray(value) ? value.filter(isDoc) : [];
    if (name === '$and') return parts.flatMap((part) => alternativesOf(part, collation));
    return name === '$or' ? [parts.map((part) => predicatesOf(part, collation))] : [];
  });
}

function fieldPredicates(path: string, value: Value, collation: Collation | undefined): readonly Predicate[] {
  if (value instanceof BSONRegExp) return one(path, '$regex', value, regexIntervals(value.pattern, value.options));
  if (!isOperators(value)) return one(path, '$eq', value, equality(value, collation));
  return Object.entries(value).flatMap(([operator, operand]) => {
    if (operator === '$elemMatch') return memberPredicates(path, operand, collation);
    if (operator === '$regex') return one(path, operator, operand, regexOf(operand, value['$options']));
    return one(path, operator, operand, operators.get(operator)?.(operand, collation));
  });
}

/** Whether a value is a document of operators, such as `{ $gt: 5 }`. */
function isOperators(value: Value): value is Doc {
  return isDoc(value) && (Object.keys(value)[0]?.startsWith('$') ?? false) && !('$ref' in value);
}

function memberPredicates(path: string, operand: Value, collation: Collation | undefined): readonly Predicate[] {
  if (!isDoc(operand)) return [];
  return isOperators(operand)
    ? fieldPredicates(path, operand, collation)
    : predicatesOf(operand, collation, `${path}.`);
}

function one(
  path: string,
  operator: string,
  operand: Value,
  intervals: readonly Interval[] | undefined,
): readonly Predicate[] {
  return intervals === undefined ? [] : [{ path, operator, operand, intervals }];
}

/** The types whose order depends on the collation: strings, and containers of strings. */
const collatedRanks: ReadonlySet<number> = new Set(['', {}, [], new Code('', {})].map(rankOf));

/** Whether a condition matches the same documents under any collation: none of its values is or contains a string. */
export const isCollationFree = ({ operand }: Predicate): boolean =>
  !(Array.isArray(operand) ? operand : [operand]).some((value) => collatedRanks.has(rankOf(value)));

/**
 * Whether an index with one collation has the intervals of a condition under another: if the collations are the same,
 * or the condition concerns values other than strings. A pattern matches characters whatever the collation, so its
 * intervals are in byte order.
 */
export function isBounding(predicate: Predicate, index: Collation | undefined, query: Collation | undefined): boolean {
  if (predicate.operator === '$regex') return index === undefined;
  return sameCollation(index, query) || isCollationFree(predicate);
}

type Intervals = (operand: Value, collation: Collation | undefined) => readonly Interval[] | undefined;

/** Values that cannot be looked up by one key. */
const unsuited = (value: Value): boolean => Array.isArray(value) || value instanceof BSONRegExp || value === undefined;

const equality: Intervals = (value) => (unsuited(value) ? undefined : point(value));

/** Equal values share one interval; otherwise a document would be found several times. */
const membership: Intervals = (operand, collation) =>
  !Array.isArray(operand) || operand.some(unsuited) ? undefined : distinctOf(operand, collation).flatMap(point);

const operators: ReadonlyMap<string, Intervals> = new Map<string, Intervals>([
  ['$eq', equality],
  ['$in', membership],
  [
    '$all',
    (operand, collation) =>
      Array.isArray(operand) && operand.length > 0 && !isOperators(operand[0])
        ? equality(operand[0], collation)
        : undefined,
  ],
  ['$gt', (value) => range(value, (bracket) => ({ low: value, high: bracket.high, openLow: true }))],
  ['$gte', (value) => range(value, (bracket) => ({ low: value, high: bracket.high }))],
  ['$lt', (value) => range(value, (bracket) => ({ low: bracket.low, high: value, openHigh: true }))],
  ['$lte', (value) => range(value, (bracket) => ({ low: bracket.low, high: value }))],
  ['$type', typeIntervals],
  ['$exists', (value) => (value === false || toDouble(value) === 0 ? point(null) : [everything])],
]);

/** The least value of each type, in the order of types. Lists have the keys of their members. */
const leastOfType: readonly (readonly [names: readonly Value[], least: Value])[] = [
  [['minKey', -1], lowest],
  [['null', 10], null],
  [['number', 'int', 'long', 'double', 'decimal', 1, 16, 18, 19], Number.NaN],
  [['string', 'symbol', 2, 14], ''],
  [['object', 3], {}],
  [['binData', 5], new Binary(new Uint8Array(0))],
  [['objectId', 7], new ObjectId('000000000000000000000000')],
  [['bool', 8], false],
  [['date', 9], new Date(-8_640_000_000_000_000)],
  [['timestamp', 17], new Timestamp(0n)],
  [['regex', 'dbPointer', 'javascript', 'javascriptWithScope', 11, 12, 13, 15], new BSONRegExp('')],
  [['maxKey', 127], highest],
];

/** One interval from the least value of the first type to the first value beyond the last type. */
function typeIntervals(operand: Value): readonly Interval[] | undefined {
  const names = Array.isArray(operand) ? operand : [operand];
  const places = names.map((name) => leastOfType.findIndex(([types]) => types.includes(name)));
  if (places.length === 0 || places.includes(-1)) return undefined;
  const [, low = null] = leastOfType[Math.min(...places)] ?? [];
  const beyond = leastOfType[Math.max(...places) + 1];
  return [beyond === undefined ? { low, high: highest } : { low, high: beyond[1], openHigh: true }];
}

function range(value: Value, make: (bracket: Interval) => Interval): readonly Interval[] | undefined {
  if (unsuited(value) || value instanceof MinKey || value instanceof MaxKey) return undefined;
  if (value === null) return point(null);
  if (Number.isNaN(toDouble(value) ?? 0)) return point(value);
  return [make(bracketOf(value))];
}

/** The range of all values of the same type; a neighbouring type provides the end if the type has none. */
function bracketOf(value: Value): Interval {
  if (toDouble(value) !== undefined) return { low: Number.NaN, high: '' };
  if (typeof value === 'string') return { low: '', high: {} };
  if (value instanceof ObjectId) return { low: new ObjectId('000000000000000000000000'), high: false };
  if (typeof value === 'boolean') return { low: false, high: true };
  if (value instanceof Date) return { low: true, high: new Timestamp(0n) };
  return everything;
}

function regexOf(operand: Value, options: Value): readonly Interval[] | undefined {
  if (typeof operand === 'string') return regexIntervals(operand, typeof options === 'string' ? options : '');
  if (!(operand instanceof BSONRegExp)) return undefined;
  return regexIntervals(operand.pattern, typeof options === 'string' ? options : operand.options);
}

/** The strings that start with the pattern's prefix, and the pattern itself, which equals itself as a value. */
function regexIntervals(pattern: string, options: string): readonly Interval[] | undefined {
  const found = /^\^([\w ,:@/-]+)(.?)/u.exec(pattern);
  if (found === null || options !== '' || pattern.includes('|')) return undefined;
  const [, literal = '', next = ''] = found;
  const prefix = '*?{+'.includes(next) && next !== '' ? literal.slice(0, -1) : literal;
  if (prefix === '') return undefined;
  return [{ low: prefix, high: `${prefix}\u{10ffff}` }, ...point(new BSONRegExp(pattern, options))];
}
