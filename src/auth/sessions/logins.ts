/** What the server keeps of users besides their documents goes when the documents go for good. */
import { type ClientSession, internalCollection, type ObjectId } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import type { Logins } from '../contract.ts';
import { asked } from '../with-db-errors.ts';

/** The internal models with rows of a user, and the path of the user's id in them. */
const kept = [
  ['_account', '_id'],
  ['_session', 'user_id'],
  ['_identity', 'user_id'],
] as const;

/** Whatever is left behind by a crash opens nothing: keys and identities are bound to the user's incarnation. */
export function makeLogins(registry: Registry): Logins {
  return {
    remove: (users: readonly ObjectId[], session: ClientSession | undefined) =>
      asked(async () => {
        if (users.length === 0) return;
        const options = session === undefined ? {} : { session };
        for (const [model, path] of kept)
          await internalCollection(registry, model).deleteMany({ [path]: { $in: [...users] } }, options);
      }),
  };
}
