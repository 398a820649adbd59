/** Removes the data that the server stores about users when their documents are deleted permanently. */
import { type ClientSession, inSession, internalCollection, ObjectId } from '../models/mongoose.ts';
import type { Registry } from '../models/registry.ts';
import type { UserData } from './contract.ts';
import { withDbErrors } from './with-db-errors.ts';

/** The internal models with data of users, and the path of the user's id in each. */
const collections = [
  ['_account', '_id'],
  ['_session', 'user_id'],
  ['_key', 'user_id'],
  ['_identity', 'user_id'],
] as const;

/** Data that a crash leaves behind gives no access: keys and identities are bound to the user's incarnation. */
export function makeUserData(registry: Registry): UserData {
  return {
    removeAll: (users: readonly ObjectId[], session: ClientSession | undefined) =>
      withDbErrors(async () => {
        if (users.length === 0) return;
        const options = inSession(session);
        for (const [model, path] of collections)
          await internalCollection(registry, model).deleteMany({ [path]: { $in: [...users] } }, options);
      }),
    removeIdentities: (user) =>
      withDbErrors(async () => {
        await internalCollection(registry, '_identity').deleteMany({ user_id: new ObjectId(user) });
      }),
  };
}
