/** The limits of unsent data for one subscriber: in the connection, and before it. */

/** Unsent bytes beyond which a connection counts as full and gets no more data. */
export const maxUnsent = 1_048_576;
/** Unsent bytes below which a full connection has room again. */
export const roomBelow = 65_536;
/** Milliseconds within which a full connection must have room again. */
export const maxFullMs = 10_000;
/** Bytes of events that are sent between two checks of the connection. */
export const maxSentAtOnce = 262_144;
/** Maximum changes that wait for a slow subscriber, and bytes of their documents. */
export const [maxWaiting, maxWaitingBytes] = [100_000, 64 * 1024 ** 2];
