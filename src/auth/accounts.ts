/** What the server keeps of a user beside their document: the API key's salt and digest, the session epoch, the number of logins. */
import { modelOf, ObjectId, type Row } from '../registry/mongoose.ts';
import type { Registry } from '../registry/registry.ts';
import { asked, isTaken } from './asked.ts';
import { digest, newSalt, type Tokens } from './tokens.ts';

export interface Account {
  readonly salt: string;
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
  /** Ends the epoch of a user who has an account. */
  end(user: string): Promise<void>;
  /** The number of this login among all of the user's. */
  nextLogin(user: string): Promise<number>;
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
  const find = async (user: string): Promise<Account | undefined> =>
    accountFrom((await collection.findOne(idOf(user))) as Row | null);
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
        return accountFrom(
          (await collection.findOneAndUpdate(filter, update, { returnDocument: 'after' })) as Row | null,
        );
      }),
    claim: (user, epoch) =>
      asked(async () => {
        const done = await collection.updateOne({ ...idOf(user), epoch }, { $inc: { epoch: 1 } });
        return done.modifiedCount === 1;
      }),
    end: (user) => asked(async () => void (await collection.updateOne(idOf(user), { $inc: { epoch: 1 } }))),
    nextLogin: (user) =>
      asked(async () => {
        const after = (await collection.findOneAndUpdate(
          idOf(user),
          { $inc: { logins: 1 } },
          { returnDocument: 'after' },
        )) as Row | null;
        return Number(after?.['logins'] ?? 0);
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

const idOf = (user: string): { _id: InstanceType<typeof ObjectId> } => ({ _id: new ObjectId(user) });

const accountFrom = (row: Row | null): Account | undefined =>
  row === null
    ? undefined
    : { salt: String(row['key_salt']), epoch: Number(row['epoch']), mark: String(row['mark']) };
