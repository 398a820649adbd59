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

export interface Accounts {
  find(user: string): Promise<Account | undefined>;
  /** The account, made when there is none. One of an earlier user with the same id is replaced. */
  findOrMake(user: UserRef, mark: string): Promise<Account | undefined>;
  /** The next epoch, with another mark, unless somebody else has moved it in the meantime. */
  moveOn(user: string, from: Account, mark: string): Promise<Account | undefined>;
  /** Ends an epoch. Of all who try at once, one succeeds. */
  claim(user: string, epoch: number): Promise<boolean>;
  /** Ends the epoch of a user. @returns the next one; undefined for a user who has no account */
  end(user: string): Promise<number | undefined>;
  /** Counts a login in an epoch. @returns its number among all of the user's, and their API key; undefined when the epoch is over */
  nextLogin(user: string, epoch: number): Promise<{ readonly serial: number; readonly key: string } | undefined>;
  /** A new API key in the place of the old one; undefined when the account is gone. */
  renewKey(user: UserRef): Promise<string | undefined>;
  /** Whose key this is. */
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
    find: (user) => asked(() => find(user)),
    findOrMake: ({ id, incarnation }, mark) =>
      asked(async () => {
        const found = await find(id);
        if (found?.incarnation === incarnation) return found;
        // an epoch that no earlier account of this id has reached
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
    moveOn: (user, from, mark) =>
      asked(async () => {
        const filter = { ...idOf(user), epoch: from.epoch, mark: from.mark };
        const update = { $inc: { epoch: 1 }, $set: { mark } };
        return accountFrom(await collection.findOneAndUpdate(filter, update, after));
      }),
    claim: (user, epoch) =>
      asked(async () => {
        const done = await collection.updateOne({ ...idOf(user), epoch }, { $inc: { epoch: 1 } });
        return done.modifiedCount === 1;
      }),
    end: (user) =>
      asked(async () => {
        const row = await collection.findOneAndUpdate(idOf(user), { $inc: { epoch: 1 } }, after);
        return accountFrom(row)?.epoch;
      }),
    nextLogin: (user, epoch) =>
      asked(async () => {
        const filter = { ...idOf(user), epoch };
        const row = (await collection.findOneAndUpdate(filter, { $inc: { logins: 1 } }, after)) as Row | null;
        if (row === null) return undefined;
        return { serial: Number(row['logins']), key: tokens.key(user, String(row['key_salt'])) };
      }),
    renewKey: ({ id, incarnation }) =>
      asked(async () => {
        const { key, fields } = newKey(id);
        const done = await collection.updateOne({ ...idOf(id), incarnation }, { $set: fields });
        return done.matchedCount === 1 ? key : undefined;
      }),
    userByKey: (key) =>
      asked(async () => {
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
