/**
 * The rules of the user model: it refuses reserved group names, to delete or demote the last admin, and that users change their own
 * credentials.
 */
import type { ModelActor } from '../../context.ts';
import { badValue, conflict, type Failure, type PathFault } from '../../errors/errors.ts';
import { incarnationPath } from '../../models/built-in/incarnation.ts';
import { activeFilter } from '../../models/deleted.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { firstName } from '../../models/fields/path-type.ts';
import { withoutAliases } from '../../models/fields/resolve-alias.ts';
import { castId } from '../../models/fields/values/ids-and-dates.ts';
import { type ClientSession, inSession, modelOf, ObjectId } from '../../models/mongoose.ts';
import { type Principal, reservedGroups } from '../../policy/principal.ts';
import { allOf } from '../../query/and.ts';
import type { Filter } from '../../query/filter.ts';
import { plainEmail } from '../../text/email.ts';
import { sessionOf } from '../commit.ts';
import type { Target } from '../intents.ts';
import { runExclusively } from '../unit.ts';

type Json = Readonly<Record<string, unknown>>;

const admins = { admin: true, ...activeFilter };

/** The faults of the `groups` of a written user: no name may be a role or empty. */
export function groupFaults(model: ModelEntry, values: Json): readonly PathFault[] {
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
  values: Json,
  write: (inner: ModelActor) => Promise<T>,
): Promise<T> =>
  mayRemoveAdmin(actor.model, values) ? underAdminCheck(actor, { _id: castId('id', id) }, write) : write(actor);

/** Whether setting these values may remove an admin. */
export const mayRemoveAdmin = (model: ModelEntry, values: Json): boolean =>
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

/**
 * The fields that users cannot change in their own documents: password and email, which have their own endpoints and require the
 * password, and the verification.
 */
const reasons: ReadonlyMap<string, string> = new Map([
  ['password', 'of yourself is changed by POST /login/password'],
  ['email', 'of yourself is changed by PUT /login/email'],
  ['email_verified', 'of yourself is set by a recovery mail, an OAuth provider or another admin'],
]);

/** Whether an update concerns the caller's own user document. */
export const isCaller = ({ model, principal: { user } }: ModelActor, id: string | undefined): boolean =>
  model.name === 'user' && user !== undefined && id?.toLowerCase() === user.id;

/**
 * @param values the caller's values for their own document; their current email is not a change
 * @throws 400 naming the endpoint that changes it
 */
export function refuseOwnCredentials({ model, principal }: ModelActor, values: Json): void {
  const fault = faultOf(model, principal, values);
  if (fault !== undefined) throw fault;
}

/**
 * The filter of a bulk operation, which never matches the caller where it would change their credentials: an earlier operation
 * may change what the filter matches.
 * @param set the fields that it sets @throws 400 naming the endpoint, when the filter matches the caller now
 */
export async function withoutCaller(actor: ModelActor, filter: Filter, set: Json): Promise<Filter> {
  const { model, principal } = actor;
  const { user } = principal;
  const names = Object.keys(set).map((name) => fieldOf(model, name));
  if (model.name !== 'user' || user === undefined || !names.some((name) => reasons.has(name))) return filter;
  const fault = faultOf(model, principal, set);
  const _id = new ObjectId(user.id);
  // the caller's email may have changed meanwhile
  if (fault === undefined) return allOf([filter, { $or: [{ _id: { $ne: _id } }, { email: user.email }] }]);
  if (await matches(actor, { $and: [filter, { _id }] })) throw fault;
  return filter['_id'] instanceof ObjectId ? filter : allOf([filter, { _id: { $ne: _id } }]);
}

async function matches(actor: ModelActor, filter: Filter): Promise<boolean> {
  const options = { projection: { _id: 1 }, ...sessionOf(actor) };
  return (await modelOf(actor.model).collection.findOne(filter, options)) !== null;
}

function faultOf(model: ModelEntry, { user, admin }: Principal, set: Json): Failure | undefined {
  for (const [name, value] of Object.entries(set)) {
    const path = fieldOf(model, name);
    const reason = reasons.get(path);
    const isSame = path === 'email' && typeof value === 'string' && plainEmail(value) === user?.email;
    // values from non-admins are ignored, for any user
    const isIgnored = path === 'email_verified' && !admin;
    if (reason !== undefined && !isSame && !isIgnored) return badValue(path, 'own', reason);
  }
  return undefined;
}

/** Fields of users that only `$set` may change, because only its values are checked. */
const setOnly: ReadonlySet<string> = new Set(['admin', 'email', 'email_verified', incarnationPath]);

export const isSetOnly = (model: ModelEntry, path: string): boolean =>
  model.name === 'user' && setOnly.has(fieldOf(model, path));

const fieldOf = ({ schema }: ModelEntry, name: string): string => firstName(withoutAliases(schema, name));
