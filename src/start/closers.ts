/** How everything that a server has opened is closed: in reverse, and within a time limit. */
import { withTimeout } from '../async/timeout.ts';

/** What closes the opened parts, in the order in which they were opened. */
export type Closers = (() => Promise<void>)[];

/** Maximum milliseconds of closing; more than running requests get. */
const maxCloseMs = 12_000;

/** Closes everything in reverse order. It waits at most `maxCloseMs`, because the database may be unreachable. */
export async function closeAll(closers: Closers): Promise<void> {
  const failed: unknown[] = [];
  const end = performance.now() + maxCloseMs;
  for (const close of closers.splice(0).reverse()) {
    const closing = close().catch((error: unknown) => failed.push(error));
    // what is late is left behind, and the rest is closed too
    await withTimeout(end - performance.now(), closing, () => new Error('late')).catch(() => undefined);
  }
  if (failed.length > 0) throw failed[0];
}
