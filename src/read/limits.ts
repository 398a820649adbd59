/** The query limits: which page a request gets, or why not (docs/limits.md). */
import { limitAboveMaximum, limitRequired } from '../errors/errors.ts';
import { messageName, type ModelEntry } from '../models/entry.ts';
import type { RequestedPage } from '../query/page.ts';
import type { Settings } from '../settings/types.ts';
import type { ListIntent } from './intents.ts';
import type { Page, Planner } from './plan-types.ts';

/** Above this many documents a list's count is -1. */
export const maxCounted = 100_000;

type QueryLimits = Settings['query_limits'];

/** The limits of one model's lists: its own options, else the settings. */
interface ListLimits {
  readonly enabled: boolean;
  /** The number of rows where the request names none. */
  readonly standard: number;
  readonly max: number;
  /** From this number of documents on a list needs a limit of at most `max`. */
  readonly large: number;
}

/** The page of a list. */
export function pageOf(requested: RequestedPage, model: ModelEntry, settings: QueryLimits): Page {
  const { all, cursor, page: number } = requested;
  if (all !== undefined) return { limit: undefined, page: 1, skip: 0, capped: false, count: undefined };
  const { enabled, standard, max } = limitsOf(model, settings);
  const isPaged = number !== undefined;
  const page = cursor === undefined ? (number ?? 1) : undefined;
  const limit = enabled
    ? Math.min(requested.limit ?? standard, max)
    : (requested.limit ?? (isPaged ? Math.min(standard, max) : undefined));
  return {
    limit,
    page,
    skip: limit === undefined || page === undefined ? 0 : (page - 1) * limit,
    capped: enabled && requested.limit !== undefined && requested.limit > max,
    count: requested.count ?? (isPaged || !settings.skip_count_unless_paginated ? 'exact' : undefined),
  };
}

/** Whether a page may be too large for its collection. */
export function mayBeTooLarge({ all, limit }: RequestedPage, model: ModelEntry, settings: QueryLimits): boolean {
  const { enabled, max } = limitsOf(model, settings);
  return enabled && all !== 'named' && (limit === undefined || limit > max);
}

/** The estimated number of documents in the collection of a list. @throws 400 for a page that it is too large for */
export async function checkedSize(
  { services: { reads, settings } }: Planner,
  { policy: { model }, page: { all, limit } }: ListIntent,
): Promise<number> {
  const { enabled, max, large } = limitsOf(model, settings.query_limits);
  const size = await reads.sizes.of(model);
  if (!enabled || size < large || all === 'named') return size;
  if (limit === undefined) throw limitRequired(messageName(model), max, all && ', or limit=all for all rows');
  if (limit > max) throw limitAboveMaximum(messageName(model), max);
  return size;
}

function limitsOf({ options }: ModelEntry, settings: QueryLimits): ListLimits {
  const own = options.query_limits;
  return {
    enabled: settings.enabled,
    standard: own.default ?? settings.default,
    max: own.max ?? settings.max,
    large: own.large_collection_threshold ?? settings.large_collection_threshold,
  };
}
