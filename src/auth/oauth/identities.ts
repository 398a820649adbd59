/**
 * Maps a provider's profile to a user: by a known identity, otherwise by a verified email, otherwise by creating a user where
 * that is allowed.
 */
import { incarnationPath } from '../../models/built-in/incarnation.ts';
import { internalCollection, modelOf, ObjectId, type Row } from '../../models/mongoose.ts';
import type { OAuthProvider } from '../../settings/oauth.ts';
import { commit } from '../../write/commit.ts';
import type { UserRef } from '../credentials/accounts.ts';
import { withDbErrors, isTaken } from '../with-db-errors.ts';
import type { AuthCore } from '../core.ts';
import type { Profile } from './profile.ts';
import { digest } from '../credentials/tokens.ts';

/** The reason why a profile maps to no user: the code that is sent to `fail_uri`. */
export class NoUser extends Error {
  readonly code: 'email_not_verified' | 'email_missing' | 'email_taken' | 'unknown_user' | 'user_deleted';
  constructor(code: NoUser['code']) {
    super(code);
    this.name = 'NoUser';
    this.code = code;
  }
}

/** @returns the user's id @throws NoUser */
export type UserOf = (name: string, provider: OAuthProvider, profile: Profile) => Promise<string>;

export function makeUserOf(core: AuthCore): UserOf {
  const { registry, users, oneAtATime } = core;
  const model = registry.internal('user');
  const identities = internalCollection(registry, '_identity');

  /**
   * The user of an identity. An identity of a permanently deleted user is ignored, even if another user has the id now.
   * @throws NoUser when the user is soft-deleted
   */
  const linked = async (_id: string): Promise<string | undefined> => {
    const identity = (await identities.findOne({ _id } as Row)) as Row | null;
    if (identity === null) return undefined;
    const { user_id, incarnation } = identity;
    const user = (await modelOf(model).collection.findOne({ _id: user_id } as Row)) as Row | null;
    if (user !== null && user[incarnationPath] === incarnation) {
      if (user['_deleted'] === true) throw new NoUser('user_deleted');
      return String(user['_id']);
    }
    await identities.deleteOne({ _id, user_id, incarnation } as Row);
    return undefined;
  };
  /** @returns undefined when another user, who may be deleted, has this email */
  const create = async (email: string, fields: Row): Promise<UserRef | undefined> => {
    const _id = new ObjectId();
    const id = _id.toHexString();
    const document = new (modelOf(model))({ ...fields, email, _id, _owner_id: _id });
    try {
      const writer = { services: core, user: id, silent: false };
      const after = await commit(writer, { kind: 'save', model, document, event: 'post' });
      return { id, incarnation: String(after[incarnationPath]) };
    } catch (error) {
      if (isTaken(error)) return undefined;
      throw error;
    }
  };
  const found = async (provider: OAuthProvider, { email, verified, fields }: Profile): Promise<UserRef> => {
    if (email === undefined) throw new NoUser('email_missing');
    if (verified === false) throw new NoUser('email_not_verified');
    let user = await users.byEmail(email);
    if (user === undefined) {
      if (provider.create === false) throw new NoUser('unknown_user');
      const created = await create(email, { ...fields, email_verified: verified === true });
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
  };
  /** Marks the email as verified if the provider has verified the user's current email. */
  const noteVerified = async (id: string, { email, verified }: Profile): Promise<void> => {
    const user = verified === true && email !== undefined ? await users.byId(id) : undefined;
    if (user === undefined || user.verified || user.known.email !== email) return;
    const bound = await users.bound(user);
    if (bound !== undefined) await users.verify(bound);
  };
  const userOf = (_id: string, name: string, provider: OAuthProvider, profile: Profile): Promise<string> =>
    withDbErrors(async () => {
      const known = await linked(_id);
      if (known !== undefined) {
        await noteVerified(known, profile);
        return known;
      }
      try {
        const { id, incarnation } = await found(provider, profile);
        await identities.insertOne({ _id, provider: name, user_id: new ObjectId(id), incarnation } as Row);
        return id;
      } catch (error) {
        // the same person signed in at another server, which has created the user or the identity
        const first = isTaken(error) || error instanceof NoUser ? await linked(_id) : undefined;
        if (first !== undefined) return first;
        throw error;
      }
    });
  // two tabs of one person must create one user: the second finds the user of the first
  return (name, provider, profile) => {
    const _id = digest(JSON.stringify([name, profile.id]));
    return oneAtATime(`identity ${_id}`, () => userOf(_id, name, provider, profile));
  };
}
