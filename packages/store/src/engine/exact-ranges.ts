/**
 * Decides whether ranges of an index contain exactly the documents of a filter, so that counting and listing values need
 * no documents. Unlike the bounds of a query, these ranges may not be wider than the filter.
 */
import { BSONRegExp, ObjectId, Timestamp } from 'bson';
import { compileFilter } from 'dossier-language/query';
import { type Collation, type Doc, isDoc, sameCollation, toDouble, type Value } from 'dossier-language/values';
import { covers, type IndexUse, rangesOf, type SortField } from './bounds.ts';
import type { Collection } from './collection.ts';
import type { IndexTree } from './index-tree.ts';
import { IntervalSets } from './interval-sets.ts';
import { type KeyRange, unionOf } from './key-ranges.ts';
import { hintedTree, isHint } from './planner.ts';
import { alternativesOf, everything, type Interval, predicatesOf } from './predicates.ts';

/** Ranges of an index whose keys are those of the documents of a filter: one key for each document. */
export interface ExactRanges {
  readonly tree: IndexTree;
  readonly ranges: readonly KeyRange[];
  /** The intervals by field, for `explain`. */
  readonly shown: readonly (readonly [path: string, intervals: readonly Interval[]])[];
}

/** The input of `exactRanges`. */
export interface ExactQuery {
  readonly filter: Doc;
  readonly hint: Value;
  readonly collation: Collation | undefined;
}

/** The number of keys of ranges. */
export const keysIn = ({ tree, ranges }: Pick<ExactRanges, 'tree' | 'ranges'>): number => tree.countInAll(ranges);

const maxRanges = 1000;
const wholeNumber = /(^|\.)\d+(\.|$)/;

/**
 * The exact ranges of a filter in the first index that has them.
 * @param accepts whether an index suits, given the paths of the filter
 */
