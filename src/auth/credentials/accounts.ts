/** What the server keeps of a user beside their document: the API key's salt and digest, the session epoch, the number of logins. */
import { internalCollection, ObjectId, type Row } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import { asked, isTaken } from '../with-db-errors.ts';
import { digest, newSalt, type Tokens } from './tokens.ts';

/** A user, and which of all users that ever had this id. */
export interface UserRef {
  readonly id: string;
  readonly incarnation: string;
}

interface Account {
  /** Of the user whom it belongs to. */
  readonly incarnation: string | undefined;
  /** Goes up when all sessions and JWTs of the user end. */
  readonly epoch: number;
  /** Of the password hash that the epoch belongs to. */
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
    return asked(() => this.#find(user));
  }

  /** The account, made when there is none. One of an earlier user with the same id is replaced. */
  findOrMake({ id, incarnation }: UserRef, mark: string): Promise<Account | undefined> {
    return asked(async () => {
      const found = await this.#find(id);
      if (found?.incarnation === incarnation) return found;
      // an epoch that no earlier account of this id has reached
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

  /** The next epoch, with another mark, unless somebody else has moved it in the meantime. */
  moveOn(user: string, from: Account, mark: string): Promise<Account | undefined> {
    return asked(async () => {
      const filter = { ...idOf(user), epoch: from.epoch, mark: from.mark };
      const update = { $inc: { epoch: 1 }, $set: { mark } };
      return accountFrom(await this.#collection.findOneAndUpdate(filter, update, after));
    });
  }

  /** Ends an epoch. Of all who try at once, one succeeds. */
  claim(user: string, epoch: number): Promise<boolean> {
    return asked(async () => {
      const done = await this.#collection.updateOne({ ...idOf(user), epoch }, { $inc: { epoch: 1 } });
      return done.modifiedCount === 1;
    });
  }

  /** Ends the epoch of a user. @returns the next one; undefined for a user who has no account */
  end(user: string): Promise<number | undefined> {
    return asked(async () => {
      const row = await this.#collection.findOneAndUpdate(idOf(user), { $inc: { epoch: 1 } }, after);
      return accountFrom(row)?.epoch;
    });
  }

  /** Counts a login in an epoch. @returns its number among all of the user's, and their API key; undefined when the epoch is over */
  nextLogin(user: string, epoch: number): Promise<{ readonly serial: number; readonly key: string } | undefined> {
    return asked(async () => {
      const filter = { ...idOf(user), epoch };
      const row = (await this.#collection.findOneAndUpdate(filter, { $inc: { logins: 1 } }, after)) as Row | null;
      if (row === null) return undefined;
      return { serial: Number(row['logins']), key: this.tokens.key(user, String(row['key_salt'])) };
    });
  }

  /** A new API key in the place of the old one; undefined when the account is gone. */
  renewKey({ id, incarnation }: UserRef): Promise<string | undefined> {
    return asked(async () => {
      const { key, fields } = this.#newKey(id);
      const done = await this.#collection.updateOne({ ...idOf(id), incarnation }, { $set: fields });
      return done.matchedCount === 1 ? key : undefined;
    });
  }

  /** Whose key this is. */
  userByKey(key: string): Promise<UserRef | undefined> {
    return asked(async () => {
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
