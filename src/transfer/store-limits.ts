/** The limits of the embedded store in a command, which works through documents once and needs few of them again. */
import type { StoreUse } from '../database/embedded-store.ts';

const megabyte = 1024 * 1024;

/** A tenth of the memory that the store of a server takes for speed. */
export const commandLimits: NonNullable<StoreUse['storeLimits']> = {
  cacheBytes: 10 * megabyte,
  decodedBytes: 4 * megabyte,
  dirtyBytes: 8 * megabyte,
  historyEvents: 100,
  historyBytes: megabyte,
  heapMegabytes: 1024,
};
