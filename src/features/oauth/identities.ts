/**
 * Maps a provider's profile to a user: by a known identity, otherwise by a verified email, otherwise by creating a user where
 * that is allowed.
 */
import { createUser } from '../../auth/create-user.ts';
import type { UserRef } from '../../auth/credentials/accounts.ts';
import {
  type AuthCore,
  type Collection,
  digest,
  Failure,
  internalCollection,
  type ModelEntry,
  modelOf,
  ObjectId,
  type Row,
} from '../../core.ts';
import { incarnationPath } from '../../models/built-in/incarnation.ts';
import { isTaken } from '../../models/database-errors.ts';
import { setupNeeded } from '../../write/before-setup.ts';
import { fromWrite } from '../../write/mutation/mongoose-errors.ts';
import type { LoginProvider } from './config.ts';
import type { Profile } from './profile.ts';

/** The reason why a profile maps to no user: the code that is sent to `fail_uri`, and for people the reason of a hook. */
export class NoUser extends Error {
  readonly code: 'email_not_verified' | 'email_missing' | 'email_taken' | 'unknown_user' | 'user_deleted' | 'refused';
  readonly reason: string | undefined;
  constructor(code: NoUser['code'], reason?: string) {
    super(code);
    this.name = 'NoUser';
    this.code = code;
    this.reason = reason;
  }
}

/** What hooks of new accounts and verified addresses throw is a Failure, unlike what the write itself throws. @throws NoUser; the error */
function ifRefused(error: unknown): never {
  throw error instanceof Failure && error.status < 500 ? new NoUser('refused', error.reason) : error;
}

export class Identities {
  readonly #model: ModelEntry;
  readonly #collection: Collection;

  constructor(private readonly core: AuthCore) {
    this.#model = core.registry.internal('user');
    this.#collection = internalCollection(core.registry, '_identity');
  }

  /** @param name of the provider @returns the user's id @throws NoUser */
  userOf(name: string, provider: LoginProvider, profile: Profile): Promise<string> {
    const _id = digest(JSON.stringify([name, profile.id]));
    // two tabs of one person must create one user: the second finds the user of the first
    return this.core.shares.keyedMutex(`identity ${_id}`, () => this.#userOf({ _id, name, provider, profile }));
  }

  async #userOf({ _id, name, provider, profile }: Login): Promise<string> {
    const known = await this.#linked(_id);
    if (known !== undefined) {
      await this.#markVerified(known, profile);
      return known;
    }
    try {
      const { id, incarnation } = await this.#findOrCreate(provider, profile);
      await this.#collection.insertOne({ _id, provider: name, user_id: new ObjectId(id), incarnation } as Row);
      return id;
    } catch (error) {
      // the same person signed in at another server, which has created the user or the identity
      const first = isTaken(error) || error instanceof NoUser ? await this.#linked(_id) : undefined;
      if (first !== undefined) return first;
      throw error;
    }
  }

  /**
   * The user of an identity. An identity of a permanently deleted user is ignored, even if another user has the id now.
   * @throws NoUser when the user is soft-deleted
   */
  async #linked(_id: string): Promise<string | undefined> {
    const identity = (await this.#collection.findOne({ _id } as Row)) as Row | null;
    if (identity === null) return undefined;
    const { user_id, incarnation } = identity;
    const user = (await modelOf(this.#model).collection.findOne({ _id: user_id } as Row)) as Row | null;
    if (user !== null && user[incarnationPath] === incarnation) {
      if (user['_deleted'] === true) throw new NoUser('user_deleted');
      return String(user['_id']);
    }
    await this.#collection.deleteOne({ _id, user_id, incarnation } as Row);
    return undefined;
  }

  async #findOrCreate(provider: LoginProvider, { email, verified, fields }: Profile): Promise<UserRef> {
    const { users } = this.core;
    if (email === undefined) throw new NoUser('email_missing');
    if (verified === false) throw new NoUser('email_not_verified');
    let user = await users.byEmail(email);
    if (user === undefined) {
      if (provider.create === false || (await setupNeeded(this.core.registry))) throw new NoUser('unknown_user');
      const created = await this.#create(email, {
        ...(users.loginField === 'email' ? {} : { [users.loginField]: email }),
        ...fields,
        email_verified: verified === true,
      });
      if (created !== undefined) return created;
      user = await users.byEmail(email);
    }
    if (user === undefined || provider.find_by_email === false) throw new NoUser('email_taken');
    // otherwise anyone who enters another person's email at the provider would sign in as that person
    if (verified !== true) throw new NoUser('email_not_verified');
    // an unverified email may belong to another person, whose login this user would get
    const bound = user.verified ? await users.bound(user) : undefined;
    if (bound === undefined) throw new NoUser('email_taken');
    return bound;
  }

  /** @returns undefined when another user, who may be deleted, has this email */
  async #create(email: string, fields: Row): Promise<UserRef | undefined> {
    try {
      const id = new ObjectId().toHexString();
      return await createUser(this.core, { user: id, method: 'oauth' }, { ...fields, email });
    } catch (error) {
      if (isTaken(error)) return undefined;
      if (error instanceof Failure) ifRefused(error);
      const failure = fromWrite(error);
      const accepted = withoutRefused(fields, failure);
      if (accepted === undefined) throw failure;
      return this.#create(email, accepted);
    }
  }

  /** Marks the email as verified if the provider has verified the user's current email. */
  async #markVerified(id: string, { email, verified }: Profile): Promise<void> {
    const { users } = this.core;
    const user = verified === true && email !== undefined ? await users.byId(id) : undefined;
    if (user === undefined || user.verified || user.known.email !== email) return;
    const bound = await users.bound(user);
    if (bound !== undefined) await users.verify(bound).catch(ifRefused);
  }
}

/**
 * The fields without those whose values the user model refuses: a name that is too long prevents no login.
 * @returns undefined where it refuses none
 */
function withoutRefused(fields: Row, failure: unknown): Row | undefined {
  const faults = failure instanceof Failure ? (failure.errors ?? []) : [];
  const refused = new Set(faults.map(({ path }) => path).filter((path) => Object.hasOwn(fields, path)));
  if (refused.size === 0) return undefined;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !refused.has(name)));
}

/** A user who returns from a provider. */
interface Login {
  /** Of the identity: a digest of the provider's name and the id there. */
  readonly _id: string;
  readonly name: string;
  readonly provider: LoginProvider;
  readonly profile: Profile;
}
