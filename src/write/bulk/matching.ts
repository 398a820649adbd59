/** Everything that a bulk operation may match: the caller's filter, rights, hook and, with `deleted`, the state of deletion. */
import type { Grant } from '../../access/decide.ts';
import { rowFilter } from '../../access/rows.ts';
import type { ModelContext } from '../../context.ts';
import type { Filter } from '../../language/filter.ts';
import { allOf } from '../../language/merge.ts';

export const matching = (context: ModelContext, filter: Filter, grant: Grant, deleted: Filter | undefined): Filter =>
  allOf([filter, deleted, context.filter, rowFilter(grant, context.model)]);
