/**
 * Creates the plan of the rows that a request reads: the filters of the caller, the hook, the rights and deletion, joined by AND.
 * Only this file creates plans.
 */
import type { Context } from '../context.ts';
import { notDeleted } from '../models/deleted.ts';
import type { Policy } from '../policy/policy.ts';
import { type Fields, projectionOf, withLinkPaths } from '../query/fields.ts';
import type { Filter } from '../query/filter.ts';
import type { LinkPlan, RowsPlan } from './plan-types.ts';

export interface RowsPlanOptions {
  readonly policy: Policy;
  readonly filters: readonly (Filter | undefined)[];
  readonly fields: Fields | undefined;
  readonly links: readonly LinkPlan[];
  readonly showDeleted: boolean;
  /** Further paths that the read needs, such as those of the order. */
  readonly needed?: readonly string[];
}

export function rowsPlan(context: Context, options: RowsPlanOptions): RowsPlan {
  const { policy, filters, links, showDeleted } = options;
  const { model } = policy;
  const { ownRows } = policy;
  const linkPaths = links.map(({ link }) => link.path);
  const needed = [...linkPaths, ...(ownRows === undefined ? [] : [ownRows.path]), ...(options.needed ?? [])];
  const fields = withLinkPaths(options.fields, linkPaths);
  return {
    model,
    policy,
    filter: policy.filter('r', ...filters, showDeleted ? undefined : notDeleted),
    fields,
    projection: model.computed ? undefined : projectionOf(fields, needed),
    links,
    maxTimeMS: context.services.settings.query_limits.max_time_ms,
  } as unknown as RowsPlan;
}
