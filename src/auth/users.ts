/** The users for authentication: their public data, their password hash, and the changes that authentication makes. */
import { notUnique } from '../errors/errors.ts';
import { incarnationPath, newIncarnation } from '../models/built-in/incarnation.ts';
import { loginNames } from '../models/built-in/login-field.ts';
import { activeFilter } from '../models/deleted.ts';
import type { ModelEntry } from '../models/entry.ts';
import { isId } from '../models/fields/values/ids-and-dates.ts';
import { type Collection, modelOf, ObjectId, type Row } from '../models/mongoose.ts';
import type { Registry } from '../models/registry.ts';
import { ownDocumentOf } from '../policy/model-rules.ts';
import type { OwnDocument } from '../policy/own-document.ts';
import { type KnownUser, loginOf } from '../policy/principal.ts';
import type { Settings } from '../settings/types.ts';
import { plainEmail } from '../text/email.ts';
import { commit } from '../write/commit.ts';
import type { Writer } from '../write/mutation/writer.ts';
import type { Actor, Groups, GroupsUpdate } from './contract.ts';
import type { UserRef } from './credentials/accounts.ts';

export interface StoredUser {
  readonly id: string;
  readonly known: KnownUser;
  /** What row rules need of the user's document. */
  readonly own: OwnDocument;
  readonly hash: string | undefined;
  /** Whether the email has been verified. Users older than this field have an unverified email. */
  readonly verified: boolean;
  /** Undefined for a user created by another program, until the user first signs in. */
  readonly incarnation: string | undefined;
}

/** A user with an incarnation, to which keys, sessions and identities are bound. */
export type BoundUser = StoredUser & UserRef;

export const isBound = (user: StoredUser): user is BoundUser => user.incarnation !== undefined;

/** The email of a user as filters have it: null for a user without one. */
const emailOf = ({ known: { email } }: StoredUser): string | null => (email === '' ? null : email);

/** Users older than the field have an unverified email. */
const unverified = { email_verified: { $ne: true } };

/** A request of the user themselves, and the unit of work that a change belongs to. */
type ByUser = Omit<Actor, 'user'> & Pick<Writer, 'unit'>;

/** The state of a user: an active document, a soft-deleted one, or none. */
type UserState = 'active' | 'deleted' | 'gone';

export class Users implements Groups {
  /** The field by which users sign in. */
  readonly loginField: string;
  /** The stored form of what a caller types to sign in; empty for what no user can have. Failures are counted by it, too. */
  readonly loginName: (text: string) => string;
  readonly #model: ModelEntry;
  readonly #collection: Collection;

