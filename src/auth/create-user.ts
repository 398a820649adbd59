/** Creates the users who sign up or come from a provider. */
import { incarnationPath } from '../models/built-in/incarnation.ts';
import { modelOf, ObjectId, type Row } from '../models/mongoose.ts';
import { commit } from '../write/commit.ts';
import type { Writer } from '../write/mutation/writer.ts';
import type { Actor } from './contract.ts';
import type { AuthCore } from './core.ts';
import type { UserRef } from './credentials/accounts.ts';

/**
 * @param by the user themselves, and where the request comes from
 * @param values of the user, checked, with the hash of a password
 * @param incarnation the one to create the user with; a random one by default
 * @throws the errors of Mongoose and the driver
 */
export async function createUser(
  core: Writer['services'] & Pick<AuthCore, 'registry'>,
  { user: id, progress, ...origin }: Actor & { readonly user: string },
  values: Row,
  incarnation?: string,
): Promise<UserRef> {
  const model = core.registry.internal('user');
  const _id = new ObjectId(id);
  const document = new (modelOf(model))({ ...values, _id, _owner_id: _id });
  // validation has set another incarnation
  const guard = (): void => void (incarnation !== undefined && document.$set(incarnationPath, incarnation));
  const writer = { services: core, user: id, origin, progress, silent: false };
  const undo = { kind: 'remove', model, filter: { _id }, many: { before: [] } } as const;
  const after = await commit(writer, { kind: 'insert', model, document, event: 'post', guard, undo });
  return { id, incarnation: String(after[incarnationPath]) };
}
