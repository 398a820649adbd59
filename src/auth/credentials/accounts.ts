/**
 * The data that the server stores about a user besides their document: the API key's salt and digest, the session epoch, the
 * number of logins.
 */
import { unlessTaken } from '../../models/database-errors.ts';
import {
  type ClientSession,
  type Collection,
  inSession,
  internalCollection,
  ObjectId,
  type Row,
} from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import { digest, newSalt, type Tokens } from './tokens.ts';

/** A user by id and incarnation, which distinguishes them from earlier users with the same id. */
export interface UserRef {
  readonly id: string;
  readonly incarnation: string;
}

export interface Account {
  readonly incarnation: string | undefined;
  /** Increases when all sessions and JWTs of the user end. */
  readonly epoch: number;
  /** The fingerprint of the epoch's password hash. */
  readonly passwordFingerprint: string;
  /** Whether a second factor is on. */
  readonly hasFactor: boolean;
  /** Increases when a recovery begins and when it has set a password. Keys are bound to it. */
  readonly resets: number;
  /** The fingerprint of the password that a recovery is about to set. */
  readonly recoveryFingerprint: string | undefined;
  /** The email that the user must verify before they can sign in; undefined for none. */
  readonly unverifiedEmail: string | undefined;
  readonly requestedEmail: RequestedEmail | undefined;
  /** The digest of the JWT of the invitation that an admin has handed over. */
  readonly invitation: string | undefined;
  readonly addresses: readonly UsedAddress[];
  /** The digest of the API key. */
  readonly keyDigest: string;
}

/** The email that a user has asked for, until the link of the mail to it is opened. */
export interface RequestedEmail {
  readonly email: string;
  /** The email and the epoch of the user when they asked: with either of them the request ends. */
  readonly from: string;
  readonly epoch: number;
}

/** An address that a user has signed in from. */
export interface UsedAddress {
  /** A keyed hash of the address. */
  readonly digest: string;
  /** The last sign-in, right to a day. */
  readonly at: Date;
}

/** Maximum addresses of one user; beyond it the one that was added first is dropped. */
const maxAddresses = 20;

/** A login that begins. */
interface BegunLogin {
  /** The number of the login among the user's. */
  readonly serial: number;
  readonly key: string;
  readonly addresses: readonly UsedAddress[];
}

export class Accounts {
  readonly #collection: Collection;

  constructor(
    registry: Registry,
    private readonly tokens: Tokens,
    private readonly clock: () => Date,
  ) {
    this.#collection = internalCollection(registry, '_account');
  }

