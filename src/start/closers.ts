/** How everything that a server has opened is closed: in reverse, and within a time limit. */
import { setTimeout as later } from 'node:timers/promises';

/** What closes the opened parts, in the order in which they were opened. */
export type Closers = (() => Promise<void>)[];

/** Maximum milliseconds of closing; more than running requests get. */
const maxCloseMs = 12_000;

/** Closes everything in reverse order. It waits at most `maxCloseMs`, because the database may be unreachable. */
export async function closeAll(closers: Closers): Promise<void> {
  const late = later(maxCloseMs, undefined, { ref: false });
  const failed: unknown[] = [];
  for (const close of closers.splice(0).reverse())
    await Promise.race([close().catch((error: unknown) => failed.push(error)), late]);
  if (failed.length > 0) throw failed[0];
}
