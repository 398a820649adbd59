/** Chooses the plan of a query: an index, or a scan of all documents. */
import { StoreError } from 'dossier-language/errors';
import type { Collation } from 'dossier-language/values';
import type { Doc, Value } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';
import { covers, type IndexUse, type SortField, useOf } from './bounds.ts';
import type { Collection } from './collection.ts';
import { sameKey } from './index-spec.ts';
import type { IndexTree } from './index-tree.ts';
import { alternativesOf, predicatesOf } from './predicates.ts';

/** How a text search finds its documents: in natural order, or the best first, then in natural order or by `_id`. */
export type HitOrder = 'natural' | 'score' | 'score and id';

/** The plan of a query. */
export type Plan =
  | { readonly kind: 'index'; readonly use: IndexUse }
  | { readonly kind: 'scan'; readonly backwards: boolean }
  | { readonly kind: 'text'; readonly order: HitOrder; readonly index: string | undefined };

/** The input of the planner. */
export interface PlanRequest {
  readonly filter: Doc;
  readonly sort: readonly SortField[];
  /** Maximum number of documents wanted; Infinity means all. */
  readonly count: number;
  readonly hint: Value;
  readonly collation: Collation | undefined;
}

/** Plans a query. @throws StoreError 2 if the hint names no index, 27 if its key is that of several indexes */
export function planFor(collection: Collection, request: PlanRequest): Plan {
  const natural = naturalOrder(request);
  if (natural !== undefined) return { kind: 'scan', backwards: natural < 0 };
  const hinted = hintedTree(collection, request.hint);
  const { sort, collation } = request;
  const needs = {
    predicates: predicatesOf(request.filter, collation),
    alternatives: alternativesOf(request.filter, collation),
    sort,
    collation,
  };
  if (hinted !== undefined) return { kind: 'index', use: useOf(hinted, needs) };
  const uses = collection.trees
    .filter((tree) => !tree.spec.hidden && covers(tree, needs))
    .map((tree) => useOf(tree, needs))
    .filter((use) => use.boundedFields > 0 || use.sortedFields > 0);
  const best = cheapest(uses, request, collection.size);
  return best ? { kind: 'index', use: best } : { kind: 'scan', backwards: false };
}

function naturalOrder({ sort, hint }: PlanRequest): number | undefined {
  const [first] = sort;
  if (first?.path === '$natural') return first.direction;
  return isDoc(hint) && '$natural' in hint ? (Number(hint['$natural']) < 0 ? -1 : 1) : undefined;
}

/** Whether a hint is set. */
export const isHint = (hint: Value): boolean =>
  hint !== undefined && hint !== null && !(isDoc(hint) && Object.keys(hint).length === 0);

/** The index of a hint; undefined without one. @throws StoreError 2 or 27 */
export function hintedTree(collection: Collection, hint: Value): IndexTree | undefined {
  if (!isHint(hint) || !collection.exists) return undefined;
  const [found, other] = collection.trees.filter(
    ({ spec }) => !spec.hidden && (isDoc(hint) ? sameKey(spec.key, hint) : spec.name === hint),
  );
  if (found !== undefined && other !== undefined) {
    throw new StoreError(
      27,
      `Hint matched multiple indexes, must hint by index name. Matched: ${found.spec.name} and ${other.spec.name}`,
    );
  }
  if (found === undefined) {
    throw new StoreError(
      2,
      'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index',
    );
  }
  return found;
}

/** The index use with the lowest estimated cost; undefined if a scan is cheaper. */
function cheapest(uses: readonly IndexUse[], request: PlanRequest, size: number): IndexUse | undefined {
  const matches = uses.map((use) => (use.boundedFields === 0 ? size : matchesOf(use)));
  const found = Math.max(1, Math.min(size, ...matches));
  let best: IndexUse | undefined;
  let bestCost = costOf(size, 0, request, found);
  uses.forEach((use, at) => {
    const cost = costOf(matches[at] ?? size, use.sortedFields, request, found);
    if (cost < bestCost || (cost === bestCost && use.boundedFields > (best?.boundedFields ?? 0))) {
      best = use;
      bestCost = cost;
    }
  });
  return best;
}

/**
 * Estimated documents to examine, plus half for a sort. Without a sort, reading stops after the wanted number of
 * documents; the narrowest index estimates how many of the examined ones match.
 */
function costOf(matches: number, sortedFields: number, request: PlanRequest, found: number): number {
  const streams = sortedFields > 0 || request.sort.length === 0;
  if (!streams) return matches * 1.5;
  // the product of no matches and no limit would be no number
  return request.count >= found ? matches : (request.count * matches) / found;
}

function matchesOf(use: IndexUse): number {
  if (atMostOneEach(use)) return use.ranges.length;
  return use.tree.countInAll(use.ranges);
}

/** Whether each range is one whole key of a unique index. */
const atMostOneEach = ({ tree, boundedFields, ranges }: IndexUse): boolean =>
  tree.spec.unique &&
  boundedFields === tree.spec.fields.length &&
  ranges.every(({ low, high }) => low.every((value, at) => value === high[at]));

/** The sort fields that are plain paths. */
export function sortFieldsOf(sort: Doc): readonly SortField[] {
  return Object.entries(sort).flatMap(([path, direction]) =>
    isDoc(direction) ? [] : [{ path, direction: Number(direction) < 0 ? (-1 as const) : (1 as const) }],
  );
}
