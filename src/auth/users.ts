/** Users as the auth code sees them: what is known of one, their password hash, and the changes that it makes to them. */
import { ownDocumentOf } from '../policy/model-rules.ts';
import type { KnownUser } from '../policy/principal.ts';
import type { OwnDocument } from '../policy/row-rules.ts';
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
import { asked } from './with-db-errors.ts';

export interface StoredUser {
  readonly id: string;
  readonly known: KnownUser;
  /** What row rules need of the user's document. */
  readonly own: OwnDocument;
  readonly hash: string | undefined;
  /** Whether the email has been verified. A user from before this was kept has an unverified one. */
  readonly verified: boolean;
  /** Undefined for a user whom another program has made, until they are first seen. */
  readonly incarnation: string | undefined;
}

/** A user who has an incarnation, to which keys, sessions and identities can belong. */
export type BoundUser = StoredUser & UserRef;

export const isBound = (user: StoredUser): user is BoundUser => user.incarnation !== undefined;

/** What is left of a user: an active document, a soft-deleted one, or none. */
type UserState = 'active' | 'deleted' | 'gone';

export interface Users extends Groups {
  byEmail(email: string): Promise<StoredUser | undefined>;
  byId(id: string): Promise<StoredUser | undefined>;
  stateOf(id: string): Promise<UserState>;
  /** The user with an incarnation, which one who has none is given. @returns undefined when the user is gone */
  bound(user: StoredUser): Promise<BoundUser | undefined>;
  /** Sets the hash in place of the one that was read. @returns false when the user is gone, or has another hash */
  setHash(user: BoundUser, hash: string): Promise<boolean>;
  /** Sets the hash for somebody who has shown that the email is theirs. @returns false when the user is gone, or has another email */
  recover(user: BoundUser, hash: string): Promise<boolean>;
  /** Notes that the email is the user's, unless it is another one by now. */
  verify(user: BoundUser): Promise<void>;
  /** Sets an email that has been checked. @returns false when the user is gone or has changed since @throws 409 when somebody else has it */
  setEmail(user: BoundUser, email: string): Promise<boolean>;
}

export function makeUsers(registry: Registry, services: Writer['services'], clock: () => Date): Users {
  const model = registry.internal('user');
  const { collection } = modelOf(model);
  const find = (filter: Row): Promise<StoredUser | undefined> =>
    asked(async () => {
      const row = (await collection.findOne({ ...filter, ...notDeleted })) as Row | null;
      return row === null ? undefined : storedFrom(row, ownDocumentOf(model, row));
    });
  /** One atomic update. @returns the user after it; undefined when the filter matches none */
  const changeOne = (filter: Row, update: Row, by: string | undefined): Promise<Row | null> =>
    asked(async () => {
      const stamps = { updatedAt: clock(), ...(by === undefined ? {} : { _updated_by_id: new ObjectId(by) }) };
      const whole = { ...update, $set: { ...(update['$set'] as Row | undefined), ...stamps }, $inc: { __v: 1 } };
      return await commit(
        { services, user: by, silent: false },
        { kind: 'update', model, filter: { ...filter, ...notDeleted }, update: whole, event: 'put', returns: 'after' },
      );
    });
  /** Changes a user who is still the same one. @param as fields that must be as they were read */
  const changeSame = async ({ id, incarnation }: UserRef, as: Row, $set: Row): Promise<boolean> =>
    (await changeOne({ _id: new ObjectId(id), [incarnationPath]: incarnation, ...as }, { $set }, id)) !== null;
  const isOthers = async (email: string, id: string): Promise<boolean> =>
    (await collection.findOne({ email, _id: { $ne: new ObjectId(id) } } as Row, { projection: { _id: 1 } })) !== null;
  return {
    byEmail: (email) => find({ email: plainEmail(email) }),
    byId: async (id) => (isId(id) ? find({ _id: new ObjectId(id) }) : undefined),
    stateOf: (id) =>
      asked(async () => {
        const row = await collection.findOne({ _id: new ObjectId(id) }, { projection: { _deleted: 1 } });
        return row === null ? 'gone' : row['_deleted'] === true ? 'deleted' : 'active';
      }),
    async bound(user) {
      if (isBound(user)) return user;
      const _id = new ObjectId(user.id);
      const update = { $set: { [incarnationPath]: newIncarnation() } };
      const filter = { _id, [incarnationPath]: null };
      await asked(() =>
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
        if (await asked(() => isOthers(email, user.id))) throw notUnique(['email']);
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

function storedFrom(row: Row, own: OwnDocument): StoredUser {
  const known = knownFrom(row);
  const { password, email_verified, [incarnationPath]: incarnation } = row;
  return {
    id: known.id,
    known,
    own,
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