  async find(user: string): Promise<Account | undefined> {
    return accountFrom(await this.#collection.findOne(idOf(user)));
  }

  /** Finds or creates the account. An account of an earlier user with the same id is replaced. */
  async findOrCreate({ id, incarnation }: UserRef, passwordFingerprint: string): Promise<Account | undefined> {
    const found = await this.find(id);
    if (found?.incarnation === incarnation) return found;
    // later than any epoch of an earlier account with this id
    const epoch = Math.max(this.clock().getTime(), (found?.epoch ?? 0) + 1);
    const fresh = { ...this.#newKey(id).fields, incarnation, epoch, mark: passwordFingerprint, logins: 0 };
    const earlier = { ...idOf(id), incarnation: found?.incarnation ?? null };
    const update = { $set: fresh, $unset: { factor: '', new_factor: '', recovering: '', requested: '' } } as const;
    await unlessTaken(() => this.#collection.updateOne(earlier, update, { upsert: found === undefined }));
    return this.find(id);
  }

  /** Creates the account of a user who is about to be created and must verify the address. */
  async createUnverified(
    { id, incarnation }: UserRef,
    given: { readonly passwordFingerprint: string; readonly unverifiedEmail: string },
  ): Promise<void> {
    const stored = { mark: given.passwordFingerprint, awaits: given.unverifiedEmail };
    const fresh = { ...this.#newKey(id).fields, incarnation, epoch: this.clock().getTime(), ...stored, logins: 0 };
    await this.#collection.insertOne({ ...idOf(id), ...fresh });
  }

  /** The user need not verify the email any more. @param unverifiedEmail the value that was read */
  async endVerification({ id, incarnation }: UserRef, unverifiedEmail: string): Promise<void> {
    await this.#collection.updateOne({ ...idOf(id), incarnation, awaits: unverifiedEmail }, { $unset: { awaits: 1 } });
  }

  /** Keeps the email that a user has asked for. @param requested undefined ends an earlier request */
  async requestEmail({ id, incarnation }: UserRef, requested: RequestedEmail | undefined): Promise<void> {
    const update = requested === undefined ? { $unset: { requested: 1 as const } } : { $set: { requested } };
    await this.#collection.updateOne({ ...idOf(id), incarnation }, update);
  }

  /** Keeps the latest invitation that is handed over, which ends the one before. @param jwt undefined for one that is mailed */
  async keepInvitation({ id, incarnation }: UserRef, jwt: string | undefined): Promise<void> {
    const update = jwt === undefined ? { $unset: { invitation: 1 as const } } : { $set: { invitation: digest(jwt) } };
    await this.#collection.updateOne({ ...idOf(id), incarnation }, update);
  }

  /** Removes the account of a user who could not be created. */
  async remove({ id, incarnation }: UserRef): Promise<void> {
    await this.#collection.deleteOne({ ...idOf(id), incarnation });
  }

  /**
   * Begins the next epoch, with another password, unless another server has begun it meanwhile.
   * @param mark the fingerprint of the password
   * @param isRecovered whether a recovery has set the password: then the keys of before end with the epoch
   */
  async beginNextEpoch(user: string, from: Account, mark: string, isRecovered: boolean): Promise<Account | undefined> {
    const filter = { ...idOf(user), epoch: from.epoch, mark: from.passwordFingerprint };
    const update = isRecovered
      ? {
          $inc: { epoch: 1, resets: 1 },
          $set: { mark, ...this.#newKey(user).fields },
          $unset: { recovering: 1 as const },
        }
      : { $inc: { epoch: 1 }, $set: { mark } };
    return accountFrom(await this.#collection.findOneAndUpdate(filter, update, after));
  }

  /** Sets another fingerprint of the same password, unless the account has changed. */
  async replaceFingerprint(user: string, from: Account, passwordFingerprint: string): Promise<void> {
    await this.#collection.updateOne(
      { ...idOf(user), epoch: from.epoch, mark: from.passwordFingerprint },
      { $set: { mark: passwordFingerprint } },
    );
  }

  /**
   * Ends an epoch by a recovery mail. Of several concurrent attempts, one succeeds.
   * @param recovering the fingerprint of the password that is about to be set: until then the old one still signs in
   */
  async endEpochByRecovery(user: string, epoch: number, recovering: string): Promise<boolean> {
    const update = { $inc: { epoch: 1, resets: 1 }, $set: { recovering } };
    const done = await this.#collection.updateOne({ ...idOf(user), epoch }, update);
    return done.modifiedCount === 1;
  }

  /** Ends the epoch of a user. @returns the next epoch; undefined for a user without an account */
  async endEpoch(user: string): Promise<number | undefined> {
    const row = await this.#collection.findOneAndUpdate(idOf(user), { $inc: { epoch: 1 } }, after);
    return accountFrom(row)?.epoch;
  }

  /**
   * Counts a login in an epoch. @param hasFactor whether the user had a second factor on when the caller was verified
   * @returns undefined when the epoch has ended, or a factor is on by now
   */
  async nextLogin(user: string, epoch: number, hasFactor: boolean): Promise<BegunLogin | undefined> {
    const filter = { ...idOf(user), epoch, ...(hasFactor ? {} : { factor: null }) };
    const row = (await this.#collection.findOneAndUpdate(filter, { $inc: { logins: 1 } }, after)) as Row | null;
    const addresses = accountFrom(row)?.addresses;
    if (row === null || addresses === undefined) return undefined;
    return { serial: Number(row['logins']), key: await this.#keyIn(user, row), addresses };
  }

  /** The API key of an account. One whose secret is no longer accepted is replaced. */
  async #keyIn(user: string, { key_salt, key_digest }: Row): Promise<string> {
    const keys = this.tokens.keys(user, String(key_salt));
    const known = keys.find((key) => digest(key) === key_digest);
    if (known !== undefined) return known;
    const { key, fields } = this.#newKey(user);
    const done = await this.#collection.updateOne({ ...idOf(user), key_digest }, { $set: fields });
    const row = done.modifiedCount === 1 ? null : ((await this.#collection.findOne(idOf(user))) as Row | null);
    return row === null ? key : (this.tokens.keys(user, String(row['key_salt']))[0] ?? key);
  }

  /** @returns false when the account has the address already */
  async addAddress(user: string, address: UsedAddress): Promise<boolean> {
    const filter = { ...idOf(user), 'addresses.digest': { $ne: address.digest } };
    const update = { $push: { addresses: { $each: [address], $slice: -maxAddresses } } } as Row;
    return (await this.#collection.updateOne(filter, update)).modifiedCount === 1;
  }

  /** Sets the time of an address that the account has. */
  async touchAddress(user: string, { digest, at }: UsedAddress): Promise<void> {
    const filter = { ...idOf(user), 'addresses.digest': digest };
    await this.#collection.updateOne(filter, { $set: { 'addresses.$.at': at } });
  }

  /**
   * Replaces the API key. @param from the account as it was read
   * @returns the new one; undefined when the key or the epoch has changed since, or the account is gone @throws the driver's errors
   */
  async renewKey(
    { id, incarnation }: UserRef,
    { epoch, keyDigest }: Pick<Account, 'epoch' | 'keyDigest'>,
    session: ClientSession | undefined,
  ): Promise<string | undefined> {
    const { key, fields } = this.#newKey(id);
    const filter = { ...idOf(id), incarnation, epoch, key_digest: keyDigest };
    const done = await this.#collection.updateOne(filter, { $set: fields }, inSession(session));
    return done.matchedCount === 1 ? key : undefined;
  }

  /** The user of an API key, by its digest. */
  async userByKey(key_digest: string): Promise<(UserRef & Pick<Account, 'resets'>) | undefined> {
    const options = { projection: { incarnation: 1, resets: 1 } };
    const row = (await this.#collection.findOne({ key_digest }, options)) as Row | null;
    return row === null
      ? undefined
      : { id: String(row['_id']), incarnation: String(row['incarnation']), resets: resetsOf(row) };
  }

  #newKey(user: string): { readonly key: string; readonly fields: Row } {
    const key_salt = newSalt();
    const [key = ''] = this.tokens.keys(user, key_salt);
    return { key, fields: { key_salt, key_digest: digest(key) } };
  }
}

const after = { returnDocument: 'after' } as const;
const idOf = (user: string): { _id: InstanceType<typeof ObjectId> } => ({ _id: new ObjectId(user) });

/** Accounts older than this field have none. */
const resetsOf = (row: Row): number => Number(row['resets'] ?? 0);

const accountFrom = (row: Row | null): Account | undefined =>
  row === null
    ? undefined
    : {
        incarnation: typeof row['incarnation'] === 'string' ? row['incarnation'] : undefined,
        epoch: Number(row['epoch']),
        passwordFingerprint: String(row['mark']),
        hasFactor: row['factor'] !== undefined,
        resets: resetsOf(row),
        recoveryFingerprint: typeof row['recovering'] === 'string' ? row['recovering'] : undefined,
        unverifiedEmail: typeof row['awaits'] === 'string' ? row['awaits'] : undefined,
        requestedEmail: row['requested'] as RequestedEmail | undefined,
        invitation: typeof row['invitation'] === 'string' ? row['invitation'] : undefined,
        addresses: Array.isArray(row['addresses']) ? (row['addresses'] as UsedAddress[]) : [],
        keyDigest: String(row['key_digest']),
      };