export function exactRanges(
  collection: Collection,
  query: ExactQuery,
  accepts: (tree: IndexTree, paths: readonly string[]) => boolean = () => true,
): ExactRanges | undefined {
  const { filter, hint, collation } = query;
  const conditions = conditionsOf(filter);
  if (conditions === undefined) return undefined;
  if (isHint(hint)) {
    const tree = hintedTree(collection, hint);
    return tree && rangesIn(tree, conditions, collation);
  }
  const noSort: readonly SortField[] = [];
  const needs = {
    predicates: predicatesOf(filter, collation),
    alternatives: alternativesOf(filter, collation),
    sort: noSort,
    collation,
  };
  const paths = conditions.map(({ path }) => path);
  for (const tree of collection.trees) {
    const isUsable = !tree.spec.hidden && accepts(tree, paths) && covers(tree, needs);
    const found = isUsable ? rangesIn(tree, conditions, collation) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether the ranges of a plan contain the keys of the documents of a filter and no others: one key for each document. */
export function isExact({ tree, ranges }: IndexUse, filter: Doc, collation: Collation | undefined): boolean {
  const conditions = conditionsOf(filter);
  const exact = conditions && rangesIn(tree, conditions, collation);
  if (exact === undefined) return false;
  const union = unionOf([...ranges, ...exact.ranges], tree.order);
  const counts = [ranges, exact.ranges, union].map((some) => tree.countInAll(some));
  return counts.every((count) => count === counts[0]);
}

/** One operator of a filter. */
export interface Condition {
  readonly path: string;
  readonly operator: string;
  readonly operand: Value;
}

/**
 * The conditions of a filter that is a conjunction of them, all with operators that ranges can stand for; undefined for
 * any other filter.
 */
export function conditionsOf(filter: Doc): readonly Condition[] | undefined {
  const found: Condition[] = [];
  for (const [name, value] of Object.entries(filter)) {
    const parts = name === '$and' && Array.isArray(value) ? value.map((part) => (isDoc(part) ? part : undefined)) : [];
    if (name.startsWith('$') && parts.length === 0) return undefined;
    for (const part of parts) {
      const inner = part && conditionsOf(part);
      if (inner === undefined) return undefined;
      found.push(...inner);
    }
    if (!name.startsWith('$')) found.push(...fieldConditions(name, value));
  }
  return found.every(({ operator, path }) => operators.has(operator) && !wholeNumber.test(path)) ? found : undefined;
}

function fieldConditions(path: string, value: Value): readonly Condition[] {
  const isOperators = isDoc(value) && (Object.keys(value)[0]?.startsWith('$') ?? false);
  return isOperators
    ? Object.entries(value).map(([operator, operand]) => ({ path, operator, operand }))
    : [{ path, operator: '$eq', operand: value }];
}

/** The filter of a conjunction of conditions. */
export const filterOf = (conditions: readonly Condition[]): Doc =>
  conditions.length === 0
    ? {}
    : { $and: conditions.map(({ path, operator, operand }) => ({ [path]: { [operator]: operand } })) };

/** The ranges of one index. */
function rangesIn(
  tree: IndexTree,
  conditions: readonly Condition[],
  collation: Collation | undefined,
): ExactRanges | undefined {
  const { fields } = tree.spec;
  if (tree.multikey) return undefined;
  const paths = new Set(conditions.map(({ path }) => path));
  const chosen: (readonly Interval[])[] = [];
  let rangeCount = 1;
  for (const { path } of fields.slice(0, paths.size)) {
    // only the last of several fields may have other intervals than points
    if (!paths.has(path) || !(chosen.at(-1) ?? []).every(isPoint)) return undefined;
    const own = conditions.filter((condition) => condition.path === path);
    const intervals = intervalsOf(tree, own, collation);
    rangeCount *= intervals?.length ?? 0;
    if (intervals === undefined || rangeCount > maxRanges) return undefined;
    chosen.push(intervals);
  }
  if (chosen.length < paths.size) return undefined;
  const shown = fields.map(({ path }, at) => [path, chosen[at] ?? [everything]] as const);
  return { tree, ranges: rangesOf(tree, chosen), shown };
}

const isPoint = ({ low, high }: Interval): boolean => low === high;

/** The values of a field that meet all its conditions; undefined if keys cannot decide it. */
function intervalsOf(
  tree: IndexTree,
  conditions: readonly Condition[],
  collation: Collation | undefined,
): readonly Interval[] | undefined {
  const sets = new IntervalSets(tree.spec.collation);
  const isAlike = sameCollation(tree.spec.collation, collation);
  let found: readonly Interval[] = [everything];
  for (const { path, operator, operand } of conditions) {
    const values = Array.isArray(operand) ? operand : [operand];
    if (!isAlike && values.some((value) => typeof value === 'string')) return undefined;
    if (values.includes(null) && !nullIsOneKey(path)) return undefined;
    const set = operator === '$exists' ? existing(tree, path, operand) : operators.get(operator)?.(operand, sets);
    if (set === undefined) return undefined;
    found = sets.intersect(found, set);
  }
  return found;
}

/** A missing field has the key null: whether it exists is known only if no document has that key. */
function existing(tree: IndexTree, path: string, operand: Value): readonly Interval[] | undefined {
  const isFirst = tree.spec.fields[0]?.path === path;
  if (!isFirst || tree.countIn({ low: [null], high: [null] }) > 0) return undefined;
  if (typeof operand !== 'boolean') return undefined;
  return operand ? [everything] : [];
}

/** Whether a filter for null matches all documents with the key null: those without the field too. */
function nullIsOneKey(path: string): boolean {
  if (path.includes('.')) return false;
  const matcher = compileFilter({ [path]: null });
  return [{ [path]: null }, {}, { [path]: undefined }].every((doc) => matcher.matches(doc));
}

/** Whether the documents that equal a value are exactly those with its key. */
const isPlain = (value: Value): boolean =>
  value !== undefined && !Array.isArray(value) && !isDoc(value) && !(value instanceof BSONRegExp);

type SetOf = (operand: Value, sets: IntervalSets) => readonly Interval[] | undefined;

const one: SetOf = (value, sets) => (isPlain(value) ? sets.of([value]) : undefined);
const several: SetOf = (list, sets) => (Array.isArray(list) && list.every(isPlain) ? sets.of(list) : undefined);
const noneOf =
  (set: SetOf): SetOf =>
  (operand, sets) => {
    const found = set(operand, sets);
    return found && sets.complement(found);
  };
const within =
  (cut: (value: Value) => Partial<Interval>): SetOf =>
  (value, sets) => {
    const bracket = bracketOf(value);
    return bracket && sets.range({ ...bracket, ...cut(value) });
  };

const operators: ReadonlyMap<string, SetOf> = new Map<string, SetOf>([
  ['$eq', one],
  ['$in', several],
  ['$ne', noneOf(one)],
  ['$nin', noneOf(several)],
  ['$gt', within((low) => ({ low, openLow: true }))],
  ['$gte', within((low) => ({ low, openLow: false }))],
  ['$lt', within((high) => ({ high, openHigh: true }))],
  ['$lte', within((high) => ({ high, openHigh: false }))],
  ['$exists', () => undefined],
]);

/** The values that `$gt` and its like compare with a value: those of its type. Undefined for rare types. */
function bracketOf(value: Value): Interval | undefined {
  const number = toDouble(value);
  if (number !== undefined)
    return Number.isNaN(number) ? undefined : { low: Number.NaN, openLow: true, high: '', openHigh: true };
  if (typeof value === 'string') return { low: '', high: {}, openHigh: true };
  if (value instanceof ObjectId) return { low: new ObjectId('0'.repeat(24)), high: false, openHigh: true };
  if (typeof value === 'boolean') return { low: false, high: true };
  if (value instanceof Date) return { low: true, openLow: true, high: new Timestamp(0n), openHigh: true };
  return undefined;
}
