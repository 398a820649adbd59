/** When a delivery that has failed is tried again. Pure. */

/** Part of a pause by which it may be longer, so that many deliveries do not return at once. */
const jitter = 0.1;
/** Milliseconds that a receiver may ask for: a day. */
const maxAskedMs = 86_400_000;
const leastMs = 1000;

interface Timing {
  /** Milliseconds. */
  readonly now: number;
  /** The pauses after each try. */
  readonly pauses: readonly number[];
  /** From 0 to 1. */
  readonly random?: () => number;
}

/**
 * @param tries that have failed @param retryAfter what the receiver asks for (RFC 9110, 10.2.3): seconds, or a date
 * @returns undefined after the last try
 */
export function nextTry(tries: number, retryAfter: string | undefined, timing: Timing): Date | undefined {
  const { now, pauses, random = Math.random } = timing;
  const pause = pauses[tries - 1];
  if (pause === undefined) return undefined;
  const asked = askedMs(retryAfter, now);
  return new Date(now + (asked ?? pause * (1 + jitter * random())));
}

function askedMs(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(maxAskedMs, Math.max(leastMs, ms));
}
