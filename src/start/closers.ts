/** How everything that a server has opened is closed: in reverse, and within a time limit. */

/** What closes the opened parts, in the order in which they were opened. */
export type Closers = (() => Promise<void>)[];

/** Maximum milliseconds of closing; more than running requests get. */
const maxCloseMs = 12_000;

/** Closes everything in reverse order. It waits at most `maxCloseMs`, because the database may be unreachable. */
export async function closeAll(closers: Closers): Promise<void> {
  const failed: unknown[] = [];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((done) => (timer = setTimeout(done, maxCloseMs).unref()));
  for (const close of closers.splice(0).reverse())
    await Promise.race([close().catch((error: unknown) => failed.push(error)), late]);
  // it would keep all that is closed in memory
  clearTimeout(timer);
  if (failed.length > 0) throw failed[0];
}
