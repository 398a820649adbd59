/** An actor on a model that the operation itself does not name, such as that of the users. */
import type { Actor, ModelActor } from '../context.ts';
import type { ModelEntry } from '../models/entry.ts';
import { grantPerOperation } from '../policy/grants.ts';

export const actorOn = (actor: Actor, model: ModelEntry, principal = actor.principal): ModelActor => ({
  ...actor,
  principal,
  model,
  grant: grantPerOperation(principal, model),
});
