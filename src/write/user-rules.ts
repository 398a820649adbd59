/** The rules of the user model: it refuses reserved group names, and to delete or demote the last admin. */
import type { ModelContext } from '../context.ts';
import { badValue, conflict } from '../errors.ts';
import { castId } from '../models/cast.ts';
import { notDeleted } from '../models/deleted.ts';
import type { ModelEntry } from '../models/entry.ts';
import { type ClientSession, modelOf } from '../models/mongoose.ts';
import { reservedGroups } from '../policy/principal.ts';
import type { Filter } from '../query/filter.ts';
import { alone } from './unit.ts';

const admins = { admin: true, ...notDeleted };

/** Checks the `groups` of a written user: no name may be a role or empty. @throws 400 */
export function checkGroups(model: ModelEntry, values: Readonly<Record<string, unknown>>): void {
  if (model.name !== 'user') return;
  for (const [path, value] of Object.entries(values)) {
    if (path !== 'groups' && !path.startsWith('groups.')) continue;
    for (const group of Array.isArray(value) ? value : [value])
      if (typeof group === 'string' && (reservedGroups.has(group.trim()) || group.trim() === ''))
        throw badValue('groups', 'reserved', `cannot hold ${JSON.stringify(group)}, which is reserved`);
  }
}

/** Runs a write unless it would remove the last admin, by setting `admin` to another value than true or by `_deleted`. */
export const keepAnAdmin = <T>(
  context: ModelContext,
  values: Readonly<Record<string, unknown>>,
  write: () => Promise<T>,
): Promise<T> =>
  takesAdmins(context.model, values) ? keeping(context, { _id: castId('id', context.params['id']) }, write) : write();

/** Whether setting these values may remove an admin. */
export const takesAdmins = (model: ModelEntry, values: Readonly<Record<string, unknown>>): boolean =>
  model.name === 'user' &&
  ((Object.hasOwn(values, 'admin') && values['admin'] !== true && values['admin'] !== 'true') ||
    values['_deleted'] === true);

/** Runs a write that removes users, unless no admin would remain. @param cascades whether it also deletes linking documents */
export function withoutLastAdmin<T>(
  context: ModelContext,
  filter: Filter,
  write: () => Promise<T>,
  cascades = false,
): Promise<T> {
  if (context.model.name === 'user') return keeping(context, filter, write);
  return cascades && reachesUsers(context) ? alone(context, write) : write();
}

/** Whether a cascade may reach users, because the user model has links. */
const reachesUsers = ({ services }: ModelContext): boolean =>
  services.registry.internal('user').links.some(({ model, stamp, array }) => !stamp && !array && model !== 'user');

/** Runs such writes one at a time, so that two admins cannot remove each other concurrently. */
const keeping = <T>(context: ModelContext, filter: Filter, write: () => Promise<T>): Promise<T> =>
  alone(context, async () => {
    await checkAdminStays(context.model, filter, context.unit?.session);
    return write();
  });

/** @throws 409 when all existing admins are among these users */
export async function checkAdminStays(users: ModelEntry, these: Filter, session?: ClientSession): Promise<void> {
  const { collection } = modelOf(users);
  const one = { limit: 1, ...(session === undefined ? {} : { session }) };
  if (
    (await collection.countDocuments({ $and: [these, admins] }, one)) > 0 &&
    (await collection.countDocuments({ $and: [admins, { $nor: [these] }] }, one)) === 0
  )
    throw conflict('the last admin cannot be deleted or demoted');
}
