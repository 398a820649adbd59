/**
 * The data that the server stores about a user besides their document: the API key's salt and digest, the session epoch, the
 * number of logins.
 */
import { internalCollection, ObjectId, type Row } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import { withDbErrors, isTaken } from '../with-db-errors.ts';
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

export interface Accounts {
  find(user: string): Promise<Account | undefined>;
  /** Finds or creates the account. An account of an earlier user with the same id is replaced. */
  findOrCreate(user: UserRef, mark: string): Promise<Account | undefined>;
  /** Begins the next epoch, with another fingerprint, unless another server has begun it meanwhile. */
  advance(user: string, from: Account, mark: string): Promise<Account | undefined>;
  /** Ends an epoch. Of several concurrent attempts, one succeeds. */
  claim(user: string, epoch: number): Promise<boolean>;
  /** Ends the epoch of a user. @returns the next epoch; undefined for a user without an account */
  end(user: string): Promise<number | undefined>;
  /** Counts a login in an epoch. @returns its serial number for the user, and the API key; undefined when the epoch has ended */
  nextLogin(user: string, epoch: number): Promise<{ readonly serial: number; readonly key: string } | undefined>;
  /** Replaces the API key. @returns the new one; undefined when the account is gone */
  renewKey(user: UserRef): Promise<string | undefined>;
  /** The user of an API key. */
  userByKey(key: string): Promise<UserRef | undefined>;
}

export function makeAccounts(registry: Registry, tokens: Tokens, clock: () => Date): Accounts {
  const collection = internalCollection(registry, '_account');
  const newKey = (user: string): { key: string; fields: Row } => {
    const key_salt = newSalt();
    const key = tokens.key(user, key_salt);
    return { key, fields: { key_salt, key_digest: digest(key) } };
  };
  const find = async (user: string): Promise<Account | undefined> => accountFrom(await collection.findOne(idOf(user)));
  return {
    find: (user) => withDbErrors(() => find(user)),
    findOrCreate: ({ id, incarnation }, mark) =>
      withDbErrors(async () => {
        const found = await find(id);
        if (found?.incarnation === incarnation) return found;
        // later than any epoch of an earlier account with this id
        const epoch = Math.max(clock().getTime(), (found?.epoch ?? 0) + 1);
        const fresh = { ...newKey(id).fields, incarnation, epoch, mark, logins: 0 };
        const earlier = { ...idOf(id), incarnation: found?.incarnation ?? null };
        try {
          await collection.updateOne(earlier, { $set: fresh }, { upsert: found === undefined });
        } catch (error) {
          if (!isTaken(error)) throw error;
        }
        return find(id);
      }),
    advance: (user, from, mark) =>
      withDbErrors(async () => {
        const filter = { ...idOf(user), epoch: from.epoch, mark: from.mark };
        const update = { $inc: { epoch: 1 }, $set: { mark } };
        return accountFrom(await collection.findOneAndUpdate(filter, update, after));
      }),
    claim: (user, epoch) =>
      withDbErrors(async () => {
        const done = await collection.updateOne({ ...idOf(user), epoch }, { $inc: { epoch: 1 } });
        return done.modifiedCount === 1;
      }),
    end: (user) =>
      withDbErrors(async () => {
        const row = await collection.findOneAndUpdate(idOf(user), { $inc: { epoch: 1 } }, after);
        return accountFrom(row)?.epoch;
      }),
    nextLogin: (user, epoch) =>
      withDbErrors(async () => {
        const filter = { ...idOf(user), epoch };
        const row = (await collection.findOneAndUpdate(filter, { $inc: { logins: 1 } }, after)) as Row | null;
        if (row === null) return undefined;
        return { serial: Number(row['logins']), key: tokens.key(user, String(row['key_salt'])) };
      }),
    renewKey: ({ id, incarnation }) =>
      withDbErrors(async () => {
        const { key, fields } = newKey(id);
        const done = await collection.updateOne({ ...idOf(id), incarnation }, { $set: fields });
        return done.matchedCount === 1 ? key : undefined;
      }),
    userByKey: (key) =>
      withDbErrors(async () => {
        const options = { projection: { incarnation: 1 } };
        const row = (await collection.findOne({ key_digest: digest(key) }, options)) as Row | null;
        return row === null ? undefined : { id: String(row['_id']), incarnation: String(row['incarnation']) };
      }),
  };
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
