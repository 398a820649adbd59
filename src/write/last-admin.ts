/** The last admin can be neither deleted nor demoted (409). */
import type { ModelContext } from '../context.ts';
import { conflict } from '../errors.ts';
import type { Filter } from '../language/filter.ts';
import { notDeleted } from '../registry/deleted.ts';
import { castId } from '../registry/cast.ts';
import type { ModelEntry } from '../registry/entry.ts';
import { modelOf } from '../registry/mongoose.ts';

const admins = { admin: true, ...notDeleted };

/** Does a write unless it would take the last admin away: `admin` no longer true, or `_deleted`. */
export const keepAnAdmin = <T>(
  context: ModelContext,
  values: Readonly<Record<string, unknown>>,
  write: () => Promise<T>,
): Promise<T> =>
  takesAdmins(context.model, values) ? keeping(context, { _id: castId('id', context.params['id']) }, write) : write();

/** Whether setting these values may take an admin away. */
export const takesAdmins = (model: ModelEntry, values: Readonly<Record<string, unknown>>): boolean =>
  model.name === 'user' &&
  ((Object.hasOwn(values, 'admin') && values['admin'] !== true && values['admin'] !== 'true') ||
    values['_deleted'] === true);

/** Does a write that takes users away, unless no admin would be left. */
export function withoutLastAdmin<T>(context: ModelContext, filter: Filter, write: () => Promise<T>): Promise<T> {
  return context.model.name === 'user' ? keeping(context, filter, write) : write();
}

/** One after the other, so that two admins cannot take each other away at once. */
const keeping = <T>(context: ModelContext, filter: Filter, write: () => Promise<T>): Promise<T> =>
  context.services.oneAtATime('admins', async () => {
    const users = modelOf(context.model).collection;
    const one = { limit: 1 };
    if (
      (await users.countDocuments({ $and: [filter, admins] }, one)) > 0 &&
      (await users.countDocuments({ $and: [admins, { $nor: [filter] }] }, one)) === 0
    )
      throw conflict('the last admin cannot be deleted or demoted');
    return write();
  });
