/**
 * The data that the server stores about a user besides their document: the API key's salt and digest, the session epoch, the
 * number of logins.
 */
import { type ClientSession, internalCollection, ObjectId, type Row } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import { isTaken, withDbErrors } from '../with-db-errors.ts';
import { digest, newSalt, type Tokens } from './tokens.ts';

/** A user by id and incarnation, which distinguishes them from earlier users with the same id. */
export interface UserRef {
  readonly id: string;
  readonly incarnation: string;
}

interface Account {
  /** The incarnation of the user. */
  readonly incarnation: string | undefined;
  /** Increases when all sessions and JWTs of the user end. */
  readonly epoch: number;
  /** The fingerprint of the epoch's password hash. */
  readonly mark: string;
}

export class Accounts {
  readonly #collection: ReturnType<typeof internalCollection>;

  constructor(
    registry: Registry,
    private readonly tokens: Tokens,
    private readonly clock: () => Date,
  ) {
    this.#collection = internalCollection(registry, '_account');
  }

  find(user: string): Promise<Account | undefined> {
    return withDbErrors(() => this.#find(user));
  }

  /** Finds or creates the account. An account of an earlier user with the same id is replaced. */
  findOrCreate({ id, incarnation }: UserRef, mark: string): Promise<Account | undefined> {
    return withDbErrors(async () => {
      const found = await this.#find(id);
      if (found?.incarnation === incarnation) return found;
      // later than any epoch of an earlier account with this id
      const epoch = Math.max(this.clock().getTime(), (found?.epoch ?? 0) + 1);
      const fresh = { ...this.#newKey(id).fields, incarnation, epoch, mark, logins: 0 };
      const earlier = { ...idOf(id), incarnation: found?.incarnation ?? null };
      try {
        await this.#collection.updateOne(earlier, { $set: fresh }, { upsert: found === undefined });
      } catch (error) {
        if (!isTaken(error)) throw error;
      }
      return this.#find(id);
    });
  }

  /** Begins the next epoch, with another fingerprint, unless another server has begun it meanwhile. */
  advance(user: string, from: Account, mark: string): Promise<Account | undefined> {
    return withDbErrors(async () => {
      const filter = { ...idOf(user), epoch: from.epoch, mark: from.mark };
      const update = { $inc: { epoch: 1 }, $set: { mark } };
      return accountFrom(await this.#collection.findOneAndUpdate(filter, update, after));
    });
  }

  /** Ends an epoch. Of several concurrent attempts, one succeeds. */
  claim(user: string, epoch: number): Promise<boolean> {
    return withDbErrors(async () => {
      const done = await this.#collection.updateOne({ ...idOf(user), epoch }, { $inc: { epoch: 1 } });
      return done.modifiedCount === 1;
    });
  }

  /** Ends the epoch of a user. @returns the next epoch; undefined for a user without an account */
  end(user: string): Promise<number | undefined> {
    return withDbErrors(async () => {
      const row = await this.#collection.findOneAndUpdate(idOf(user), { $inc: { epoch: 1 } }, after);
      return accountFrom(row)?.epoch;
    });
  }

  /** Counts a login in an epoch. @returns its serial number for the user, and the API key; undefined when the epoch has ended */
  nextLogin(user: string, epoch: number): Promise<{ readonly serial: number; readonly key: string } | undefined> {
    return withDbErrors(async () => {
      const filter = { ...idOf(user), epoch };
      const row = (await this.#collection.findOneAndUpdate(filter, { $inc: { logins: 1 } }, after)) as Row | null;
      if (row === null) return undefined;
      return { serial: Number(row['logins']), key: this.tokens.key(user, String(row['key_salt'])) };
    });
  }

  /** Replaces the API key. @returns the new one; undefined when the account is gone @throws the driver's errors */
  async renewKey({ id, incarnation }: UserRef, session: ClientSession | undefined): Promise<string | undefined> {
    const { key, fields } = this.#newKey(id);
    const options = session === undefined ? {} : { session };
    const done = await this.#collection.updateOne({ ...idOf(id), incarnation }, { $set: fields }, options);
    return done.matchedCount === 1 ? key : undefined;
  }

  /** The user of an API key. */
  userByKey(key: string): Promise<UserRef | undefined> {
    return withDbErrors(async () => {
      const options = { projection: { incarnation: 1 } };
      const row = (await this.#collection.findOne({ key_digest: digest(key) }, options)) as Row | null;
      return row === null ? undefined : { id: String(row['_id']), incarnation: String(row['incarnation']) };
    });
  }

  async #find(user: string): Promise<Account | undefined> {
    return accountFrom(await this.#collection.findOne(idOf(user)));
  }

  #newKey(user: string): { readonly key: string; readonly fields: Row } {
    const key_salt = newSalt();
    const key = this.tokens.key(user, key_salt);
    return { key, fields: { key_salt, key_digest: digest(key) } };
  }
}

const after = { returnDocument: 'after' } as const;
const idOf = (user: string): { _id: InstanceType<typeof ObjectId> } => ({ _id: new ObjectId(user) });

const accountFrom = (row: Row | null): Account | undefined =>
  row === null
    ? undefined
    : {
        incarnation: typeof row['incarnation'] === 'string' ? row['incarnation'] : undefined,
        epoch: Number(row['epoch']),
        mark: String(row['mark']),
      };
