/** Encodes changes as events: shaped and as JSON, once for all subscribers that may see the same paths. */
import type { ModelEntry, Policy } from '../../../core.ts';
import { jsonId } from '../../../models/fields/id-types.ts';
import { present } from '../../../policy/present.ts';
import type { HiddenNames } from '../../../query/schema-view.ts';
import type { Change, SequencedChange } from '../../../realtime/changes/contract.ts';
import type { EncodedEvent, Row } from './contract.ts';

export type EventEncoder = (change: SequencedChange, event: Change['event'], policy: Policy) => EncodedEvent;

export function makeEventEncoder(): EventEncoder {
  const made = new WeakMap<SequencedChange, Map<HiddenNames, Partial<Record<Change['event'], EncodedEvent>>>>();
  return (change, event, policy) => {
    const views = made.get(change) ?? new Map<HiddenNames, Partial<Record<Change['event'], EncodedEvent>>>();
    made.set(change, views);
    const hidden = policy.hiddenIn(change.after ?? {});
    const known = views.get(hidden) ?? {};
    views.set(hidden, known);
    return (known[event] ??= encodeEvent(change, event, policy));
  };
}

function encodeEvent(change: SequencedChange, event: Change['event'], policy: Policy): EncodedEvent {
  const { position, model, user } = change;
  const item = itemOf(change, event, policy);
  const json = JSON.stringify({ event, modelname: model.name, item, user_id: user ?? null, position });
  return { position, json, bytes: Buffer.from(json) };
}

/** Encodes a document that a subscription begins with. */
export function encodeDocument(model: ModelEntry, row: Row, policy: Policy): EncodedEvent {
  const item = present(policy, row);
  const json = JSON.stringify({ event: 'post', modelname: model.name, item, user_id: null });
  return { position: undefined, json, bytes: Buffer.from(json) };
}

/** The document after the change; only the id if it is deleted or the subscriber may no longer see it. */
function itemOf({ model, id, after }: Change, event: Change['event'], policy: Policy): unknown {
  if (event === 'del' || after === undefined) {
    const _id = jsonId(model.idType, id);
    return model.schema.hasOwnId ? { _id } : { _id, id: _id };
  }
  return present(policy, after);
}
