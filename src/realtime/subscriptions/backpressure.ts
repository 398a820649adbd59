/** How much may wait for one subscriber: in the connection, and before it. */

/** Unsent bytes beyond which nothing more is given to the connection until there is room. */
export const maxUnsent = 1_048_576;
/** Unsent bytes below which there is room again. */
export const roomBelow = 65_536;
/** Milliseconds within which a full connection must have room again. */
export const maxFullMs = 10_000;
/** Bytes of events that are sent before the connection is asked whether it is full. */
export const maxSentAtOnce = 262_144;
/** Changes that may wait for a subscriber who has not taken the earlier ones, and bytes of their documents. */
export const [maxWaiting, maxWaitingBytes] = [100_000, 64 * 1024 ** 2];
