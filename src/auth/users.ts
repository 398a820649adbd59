/** The users for authentication: their public data, their password hash, and the changes that authentication makes. */
import type { KnownUser } from '../policy/principal.ts';
import { plainEmail } from '../email.ts';
import { notUnique } from '../errors.ts';
import { incarnationPath, newIncarnation } from '../models/built-in/incarnation.ts';
import { notDeleted } from '../models/deleted.ts';
import { isId } from '../models/cast.ts';
import { modelOf, ObjectId, type Row } from '../models/mongoose.ts';
import type { Registry } from '../models/registry.ts';
import type { Groups, GroupsUpdate } from './contract.ts';
import { commit, type Writer } from '../write/commit.ts';
import type { UserRef } from './credentials/accounts.ts';
import { withDbErrors } from './with-db-errors.ts';

export interface StoredUser {
  readonly id: string;
  readonly known: KnownUser;
  readonly hash: string | undefined;
  /** Whether the email has been verified. Users older than this field have an unverified email. */
  readonly verified: boolean;
  /** Undefined for a user created by another program, until the user first signs in. */
  readonly incarnation: string | undefined;
}

/** A user with an incarnation, to which keys, sessions and identities are bound. */
export type BoundUser = StoredUser & UserRef;

export const isBound = (user: StoredUser): user is BoundUser => user.incarnation !== undefined;

/** The state of a user: an active document, a soft-deleted one, or none. */
type UserState = 'active' | 'deleted' | 'gone';

export interface Users extends Groups {
  byEmail(email: string): Promise<StoredUser | undefined>;
  byId(id: string): Promise<StoredUser | undefined>;
  stateOf(id: string): Promise<UserState>;
  /** Adds an incarnation to a user without one. @returns undefined when the user is gone */
  bound(user: StoredUser): Promise<BoundUser | undefined>;
  /** Replaces the hash that was read. @returns false when the user is gone or has another hash */
  setHash(user: BoundUser, hash: string): Promise<boolean>;
  /**
   * Sets the hash for a user who has proved that the email is theirs.
   * @returns false when the user is gone or has another email
   */
  recover(user: BoundUser, hash: string): Promise<boolean>;
  /** Marks the email as verified, unless it has changed meanwhile. */
  verify(user: BoundUser): Promise<void>;
  /**
   * Sets an email that has been checked.
   * @returns false when the user is gone or has changed since
   * @throws 409 when another user has it
   */
  setEmail(user: BoundUser, email: string): Promise<boolean>;
}

export function makeUsers(registry: Registry, services: Writer['services'], clock: () => Date): Users {
  const model = registry.internal('user');
  const { collection } = modelOf(model);
  const find = (filter: Row): Promise<StoredUser | undefined> =>
    withDbErrors(async () => {
      const row = (await collection.findOne({ ...filter, ...notDeleted })) as Row | null;
      return row === null ? undefined : storedFrom(row);
    });
  /** One atomic update. @returns the user after it; undefined when the filter matches none */
  const changeOne = (filter: Row, update: Row, by: string | undefined): Promise<Row | null> =>
    withDbErrors(async () => {
      const stamps = { updatedAt: clock(), ...(by === undefined ? {} : { _updated_by_id: new ObjectId(by) }) };
      const whole = { ...update, $set: { ...(update['$set'] as Row | undefined), ...stamps }, $inc: { __v: 1 } };
      return await commit(
        { services, user: by, silent: false },
        { kind: 'update', model, filter: { ...filter, ...notDeleted }, update: whole, event: 'put', returns: 'after' },
      );
    });
  /** Changes a user with the same incarnation. @param as fields that must be unchanged since they were read */
  const changeSame = async ({ id, incarnation }: UserRef, as: Row, $set: Row): Promise<boolean> =>
    (await changeOne({ _id: new ObjectId(id), [incarnationPath]: incarnation, ...as }, { $set }, id)) !== null;
  const isOthers = async (email: string, id: string): Promise<boolean> =>
    (await collection.findOne({ email, _id: { $ne: new ObjectId(id) } } as Row, { projection: { _id: 1 } })) !== null;
  return {
    byEmail: (email) => find({ email: plainEmail(email) }),
    byId: async (id) => (isId(id) ? find({ _id: new ObjectId(id) }) : undefined),
    stateOf: (id) =>
      withDbErrors(async () => {
        const row = await collection.findOne({ _id: new ObjectId(id) }, { projection: { _deleted: 1 } });
        return row === null ? 'gone' : row['_deleted'] === true ? 'deleted' : 'active';
      }),
    async bound(user) {
      if (isBound(user)) return user;
      const _id = new ObjectId(user.id);
      const update = { $set: { [incarnationPath]: newIncarnation() } };
      const filter = { _id, [incarnationPath]: null };
      await withDbErrors(() =>
        commit(
          { services, user: undefined, silent: true },
          { kind: 'update', model, filter, update, event: undefined, returns: 'after' },
        ),
      );
      const now = await find({ _id });
      return now !== undefined && isBound(now) ? now : undefined;
    },
    setHash: (user, password) => changeSame(user, { password: user.hash ?? null }, { password }),
    recover: (user, password) => changeSame(user, { email: user.known.email }, { password, email_verified: true }),
    verify: async (user) => void (await changeSame(user, { email: user.known.email }, { email_verified: true })),
    async setEmail(user, email) {
      const as = { email: user.known.email, password: user.hash ?? null };
      try {
        return await changeSame(user, as, { email, email_verified: false });
      } catch (error) {
        if (await withDbErrors(() => isOthers(email, user.id))) throw notUnique(['email']);
        throw error;
      }
    },
    of: async (id) => (isId(id) ? (await find({ _id: new ObjectId(id) }))?.known.groups : undefined),
    change: async (id, update, by) => {
      const after = await changeOne({ _id: new ObjectId(id) }, groupsUpdate(update), by);
      return after === null ? undefined : knownFrom(after).groups;
    },
  };
}

function groupsUpdate({ add, remove, replace }: GroupsUpdate): Row {
  if (replace !== undefined) return { $set: { groups: [...new Set(replace)] } };
  return remove === undefined
    ? { $addToSet: { groups: { $each: add ?? [] } } }
    : { $pull: { groups: { $in: remove } } };
}

function storedFrom(row: Row): StoredUser {
  const known = knownFrom(row);
  const { password, email_verified, [incarnationPath]: incarnation } = row;
  return {
    id: known.id,
    known,
    hash: typeof password === 'string' ? password : undefined,
    verified: email_verified === true,
    incarnation: typeof incarnation === 'string' ? incarnation : undefined,
  };
}

function knownFrom(row: Row): KnownUser {
  const id = String(row['_id']);
  const { groups, name } = row;
  return Object.freeze({
    _id: id,
    id,
    email: String(row['email'] ?? ''),
    ...(typeof name === 'string' ? { name } : {}),
    admin: row['admin'] === true,
    groups: Array.isArray(groups) ? groups.filter((group): group is string => typeof group === 'string') : [],
  });
}
