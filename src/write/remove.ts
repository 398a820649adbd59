/** DELETE: soft by default, permanent with `_permaDelete=1`, with linking documents by `_cascade=1`. */
import type { ModelContext } from '../context.ts';
import { fromDatabase } from '../models/database-errors.ts';
import { notDeleted } from '../models/deleted.ts';
import { idInPath } from '../models/fields/document-id.ts';
import type { Row } from '../models/mongoose.ts';
import type { Filter } from '../query/filter.ts';
import { flagOf } from '../query/parameter-tree.ts';
import { cascade, type Removed } from './cascade.ts';
import { deletePermanently, deleteSoftly } from './delete-one.ts';
import { removeRecordsOf } from './deletions.ts';
import { refuseReferenced } from './referenced.ts';
import { missing, targetFilter } from './target.ts';
import { withoutLastAdmin } from './user-rules.ts';

export async function remove(context: ModelContext): Promise<Removed> {
  const { model, query, grant } = context;
  const permanently = flagOf(query, '_permaDelete');
  const withLinks = flagOf(query, '_cascade');
  const filter = targetFilter(context, grant, permanently ? undefined : notDeleted);
  const write = async (): Promise<Removed> => {
    if (withLinks) return cascade(context, filter, permanently);
    await refuseReferenced(context, filter, { permanently });
    if ((await removeOne(context, filter, permanently)) === null) throw await missing(context, grant);
    return { deleted: { [model.name]: 1 }, unlinked: {} };
  };
  const removed = await withoutLastAdmin(context, filter, write, withLinks);
  if (permanently) await removeRecordsOf(context, idInPath(context)).catch(() => undefined);
  return removed;
}

/** @returns the before-image; null if there is no document */
async function removeOne(context: ModelContext, filter: Filter, permanently: boolean): Promise<Row | null> {
  try {
    return await (permanently ? deletePermanently(context, filter) : deleteSoftly(context, filter));
  } catch (error) {
    throw fromDatabase(error);
  }
}
