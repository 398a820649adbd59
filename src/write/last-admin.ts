/** The last admin can be neither deleted nor demoted (409). */
import type { ModelContext } from '../context.ts';
import { conflict } from '../errors.ts';
import type { Filter } from '../language/filter.ts';
import { notDeleted } from '../registry/deleted.ts';
import { castId } from '../registry/cast.ts';
import { modelOf } from '../registry/mongoose.ts';

const admins = { admin: true, ...notDeleted };

/** Does a write unless it would take the last admin away: `admin` no longer true, or `_deleted`. */
export const keepAnAdmin = <T>(
  context: ModelContext,
  values: Readonly<Record<string, unknown>>,
  write: () => Promise<T>,
): Promise<T> => withoutLastAdminOf(context, { _id: castId('id', context.params['id']) }, values, write);

/** The same, for the users that a filter matches. */
export function withoutLastAdminOf<T>(
  context: ModelContext,
  filter: Filter,
  values: Readonly<Record<string, unknown>>,
  write: () => Promise<T>,
): Promise<T> {
  const demotes = Object.hasOwn(values, 'admin') && values['admin'] !== true && values['admin'] !== 'true';
  if (context.model.name !== 'user' || (!demotes && values['_deleted'] !== true)) return write();
  return keeping(context, filter, write);
}

/** Does a write that takes users away, unless the last admin is among them. */
export function withoutLastAdmin<T>(context: ModelContext, filter: Filter, write: () => Promise<T>): Promise<T> {
  return context.model.name === 'user' ? keeping(context, filter, write) : write();
}

/** One after the other, so that two admins cannot take each other away at once. */
const keeping = <T>(context: ModelContext, filter: Filter, write: () => Promise<T>): Promise<T> =>
  context.services.oneAtATime('admins', async () => {
    const users = modelOf(context.model).collection;
    const taken = { $and: [filter, admins] };
    if ((await users.countDocuments(taken)) > 0 && (await users.countDocuments(admins, { limit: 2 })) < 2)
      throw conflict('the last admin cannot be deleted or demoted');
    return write();
  });
