/** Tells the bus what a request has written. Caches, sessions and subscribers listen. */
import type { Shaped } from '../policy/shaped.ts';
import type { ModelContext } from '../context.ts';
import { flagOf } from '../language/tree.ts';
import type { Change } from '../services.ts';

/** Whether the caller keeps events and post-hooks back (`_silence` in query or body). @throws 400 for an odd flag */
export function isSilent({ query, body }: Pick<ModelContext, 'query' | 'body'>): boolean {
  const inBody = typeof body === 'object' && body !== null && '_silence' in body ? body._silence : undefined;
  return flagOf(query, '_silence') || inBody === true || inBody === 1 || inBody === 'true' || inBody === '1';
}

type Told = Omit<Change, 'user' | 'silent'>;

/** Publishes changes in the name of the caller. */
export function changed(context: ModelContext, changes: readonly Told[]): void {
  const user = context.principal.user?.id;
  const silent = isSilent(context);
  context.services.bus.publish(changes.map((change) => ({ ...change, user, silent })));
}

/** What a write answers with. */
export interface Written {
  readonly id: string;
  readonly data: Shaped;
}
