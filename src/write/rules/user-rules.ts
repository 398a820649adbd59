/** The rules of the user model: it refuses reserved group names, and to delete or demote the last admin. */
import type { ModelActor } from '../../context.ts';
import { conflict, type PathFault } from '../../errors.ts';
import { notDeleted } from '../../models/deleted.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { castId } from '../../models/fields/values/ids-and-dates.ts';
import { type ClientSession, inSession, modelOf } from '../../models/mongoose.ts';
import { reservedGroups } from '../../policy/principal.ts';
import type { Filter } from '../../query/filter.ts';
import type { Target } from '../intents.ts';
import { runExclusively } from '../unit.ts';

const admins = { admin: true, ...notDeleted };

/** The faults of the `groups` of a written user: no name may be a role or empty. */
export function groupFaults(model: ModelEntry, values: Readonly<Record<string, unknown>>): readonly PathFault[] {
  if (model.name !== 'user') return [];
  return Object.entries(values)
    .filter(([path]) => path === 'groups' || path.startsWith('groups.'))
    .flatMap(([, value]) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter((group) => typeof group === 'string' && (reservedGroups.has(group.trim()) || group.trim() === ''))
    .map((group) => ({
      path: 'groups',
      kind: 'reserved',
      message: `groups cannot hold ${JSON.stringify(group)}, which is reserved`,
    }));
}

/** Runs a write unless it would remove the last admin, by setting `admin` to another value than true or by `_deleted`. */
export const protectLastAdmin = <T>(
  actor: ModelActor,
  { id }: Target,
  values: Readonly<Record<string, unknown>>,
  write: (inner: ModelActor) => Promise<T>,
): Promise<T> =>
  mayRemoveAdmin(actor.model, values) ? underAdminCheck(actor, { _id: castId('id', id) }, write) : write(actor);

/** Whether setting these values may remove an admin. */
export const mayRemoveAdmin = (model: ModelEntry, values: Readonly<Record<string, unknown>>): boolean =>
  model.name === 'user' &&
  ((Object.hasOwn(values, 'admin') && values['admin'] !== true && values['admin'] !== 'true') ||
    values['_deleted'] === true);

/** Runs a write that removes users, unless no admin would remain. @param cascades whether it also deletes linking documents */
export function withoutLastAdmin<A extends ModelActor, T>(
  actor: A,
  filter: Filter,
  write: (inner: A) => Promise<T>,
  cascades = false,
): Promise<T> {
  if (actor.model.name === 'user') return underAdminCheck(actor, filter, write);
  return cascades && reachesUsers(actor) ? runExclusively(actor, write) : write(actor);
}

/** Whether a cascade may reach users, because the user model has links. */
const reachesUsers = ({ services }: ModelActor): boolean =>
  services.registry.internal('user').links.some(({ model, stamp, array }) => !stamp && !array && model !== 'user');

/** Runs such writes one at a time, so that two admins cannot remove each other concurrently. */
const underAdminCheck = <A extends ModelActor, T>(
  actor: A,
  filter: Filter,
  write: (inner: A) => Promise<T>,
): Promise<T> =>
  runExclusively(actor, async (inner) => {
    await checkAdminRemains(actor.model, filter, actor.unit?.session);
    return write(inner);
  });

/** @throws 409 when all existing admins are among these users */
export async function checkAdminRemains(users: ModelEntry, these: Filter, session?: ClientSession): Promise<void> {
  const { collection } = modelOf(users);
  const one = { limit: 1, ...inSession(session) };
  if (
    (await collection.countDocuments({ $and: [these, admins] }, one)) > 0 &&
    (await collection.countDocuments({ $and: [admins, { $nor: [these] }] }, one)) === 0
  )
    throw conflict('the last admin cannot be deleted or demoted');
}
