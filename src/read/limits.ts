/** The query limits: which page a request gets, or why not (docs/limits.md). Pure. */
import { badParameter, limitOutside, limitRequired } from '../errors.ts';
import { flagOf, wholeOf, type ParameterTree } from '../query/params.ts';
import type { ModelEntry } from '../models/entry.ts';
import type { Settings } from '../settings/types.ts';
import type { Page } from './plan-types.ts';

/** Above this many documents a list's count is -1. */
export const countedAtMost = 100_000;

/** The page of a list. `size` is the estimated number of documents in the collection. @throws 400 */
export function pageFor(
  query: ParameterTree,
  model: ModelEntry,
  size: number,
  settings: Settings['query_limits'],
): Page {
  const own = model.options.query_limits;
  const max = own.max ?? settings.max;
  const asked = wholeOf(query, 'limit');
  const page = wholeOf(query, 'page') ?? 1;
  const limit = settings.enabled ? bounded(asked, model, size, max, settings) : asked;
  const counted = flagOf(query, 'count') || query['page'] !== undefined || !settings.skip_count_unless_paginated;
  const actual = limit ?? (query['page'] === undefined ? undefined : Math.min(own.default ?? settings.default, max));
  return {
    limit: actual,
    page,
    skip: actual === undefined ? 0 : (page - 1) * actual,
    capped: settings.enabled && asked !== undefined && asked > max,
    count: counted,
  };
}

/** The page of an export: all rows where neither `limit` nor `page` is given, or with `limit=all`. @throws 400 */
export function exportPage(
  query: ParameterTree,
  model: ModelEntry,
  size: number,
  settings: Settings['query_limits'],
): Page {
  const { limit, page } = query;
  const all = limit === 'all';
  if (all && page !== undefined) throw badParameter('page', 'must not be given with limit=all, which has no pages');
  if (!all && (limit !== undefined || page !== undefined)) return pageFor(query, model, size, settings);
  if (!all && settings.enabled && isLarge(model, size, settings))
    throw limitRequired(model.name, model.options.query_limits.max ?? settings.max, ', or limit=all for all rows');
  return { limit: undefined, page: 1, skip: 0, capped: false, count: false };
}

const isLarge = ({ options }: ModelEntry, size: number, settings: Settings['query_limits']): boolean =>
  size >= (options.query_limits.large_collection_threshold ?? settings.large_collection_threshold);

function bounded(
  asked: number | undefined,
  model: ModelEntry,
  size: number,
  max: number,
  settings: Settings['query_limits'],
): number {
  const own = model.options.query_limits;
  const large = isLarge(model, size, settings);
  if (large && asked === undefined) throw limitRequired(model.name, max);
  if (large && asked !== undefined && asked > max) throw limitOutside(model.name, max);
  return Math.min(asked ?? own.default ?? settings.default, max);
}
