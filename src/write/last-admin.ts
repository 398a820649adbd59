/** The last admin can be neither deleted nor demoted (409). */
import type { ModelContext } from '../context.ts';
import { conflict } from '../errors.ts';
import { notDeleted } from '../registry/deleted.ts';
import { castId } from '../registry/cast.ts';
import { modelOf } from '../registry/mongoose.ts';

const admins = { admin: true, ...notDeleted };

/** Does a write unless it would take the last admin away: `admin` no longer true, or `_deleted`. */
export async function keepAnAdmin<T>(
  context: ModelContext,
  values: Readonly<Record<string, unknown>>,
  write: () => Promise<T>,
): Promise<T> {
  const demotes = Object.hasOwn(values, 'admin') && values['admin'] !== true && values['admin'] !== 'true';
  if (context.model.name !== 'user' || (!demotes && values['_deleted'] !== true)) return write();
  return withoutLastAdmin(context, write);
}

/** Does a write that takes a user away, unless they are the last admin. */
export async function withoutLastAdmin<T>(context: ModelContext, write: () => Promise<T>): Promise<T> {
  if (context.model.name !== 'user') return write();
  const users = modelOf(context.model).collection;
  const _id = castId('id', context.params['id']);
  // one after the other, so that two admins cannot take each other away at once
  return context.services.oneAtATime('admins', async () => {
    if ((await users.countDocuments({ ...admins, _id })) > 0 && (await users.countDocuments(admins, { limit: 2 })) < 2)
      throw conflict('the last admin cannot be deleted or demoted');
    return write();
  });
}
