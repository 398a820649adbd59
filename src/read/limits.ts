/** The query limits: which page a request gets, or why not (docs/limits.md). Pure. */
import { badParameter, limitAboveMaximum, limitRequired } from '../errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import { countFrom } from '../query/count.ts';
import { type ParameterTree, wholeNumberOf } from '../query/parameter-tree.ts';
import type { Settings } from '../settings/types.ts';
import type { Page } from './plan-types.ts';

/** Above this many documents a list's count is -1. */
export const maxCounted = 100_000;

type QueryLimits = Settings['query_limits'];

/** The limits of one model's lists: its own options, else the settings. */
interface ListLimits {
  readonly model: string;
  readonly enabled: boolean;
  /** The number of rows where the request names none. */
  readonly standard: number;
  readonly max: number;
  /** The collection is so large that a list of it needs a limit of at most `max`. */
  readonly isLarge: boolean;
}

/** The page of a list. `size` is the estimated number of documents in the collection. @throws 400 */
export function pageFor(query: ParameterTree, model: ModelEntry, size: number, settings: QueryLimits): Page {
  const limits = limitsOf(model, size, settings);
  const requested = wholeNumberOf(query, 'limit');
  const isPaged = query['page'] !== undefined;
  const page = hasCursor(query) ? undefined : (wholeNumberOf(query, 'page') ?? 1);
  const limit = limitFor(requested, isPaged, limits);
  return {
    limit,
    page,
    skip: limit === undefined || page === undefined ? 0 : (page - 1) * limit,
    capped: limits.enabled && requested !== undefined && requested > limits.max,
    count: countFrom(query) ?? (isPaged || !settings.skip_count_unless_paginated ? 'exact' : undefined),
  };
}

const hasCursor = (query: ParameterTree): boolean => query['after'] !== undefined || query['before'] !== undefined;

/** The page of an export: all rows where neither `limit` nor `page` nor a cursor is given, or with `limit=all`. @throws 400 */
export function exportPage(query: ParameterTree, model: ModelEntry, size: number, settings: QueryLimits): Page {
  const { limit, page } = query;
  const all = limit === 'all';
  if (all && page !== undefined) throw badParameter('page', 'must not be given with limit=all, which has no pages');
  if (all && hasCursor(query)) throw badParameter('limit', 'must not be all where a cursor is given');
  if (!all && (limit !== undefined || page !== undefined || hasCursor(query)))
    return pageFor(query, model, size, settings);
  const { enabled, isLarge, max } = limitsOf(model, size, settings);
  if (!all && enabled && isLarge) throw limitRequired(model.name, max, ', or limit=all for all rows');
  return { limit: undefined, page: 1, skip: 0, capped: false, count: undefined };
}

function limitsOf({ name, options }: ModelEntry, size: number, settings: QueryLimits): ListLimits {
  const own = options.query_limits;
  return {
    model: name,
    enabled: settings.enabled,
    standard: own.default ?? settings.default,
    max: own.max ?? settings.max,
    isLarge: size >= (own.large_collection_threshold ?? settings.large_collection_threshold),
  };
}

/** The number of rows on a page; undefined for all rows. @throws 400 */
function limitFor(requested: number | undefined, isPaged: boolean, limits: ListLimits): number | undefined {
  const { model, enabled, standard, max, isLarge } = limits;
  if (!enabled) return requested ?? (isPaged ? Math.min(standard, max) : undefined);
  if (isLarge && requested === undefined) throw limitRequired(model, max);
  if (isLarge && requested !== undefined && requested > max) throw limitAboveMaximum(model, max);
  return Math.min(requested ?? standard, max);
}
