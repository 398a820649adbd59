/** DELETE: softly at first, for good with `_permaDelete=1`, with what links here with `_cascade=1`. */
import type { ModelContext } from '../context.ts';
import { flagOf } from '../language/tree.ts';
import { castId } from '../registry/cast.ts';
import { notDeleted } from '../registry/deleted.ts';
import { fromDatabase } from '../registry/database-errors.ts';
import { modelOf, type ObjectId, type Row } from '../registry/mongoose.ts';
import { cascade } from './cascade.ts';
import { changedBy } from './changer.ts';
import { changed } from './changed.ts';
import { forgetRoot } from './deletions.ts';
import { withoutLastAdmin } from './last-admin.ts';
import { refuseReferenced } from './referenced.ts';
import { missing, targetFilter } from './target.ts';

/** How many documents of each model are gone, and in how many a link was taken out of a list. */
export interface Removed {
  readonly deleted: Readonly<Record<string, number>>;
  readonly unlinked: Readonly<Record<string, number>>;
}

export async function remove(context: ModelContext): Promise<Removed> {
  const { model, query, grant } = context;
  const forGood = flagOf(query, '_permaDelete');
  const withLinks = flagOf(query, '_cascade');
  const filter = targetFilter(context, grant, forGood ? undefined : notDeleted);
  const write = async (): Promise<Removed> => {
    if (withLinks) return cascade(context, filter, forGood);
    await refuseReferenced(context, filter, { forGood });
    const before = await (forGood ? removeOne(context, filter) : softDelete(context, filter));
    if (before === null) throw await missing(context, grant);
    changed(context, [{ event: 'del', model, id: String(before['_id']), before }]);
    return { deleted: { [model.name]: 1 }, unlinked: {} };
  };
  const removed = await withoutLastAdmin(context, filter, write, withLinks);
  if (forGood) await forgetRoot(context, castId('id', context.params['id'])).catch(() => undefined);
  return removed;
}

/** The stamps of a change that the caller did not spell out. */
export const stamps = ({ principal, services }: ModelContext): Row => ({
  updatedAt: services.clock(),
  ...changedBy(principal),
});

/** The update of a soft deletion. */
export const deletion = (context: ModelContext): Row => ({
  $set: { _deleted: true, ...stamps(context) },
  $inc: { __v: 1 },
});

async function softDelete(context: ModelContext, filter: Row): Promise<Row | null> {
  try {
    return await modelOf(context.model).collection.findOneAndUpdate(filter, deletion(context), {
      returnDocument: 'before',
    });
  } catch (error) {
    throw fromDatabase(error);
  }
}

async function removeOne({ model, services }: ModelContext, filter: Row): Promise<Row | null> {
  const { collection } = modelOf(model);
  try {
    if (model.name !== 'user') return await collection.findOneAndDelete(filter);
    return await services.inTransaction(async (session) => {
      const before = (await collection.findOneAndDelete(
        filter,
        session === undefined ? {} : { session },
      )) as Row | null;
      if (before !== null) await services.logins.remove([before['_id'] as ObjectId], session);
      return before;
    });
  } catch (error) {
    throw fromDatabase(error);
  }
}
