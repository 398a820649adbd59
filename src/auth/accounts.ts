/** What the server keeps of a user beside their document: the API key's salt and digest, and the session epoch. */
import { fromDatabase } from '../registry/database-errors.ts';
import { modelOf, ObjectId, type Row } from '../registry/mongoose.ts';
import type { Registry } from '../registry/registry.ts';
import { derivedKey, digest, newSalt } from './tokens.ts';

export interface Accounts {
  /** The user's API key, made at the first call. */
  keyOf(user: string): Promise<string>;
  /** Whose key this is. */
  userByKey(key: string): Promise<string | undefined>;
  remove(user: string): Promise<void>;
}

export function makeAccounts(registry: Registry, secret: string, clock: () => Date): Accounts {
  const { collection } = modelOf(registry.internal('_account'));
  const asked = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw fromDatabase(error);
    }
  };
  return {
    keyOf: (user) =>
      asked(async () => {
        const salt = newSalt();
        const fresh = {
          key_salt: salt,
          key_digest: digest(derivedKey(secret, user, salt)),
          epoch: 0,
          createdAt: clock(),
        };
        const account = (await collection.findOneAndUpdate(
          { _id: new ObjectId(user) },
          { $setOnInsert: fresh },
          { upsert: true, returnDocument: 'after' },
        )) as Row | null;
        return derivedKey(secret, user, String(account?.['key_salt'] ?? salt));
      }),
    userByKey: (key) =>
      asked(async () => {
        const account = await collection.findOne({ key_digest: digest(key) }, { projection: { _id: 1 } });
        return account === null ? undefined : String(account._id);
      }),
    remove: (user) => asked(async () => void (await collection.deleteOne({ _id: new ObjectId(user) }))),
  };
}
