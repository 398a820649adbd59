/** Runs the entries of the outbox in this process. */
import { OutboxLoop } from '../outbox/loop.ts';
import { ClaimRows } from '../outbox/rows.ts';
import type { Closers } from './closers.ts';
import type { Launch } from './launch.ts';
import type { Storage } from './storage.ts';

/** Costs nothing where no feature has entries. @throws what the database throws */
export async function runOutbox(
  { registry, shared, outbox, featureServices, metrics }: Storage,
  { clock, log, place }: Launch,
  closers: Closers,
): Promise<void> {
  const kinds = featureServices.outboxKinds;
  if (kinds.length === 0) return;
  const rows = new ClaimRows(registry, shared.clock, place.id);
  await rows.freeEnded(place.ended);
  const loop = new OutboxLoop({ rows, kinds, clock, shared: shared.clock, log, metrics });
  outbox.onCommitted(loop.wake);
  closers.push(() => loop.close());
  loop.wake();
}
