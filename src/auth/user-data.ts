/** The data of users that internal models store, which ends with the users. */
import type { InternalModel, RecoveryEnd } from '../models/built-in/internal-model.ts';
import { internalCollection, ObjectId, type Row } from '../models/mongoose.ts';
import type { Registry } from '../models/registry.ts';
import { commit, sessionOf } from '../write/commit.ts';
import type { Writer } from '../write/mutation/writer.ts';
import { transaction } from '../write/transaction.ts';
import type { UserData } from './contract.ts';

/** The documents of users in a model. */
interface DataOfUsers {
  readonly name: `_${string}`;
  /** The path of the user's id. */
  readonly path: string;
  readonly endedByRecovery?: RecoveryEnd | undefined;
}

/**
 * Data that a crash leaves behind gives no access, because what does is bound to the user's incarnation.
 * @param services of the writes that no request makes
 */
export function makeUserData(
  services: Writer['services'],
  registry: Registry,
  models: readonly InternalModel[],
): UserData {
  const all: readonly DataOfUsers[] = models.flatMap(({ name, ofUsers }) =>
    ofUsers === undefined ? [] : [{ ...ofUsers, name: `_${name}` as const }],
  );
  const remove = (writer: Writer, parts: readonly DataOfUsers[], users: readonly ObjectId[]): Promise<void> =>
    transaction(writer, async (inner) => {
      for (const part of parts) await removeFrom(registry, inner, part, users);
    });
  return {
    removeAll: (users, remover = { user: undefined, silent: false }) =>
      users.length === 0 ? Promise.resolve() : remove({ ...remover, services }, all, users),
    removeByRecovery: (user, ends) =>
      remove(
        { services, user, silent: false },
        all.filter(({ endedByRecovery }) => endedByRecovery === ends),
        [new ObjectId(user)],
      ),
  };
}

/** What publishes its changes is removed by a commit. */
async function removeFrom(
  registry: Registry,
  writer: Writer,
  { name, path }: DataOfUsers,
  users: readonly ObjectId[],
): Promise<void> {
  const collection = internalCollection<Row>(registry, name);
  const model = registry.internal(name);
  const filter = { [path]: { $in: [...users] } };
  if (!model.publishes) return void (await collection.deleteMany(filter, sessionOf(writer)));
  const before = await collection.find(filter, sessionOf(writer)).toArray();
  if (before.length === 0) return;
  const ids = before.map(({ _id }) => _id);
  await commit(writer, { kind: 'remove', model, filter: { _id: { $in: ids } }, many: { before } });
}
