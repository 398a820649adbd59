/** How everything that a server has opened is closed: in reverse, and within a time limit. */
import { setTimeout as later } from 'node:timers/promises';

/** What closes the opened parts, in the order in which they were opened. */
export type Closers = (() => Promise<void>)[];

/** Milliseconds; more than what requests under way get. */
const patience = 12_000;

/** Closes everything, in reverse. A database that has gone away in the meantime is not waited for beyond the patience. */
export async function closeAll(closers: Closers): Promise<void> {
  const late = later(patience, undefined, { ref: false });
  const failed: unknown[] = [];
  for (const close of closers.splice(0).reverse())
    await Promise.race([close().catch((error: unknown) => failed.push(error)), late]);
  if (failed.length > 0) throw failed[0];
}
