/** Which rows of a model a request reads: caller AND hook AND rights AND deletion. The only maker of plans. */
import type { Grant } from '../policy/decide.ts';
import { rowFilter } from '../policy/policy.ts';
import type { Context } from '../context.ts';
import { projectionOf, withNested, type Fields } from '../language/fields.ts';
import type { Filter } from '../language/filter.ts';
import { allOf } from '../language/merge.ts';
import { notDeleted } from '../registry/deleted.ts';
import type { ModelEntry } from '../registry/entry.ts';
import type { LinkPlan, RowsPlan } from './plan-types.ts';

export interface RowsWishes {
  /** Undefined only where the rows were decided by another document that names them. */
  readonly grant: Grant | undefined;
  readonly filters: readonly (Filter | undefined)[];
  readonly fields: Fields | undefined;
  readonly links: readonly LinkPlan[];
  readonly showDeleted: boolean;
}

export function rowsPlan(context: Context, model: ModelEntry, wishes: RowsWishes): RowsPlan {
  const { grant, filters, links, showDeleted } = wishes;
  const linkPaths = links.map(({ link }) => link.path);
  const fields = withNested(wishes.fields, linkPaths);
  return {
    model,
    filter: allOf([
      ...filters,
      grant === undefined ? undefined : rowFilter(grant, model),
      showDeleted ? undefined : notDeleted,
    ]),
    fields,
    projection: model.computed ? undefined : projectionOf(fields, linkPaths),
    links,
    maxTimeMS: context.services.settings.query_limits.max_time_ms,
  } as unknown as RowsPlan;
}