  constructor(
    { registry, settings }: { readonly registry: Registry; readonly settings: Settings },
    private readonly services: Writer['services'],
    private readonly clock: () => Date,
  ) {
    this.#model = registry.internal('user');
    this.#collection = modelOf(this.#model).collection;
    this.loginField = settings.login_field;
    this.loginName = loginNames(this.#model, this.loginField);
  }

  /** What the failures of a user are counted by. */
  accountOf(user: KnownUser): string {
    return this.loginName(loginOf(user));
  }

  /** The email of a user and what they sign in with, by the names of the fields. */
  namesOf({ email, login }: KnownUser): Readonly<Record<string, string>> {
    return { ...(email === '' ? {} : { email }), ...(login === undefined ? {} : { [this.loginField]: login }) };
  }

  /** @param login as the caller types it */
  byLogin(login: string): Promise<StoredUser | undefined> {
    return this.#find({ [this.loginField]: this.loginName(login) });
  }

  byEmail(email: string): Promise<StoredUser | undefined> {
    return this.#find({ email: plainEmail(email) });
  }

  async byId(id: string): Promise<StoredUser | undefined> {
    return isId(id) ? this.#find({ _id: new ObjectId(id) }) : undefined;
  }

  async stateOf(id: string): Promise<UserState> {
    const row = await this.#collection.findOne({ _id: new ObjectId(id) }, { projection: { _deleted: 1 } });
    return row === null ? 'gone' : row['_deleted'] === true ? 'deleted' : 'active';
  }

  /** Adds an incarnation to a user without one. @returns undefined when the user is gone */
  async bound(user: StoredUser): Promise<BoundUser | undefined> {
    if (isBound(user)) return user;
    const _id = new ObjectId(user.id);
    const update = { $set: { [incarnationPath]: newIncarnation() } };
    const filter = { _id, [incarnationPath]: null };
    const writer = { services: this.services, user: undefined, silent: true };
    await commit(writer, { kind: 'change', model: this.#model, filter, update, event: undefined });
    const now = await this.#find({ _id });
    return now !== undefined && isBound(now) ? now : undefined;
  }

  /** Replaces the hash that was read. @returns false when the user is gone or has another hash */
  setHash(user: BoundUser, password: string, from: ByUser): Promise<boolean> {
    return this.#changeSame(user, { password: user.hash ?? null }, { password }, from);
  }

  /**
   * Sets the hash for a user who has proved that the email is theirs.
   * @returns false when the user is gone or has another email
   */
  recover(user: BoundUser, password: string, from: ByUser): Promise<boolean> {
    return this.#changeSame(user, { email: emailOf(user) }, { password, email_verified: true }, from);
  }

  /** Marks the email as verified. @returns false when the user is gone, has another email, or has verified it already */
  verify(user: BoundUser, from: ByUser = {}): Promise<boolean> {
    return this.#changeSame(user, { email: emailOf(user), ...unverified }, { email_verified: true }, from);
  }

  /**
   * Replaces the hash that was read and what signs in, of a user whose email is not verified. @returns false when any of this has changed
   * @throws the driver's error where another user signs in with that
   */
  replaceUnverified(
    user: BoundUser,
    { password, names }: { readonly password: string; readonly names: Row },
  ): Promise<boolean> {
    const as = { email: emailOf(user), password: user.hash ?? null, ...unverified };
    return this.#changeSame(user, as, { ...names, password });
  }

  /**
   * Sets an email that has been checked. @param verified whether the user has proved that it is theirs
   * @returns false when the user is gone or has changed since
   * @throws 409 when another user has it
   */
  async setEmail(user: BoundUser, email: string, verified: boolean, from: ByUser): Promise<boolean> {
    const as = { email: emailOf(user), password: user.hash ?? null };
    try {
      return await this.#changeSame(user, as, { email, email_verified: verified }, from);
    } catch (error) {
      if (await this.isOthers(email, user.id)) throw notUnique(['email']);
      throw error;
    }
  }

  async of(id: string): Promise<readonly string[] | undefined> {
    return isId(id) ? (await this.#find({ _id: new ObjectId(id) }))?.known.groups : undefined;
  }

  async change(id: string, update: GroupsUpdate, by: Actor): Promise<readonly string[] | undefined> {
    const after = await this.#changeOne({ _id: new ObjectId(id) }, groupsUpdate(update), by);
    return after === null ? undefined : knownUser(after, this.loginField).groups;
  }

  async #find(filter: Row): Promise<StoredUser | undefined> {
    const row = (await this.#collection.findOne({ ...filter, ...activeFilter })) as Row | null;
    return row === null ? undefined : storedFrom(row, knownUser(row, this.loginField), ownDocumentOf(this.#model, row));
  }

  /** Changes a user with the same incarnation. @param as fields that must be unchanged since they were read */
  async #changeSame(user: BoundUser, as: Row, $set: Row, from: ByUser = {}): Promise<boolean> {
    const { id, incarnation } = user;
    const filter = { _id: new ObjectId(id), [incarnationPath]: incarnation };
    const changed = await this.#changeOne({ ...filter, ...as }, { $set }, { user: id, ...from }, undoOf(user, $set));
    return changed !== null;
  }

  /**
   * One atomic update.
   * @param undo what undoes it in a unit of work that fails without a transaction @returns the user after it; null when the filter matches none
   */
  async #changeOne(
    filter: Row,
    update: Row,
    { user, progress, unit, ...origin }: Actor & Pick<Writer, 'unit'>,
    undo?: Row,
  ): Promise<Row | null> {
    const stamps = { updatedAt: this.clock(), ...(user === undefined ? {} : { _updated_by_id: new ObjectId(user) }) };
    const whole = { ...update, $set: { ...(update['$set'] as Row | undefined), ...stamps }, $inc: { __v: 1 } };
    const active = { ...filter, ...activeFilter };
    return await commit(
      { services: this.services, user, origin, progress, unit, silent: false },
      {
        ...{ kind: 'change', model: this.#model, filter: active, update: whole, event: 'put' },
        ...(undo && {
          undo: {
            ...{ kind: 'change', model: this.#model, filter: { _id: filter['_id'] }, update: undo },
            ...{ event: 'put', many: { after: [] } },
          },
        }),
      },
    );
  }

  /** Whether another user, who may be deleted, has an email. */
  async isOthers(email: string, id: string): Promise<boolean> {
    const filter = { email, _id: { $ne: new ObjectId(id) } } as Row;
    return (await this.#collection.findOne(filter, { projection: { _id: 1 } })) !== null;
  }
}

function groupsUpdate({ add, remove, replace }: GroupsUpdate): Row {
  if (replace !== undefined) return { $set: { groups: [...new Set(replace)] } };
  return remove === undefined
    ? { $addToSet: { groups: { $each: add ?? [] } } }
    : { $pull: { groups: { $in: remove } } };
}

/** The update that gives a user back what another one sets. */
function undoOf(user: BoundUser, $set: Row): Row {
  const before: Row = { email: emailOf(user), email_verified: user.verified, password: user.hash ?? null };
  return { $set: Object.fromEntries(Object.entries(before).filter(([name]) => Object.hasOwn($set, name))) };
}

function storedFrom(row: Row, known: KnownUser, own: OwnDocument): StoredUser {
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

/** @param loginField by which users sign in */
export function knownUser(row: Readonly<Row>, loginField: string): KnownUser {
  const id = String(row['_id']);
  const { groups, name } = row;
  return Object.freeze({
    _id: id,
    id,
    email: String(row['email'] ?? ''),
    ...(loginField === 'email' ? {} : { login: String(row[loginField] ?? '') }),
    ...(typeof name === 'string' ? { name } : {}),
    admin: row['admin'] === true,
    groups: Array.isArray(groups) ? groups.filter((group): group is string => typeof group === 'string') : [],
  });
}
