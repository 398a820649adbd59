/** Computes index bounds: the part of an index that a filter needs, and how far the index provides the sort order. */
import type { Doc, Value } from 'dossier-language/values';
import { type Collation, sameCollation } from 'dossier-language/values';
import { equal } from 'dossier-language/values';
import type { IndexTree } from './index-tree.ts';
import { everything, type Interval, isBounding, isCollationFree, type Predicate } from './predicates.ts';

/** A range of an index: inclusive prefixes of keys, in index order. */
interface KeyRange {
  readonly low: readonly Value[];
  readonly high: readonly Value[];
}

/** How a query can use an index. */
export interface IndexUse {
  readonly tree: IndexTree;
  readonly ranges: readonly KeyRange[];
  /** Number of leading index fields with bounds; 0 scans the whole index. */
  readonly bounded: number;
  /** Number of leading sort fields that the index order provides. */
  readonly sorted: number;
  readonly backwards: boolean;
  /** The intervals by field, for `explain`. */
  readonly shown: readonly (readonly [path: string, intervals: readonly Interval[]])[];
}

/** One field of a sort. */
export interface SortField {
  readonly path: string;
  readonly direction: 1 | -1;
}

const maxRanges = 1000;
const wholeNumber = /(^|\.)\d+(\.|$)/;

const isPoint = ({ low, high }: Interval): boolean => low === high;

/** The requirements of a query: conditions, sort and collation. */
export interface Needs {
  readonly predicates: readonly Predicate[];
  readonly sort: readonly SortField[];
  readonly collation: Collation | undefined;
}

/** How a query can use an index. An index with another collation has another order. */
export function useOf(tree: IndexTree, needs: Needs): IndexUse {
  const { fields, collation } = tree.spec;
  const predicates = needs.predicates.filter((predicate) => isBounding(predicate, collation, needs.collation));
  const sort = sameCollation(collation, needs.collation) ? needs.sort : [];
  const chosen: (readonly Interval[])[] = [];
  let rangeCount = 1;
  for (const { path } of fields) {
    const intervals = intervalsFor(path, predicates, tree.multikey);
    if (intervals === undefined || rangeCount * intervals.length > maxRanges) break;
    chosen.push(intervals);
    rangeCount *= intervals.length;
    if (tree.multikey || !intervals.every(isPoint)) break;
  }
  const fixed = chosen.findIndex((intervals) => intervals.length !== 1 || !intervals.every(isPoint));
  const order = orderOf(tree, sort, fixed < 0 ? chosen.length : fixed, rangeCount);
  const ranges = rangesOf(tree, chosen);
  return {
    tree,
    ranges: order.backwards ? ranges.toReversed() : ranges,
    bounded: chosen.length,
    ...order,
    shown: fields.map(({ path }, at) => [path, chosen[at] ?? [everything]]),
  };
}

/**
 * The intervals for one path: their intersection if the index has one key per document, otherwise the most selective
 * condition.
 */
function intervalsFor(
  path: string,
  predicates: readonly Predicate[],
  multikey: boolean,
): readonly Interval[] | undefined {
  if (wholeNumber.test(path)) return undefined;
  const bounding = predicates.filter(
    (predicate) => predicate.path === path && !predicate.intervals.includes(everything),
  );
  const points = bounding.find((predicate) => predicate.intervals.every(isPoint));
  if (points !== undefined) return points.intervals;
  const [first] = bounding;
  if (first === undefined || multikey || first.intervals.length !== 1) return first?.intervals;
  const singles = bounding.filter((predicate) => predicate.intervals.length === 1);
  return [
    cut(
      singles.flatMap((predicate) => predicate.intervals),
      singles,
    ),
  ];
}

/**
 * Intersects the conditions: `$gt` and `$gte` give the lower bound, `$lt` and `$lte` the upper bound; the first of each
 * is used.
 */
function cut(intervals: readonly Interval[], predicates: readonly Predicate[]): Interval {
  const lower = predicates.findIndex(({ operator }) => operator === '$gt' || operator === '$gte');
  const upper = predicates.findIndex(({ operator }) => operator === '$lt' || operator === '$lte');
  const whole = intervals[0] ?? everything;
  return { low: intervals[lower]?.low ?? whole.low, high: intervals[upper]?.high ?? whole.high };
}

function orderOf(
  tree: IndexTree,
  sort: readonly SortField[],
  fixed: number,
  ranges: number,
): { readonly sorted: number; readonly backwards: boolean } {
  if (tree.multikey || ranges !== 1 || sort.length === 0) return { sorted: 0, backwards: false };
  const fields = tree.spec.fields;
  const fixedPaths = new Set(fields.slice(0, fixed).map((field) => field.path));
  let backwards: boolean | undefined;
  let at = fixed;
  let sorted = 0;
  for (const { path, direction } of sort) {
    if (!fixedPaths.has(path)) {
      const field = fields[at];
      if (field?.path !== path) break;
      backwards ??= field.direction !== direction;
      if ((field.direction !== direction) !== backwards) break;
      at += 1;
    }
    sorted += 1;
  }
  return { sorted, backwards: backwards ?? false };
}

function rangesOf(tree: IndexTree, chosen: readonly (readonly Interval[])[]): readonly KeyRange[] {
  let ranges: readonly KeyRange[] = [{ low: [], high: [] }];
  chosen.forEach((intervals, at) => {
    const ascending = tree.spec.fields[at]?.direction !== -1;
    ranges = ranges.flatMap((range) =>
      intervals.map(({ low, high }) => ({
        low: [...range.low, ascending ? low : high],
        high: [...range.high, ascending ? high : low],
      })),
    );
  });
  return ranges;
}

/** Whether a partial or sparse index contains every document that a filter matches. */
export function covers(tree: IndexTree, { predicates, collation }: Needs): boolean {
  const { sparse, partial, fields } = tree.spec;
  if (
    sparse &&
    !fields.some(({ path }) => predicates.some((predicate) => predicate.path === path && needsValue(predicate)))
  ) {
    return false;
  }
  if (partial === undefined) return true;
  const alike = sameCollation(tree.spec.collation, collation);
  return implies(alike ? predicates : predicates.filter(isCollationFree), partial, collation);
}

const needsValue = ({ intervals, operator }: Predicate): boolean =>
  operator !== '$regex' ? intervals.every((interval) => interval.low !== null) : true;

/** Whether each condition of the partial filter is also in the query or follows from an equality of the query. */
function implies(predicates: readonly Predicate[], partial: Doc, collation: Collation | undefined): boolean {
  return Object.entries(partial).every(([path, condition]) =>
    path === '$and'
      ? (condition as readonly Doc[]).every((part) => implies(predicates, part, collation))
      : impliesField(
          predicates.filter((predicate) => predicate.path === path),
          condition,
          collation,
        ),
  );
}

function impliesField(predicates: readonly Predicate[], condition: Value, collation: Collation | undefined): boolean {
  const wanted = conditionsOf(condition);
  return wanted.every(
    ([operator, operand]) =>
      predicates.some((predicate) => predicate.operator === operator && equal(predicate.operand, operand, collation)) ||
      (operator === '$exists' && operand === true && predicates.some(needsValue)),
  );
}

function conditionsOf(condition: Value): readonly (readonly [string, Value])[] {
  const plain = typeof condition !== 'object' || condition === null || Array.isArray(condition);
  if (plain || !(Object.keys(condition)[0]?.startsWith('$') ?? false)) return [['$eq', condition]];
  return Object.entries(condition as Doc);
}
