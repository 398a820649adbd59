/** Event × subscription → allowed, matching, shaped, sent. The mirror of the chain that requests go through. */
import { decide } from '../access/decide.ts';
import { shape } from '../access/shape.ts';
import type { Change } from '../services.ts';
import { computedRow } from '../write/row.ts';
import type { Client } from './client.ts';
import { eventText } from './protocol.ts';
import { told } from './subscription.ts';

/** Tells one client of changes, in their order. */
export function deliver(client: Client, changes: readonly Change[]): void {
  const models = new Set(client.subscriptions.all.map(({ model }) => model));
  const heard = changes.filter((change) => !change.silent && models.has(change.model));
  if (heard.length > 0) client.enqueue(() => tell(client, heard));
}

async function tell(client: Client, changes: readonly Change[]): Promise<void> {
  const principal = await client.verified();
  if (principal === undefined) return;
  for (const change of changes) {
    const grant = decide(principal, 'r', change.model);
    if (grant === undefined) continue;
    for (const subscription of client.subscriptions.all) {
      if (subscription.model !== change.model) continue;
      const event = told(change, subscription, grant);
      if (event === undefined) continue;
      client.send(
        eventText(client.id, {
          event,
          modelname: change.model.name,
          item: itemOf(change, event),
          user_id: change.user ?? null,
        }),
      );
      break;
    }
  }
}

/** The document as it is now; of one that is gone, or that the subscriber may see no longer, only the id. */
function itemOf(change: Change, event: Change['event']): unknown {
  if (event === 'del' || change.after === undefined) return { _id: change.id, id: change.id };
  return shape(computedRow(change.model, { ...change.after }));
}
