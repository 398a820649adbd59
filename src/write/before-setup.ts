/** Before the setup there is no user: any user would close it, so that none is created in another way. */
import type { ModelActor } from '../context.ts';
import { conflict } from '../errors/errors.ts';
import { modelOf } from '../models/mongoose.ts';
import type { Registry } from '../models/registry.ts';

/** Whether there is no user at all, deleted or not. */
export async function setupNeeded(registry: Registry): Promise<boolean> {
  return (await modelOf(registry.internal('user')).collection.findOne({}, { projection: { _id: 1 } })) === null;
}

/** @throws 409 while there is no user */
export async function refuseBeforeSetup(registry: Registry): Promise<void> {
  if (await setupNeeded(registry)) throw conflict('there is no user yet: POST /setup first');
}

/**
 * Refuses to create the first user by a write of documents. A caller who is signed in is a user; the operator is an admin without being
 * one, and may create any.
 * @throws 409
 */
export async function refuseFirstUser({ model, principal, services }: ModelActor): Promise<void> {
  const isAnonymous = principal.user === undefined && !principal.admin;
  if (model.name === 'user' && isAnonymous) await refuseBeforeSetup(services.registry);
}
