/** Removes the data that the server stores about users, in the collections that say so (`OfUsers`). */
import type { InternalModel } from '../models/built-in/internal-model.ts';
import { type ClientSession, inSession, internalCollection, ObjectId } from '../models/mongoose.ts';
import type { Registry } from '../models/registry.ts';
import type { UserData } from './contract.ts';

/** Data that a crash leaves behind gives no access, because what does is bound to the user's incarnation. */
export function makeUserData(registry: Registry, models: readonly InternalModel[]): UserData {
  const parts = models.flatMap(({ name, ofUsers }) =>
    ofUsers === undefined ? [] : [{ ...ofUsers, model: `_${name}` as const }],
  );
  return {
    removeAll: async (users: readonly ObjectId[], session: ClientSession | undefined) => {
      if (users.length === 0) return;
      for (const { model, path } of parts)
        await internalCollection(registry, model).deleteMany({ [path]: { $in: [...users] } }, inSession(session));
    },
    removeByRecovery: async (user, ends) => {
      for (const { model, path, endedByRecovery } of parts)
        if (endedByRecovery === ends)
          await internalCollection(registry, model).deleteMany({ [path]: new ObjectId(user) });
    },
  };
}
