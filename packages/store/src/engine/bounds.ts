/** Computes index bounds: the part of an index that a filter needs, and how far the index provides the sort order. */
import type { Doc, Value } from 'dossier-language/values';
import { type Collation, sameCollation } from 'dossier-language/values';
import { equal } from 'dossier-language/values';
import type { IndexTree } from './index-tree.ts';
import { type KeyRange, unionOf } from './key-ranges.ts';
import { everything, type Interval, isBounding, isCollationFree, type Predicate } from './predicates.ts';

/** How a query can use an index. */
export interface IndexUse {
  readonly tree: IndexTree;
  readonly ranges: readonly KeyRange[];
  /** Number of leading index fields with bounds; 0 scans the whole index. */
  readonly boundedFields: number;
  /** Number of leading sort fields that the index order provides. */
  readonly sortedFields: number;
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
export interface QueryNeeds {
  readonly predicates: readonly Predicate[];
  /** The alternatives of each `$or`, of which a document meets one. */
  readonly alternatives: readonly (readonly (readonly Predicate[])[])[];
  readonly sort: readonly SortField[];
  readonly collation: Collation | undefined;
}

/** How a query can use an index. An index with another collation has another order. */
export function useOf(tree: IndexTree, needs: QueryNeeds): IndexUse {
  const common = chosenFor(tree, needs, needs.predicates);
  const isOrdered = rangeCountOf(common) === 1;
  const plain = useBy(tree, needs, { common, alternatives: [common], isUnion: false, isOrdered });
  const unions = needs.alternatives
    .map((parts) => parts.map((part) => chosenFor(tree, needs, [...part, ...needs.predicates])))
    .filter((parts) => parts.every((part) => part.length >= Math.max(1, common.length)))
    .filter((parts) => parts.length > 0 && sumOf(parts.map(rangeCountOf)) <= maxRanges)
    .map((alternatives) => useBy(tree, needs, { common, alternatives, isUnion: true, isOrdered: true }));
  return unions.reduce((best, use) => (use.sortedFields >= best.sortedFields ? use : best), plain);
}

/** The intervals of leading index fields. */
type FieldIntervals = readonly (readonly Interval[])[];

const rangeCountOf = (chosen: FieldIntervals): number =>
  chosen.reduce((product, intervals) => product * intervals.length, 1);
const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** The intervals that conditions give for an index: of several fields, all but the last have points only. */
function chosenFor(tree: IndexTree, needs: QueryNeeds, conditions: readonly Predicate[]): FieldIntervals {
  const { fields, collation } = tree.spec;
  const predicates = conditions.filter((predicate) => isBounding(predicate, collation, needs.collation));
  const chosen: (readonly Interval[])[] = [];
  let rangeCount = 1;
  for (const { path } of fields) {
    const intervals = intervalsFor(path, predicates, tree.multikey);
    if (intervals === undefined || rangeCount * intervals.length > maxRanges) break;
    chosen.push(intervals);
    rangeCount *= intervals.length;
    if (tree.multikey || !intervals.every(isPoint)) break;
  }
  return chosen;
}

interface IntervalChoice {
  /** The intervals that all documents of the query are in. */
  readonly common: FieldIntervals;
  /** A document is in the intervals of one of these. */
  readonly alternatives: readonly FieldIntervals[];
  readonly isUnion: boolean;
  /** Whether the ranges are in index order. */
  readonly isOrdered: boolean;
}

function useBy(
  tree: IndexTree,
  needs: QueryNeeds,
  { common, alternatives, isUnion, isOrdered }: IntervalChoice,
): IndexUse {
  const { fields, collation } = tree.spec;
  const sort = isOrdered && sameCollation(collation, needs.collation) ? needs.sort : [];
  const fixed = common.findIndex((intervals) => intervals.length !== 1 || !intervals.every(isPoint));
  const order = orderOf(tree, sort, fixed < 0 ? common.length : fixed);
  const all = alternatives.flatMap((chosen) => rangesOf(tree, chosen));
  const ranges = isUnion ? unionOf(all, tree.order) : all;
  return {
    tree,
    ranges: order.backwards ? ranges.toReversed() : ranges,
    boundedFields: Math.min(...alternatives.map((chosen) => chosen.length)),
    ...order,
    shown: fields.map(({ path }, at) => [path, alternatives.flatMap((chosen) => chosen[at] ?? [everything])]),
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
  const { low, openLow = false } = intervals[lower] ?? whole;
  const { high, openHigh = false } = intervals[upper] ?? whole;
  return { low, high, openLow, openHigh };
}

function orderOf(
  tree: IndexTree,
  sort: readonly SortField[],
  fixed: number,
): { readonly sortedFields: number; readonly backwards: boolean } {
  if (tree.multikey || sort.length === 0) return { sortedFields: 0, backwards: false };
  const fields = tree.spec.fields;
  const fixedPaths = new Set(fields.slice(0, fixed).map((field) => field.path));
  let backwards: boolean | undefined;
  let at = fixed;
  let sortedFields = 0;
  for (const { path, direction } of sort) {
    if (!fixedPaths.has(path)) {
      const field = fields[at];
      if (field?.path !== path) break;
      backwards ??= field.direction !== direction;
      if ((field.direction !== direction) !== backwards) break;
      at += 1;
    }
    sortedFields += 1;
  }
  return { sortedFields, backwards: backwards ?? false };
}

/** The ranges of the intervals of leading index fields. */
export function rangesOf(tree: IndexTree, chosen: readonly (readonly Interval[])[]): readonly KeyRange[] {
  let ranges: readonly KeyRange[] = [{ low: [], high: [] }];
  chosen.forEach((intervals, at) => {
    const ascending = tree.spec.fields[at]?.direction !== -1;
    ranges = ranges.flatMap((range) =>
      intervals.map(({ low, high, openLow = false, openHigh = false }) => ({
        low: [...range.low, ascending ? low : high],
        high: [...range.high, ascending ? high : low],
        openLow: ascending ? openLow : openHigh,
        openHigh: ascending ? openHigh : openLow,
      })),
    );
  });
  return ranges;
}

/** Whether a partial or sparse index contains every document that a filter matches. */
export function covers(tree: IndexTree, { predicates, collation }: QueryNeeds): boolean {
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
