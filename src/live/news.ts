/** A change as subscribers are told of it: shaped and written as JSON once for all who see the same paths. */
import type { SchemaView } from '../language/schema-view.ts';
import type { Policy } from '../policy/policy.ts';
import { present } from '../policy/present.ts';
import type { Change, Placed } from '../events/contract.ts';
import type { News } from './contract.ts';

export type NewsOf = (change: Placed, event: Change['event'], policy: Policy) => News;

export function makeNews(): NewsOf {
  const made = new WeakMap<Placed, Map<SchemaView, Partial<Record<Change['event'], News>>>>();
  return (change, event, policy) => {
    const views = made.get(change) ?? new Map<SchemaView, Partial<Record<Change['event'], News>>>();
    made.set(change, views);
    const known = views.get(policy.view) ?? {};
    views.set(policy.view, known);
    return (known[event] ??= newsOf(change, event, policy));
  };
}

function newsOf(change: Placed, event: Change['event'], policy: Policy): News {
  const { position, model, user } = change;
  const item = itemOf(change, event, policy);
  const json = JSON.stringify({ event, modelname: model.name, item, user_id: user ?? null, position });
  return { position, json, bytes: Buffer.from(json) };
}

/** The document as it is now; of one that is gone, or that the subscriber may see no longer, only the id. */
function itemOf({ id, after }: Change, event: Change['event'], policy: Policy): unknown {
  if (event === 'del' || after === undefined) return { _id: id, id };
  return present(policy, after);
}
