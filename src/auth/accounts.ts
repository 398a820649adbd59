/** What the server keeps of a user beside their document: the API key's salt and digest, the session epoch, the number of logins. */
import { modelOf, ObjectId, type Row } from '../registry/mongoose.ts';
import type { Registry } from '../registry/registry.ts';
import { asked, isTaken } from './asked.ts';
import { digest, newSalt, type Tokens } from './tokens.ts';

export interface Account {
  /** Goes up when all sessions and JWTs of the user end. */
  readonly epoch: number;
  /** Of the password hash that the epoch belongs to. */
  readonly mark: string;
}

export interface Accounts {
  find(user: string): Promise<Account | undefined>;
  /** The account, made when there is none. */
  findOrMake(user: string, mark: string): Promise<Account>;
  /** The next epoch, with another mark, unless somebody else has moved it in the meantime. */
  moveOn(user: string, from: Account, mark: string): Promise<Account | undefined>;
  /** Ends an epoch. Of all who try at once, one succeeds. */
  claim(user: string, epoch: number): Promise<boolean>;
  /** Ends the epoch of a user. @returns the next one; undefined for a user who has no account */
  end(user: string): Promise<number | undefined>;
  /** Counts a login in an epoch. @returns its number among all of the user's, and their API key; undefined when the epoch is over */
  nextLogin(user: string, epoch: number): Promise<{ readonly serial: number; readonly key: string } | undefined>;
  /** A new API key in the place of the old one. */
  renewKey(user: string): Promise<string>;
  /** Whose key this is. */
  userByKey(key: string): Promise<string | undefined>;
}

export function makeAccounts(registry: Registry, tokens: Tokens, clock: () => Date): Accounts {
  const { collection } = modelOf(registry.internal('_account'));
  const newKey = (user: string): { key: string; fields: Row } => {
    const key_salt = newSalt();
    const key = tokens.key(user, key_salt);
    return { key, fields: { key_salt, key_digest: digest(key) } };
  };
  const find = async (user: string): Promise<Account | undefined> => accountFrom(await collection.findOne(idOf(user)));
  return {
    find: (user) => asked(() => find(user)),
    findOrMake: (user, mark) =>
      asked(async () => {
        const found = await find(user);
        if (found !== undefined) return found;
        // an epoch that no earlier account of this id can have reached
        const fresh = { ...newKey(user).fields, epoch: clock().getTime(), mark, logins: 0 };
        try {
          await collection.insertOne({ ...idOf(user), ...fresh });
        } catch (error) {
          if (!isTaken(error)) throw error;
        }
        return (await find(user)) as Account;
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
    renewKey: (user) =>
      asked(async () => {
        const { key, fields } = newKey(user);
        await collection.updateOne(idOf(user), { $set: fields });
        return key;
      }),
    userByKey: (key) =>
      asked(async () => {
        const row = await collection.findOne({ key_digest: digest(key) }, { projection: { _id: 1 } });
        return row === null ? undefined : String(row._id);
      }),
  };
}

const after = { returnDocument: 'after' } as const;
const idOf = (user: string): { _id: InstanceType<typeof ObjectId> } => ({ _id: new ObjectId(user) });

const accountFrom = (row: Row | null): Account | undefined =>
  row === null ? undefined : { epoch: Number(row['epoch']), mark: String(row['mark']) };
