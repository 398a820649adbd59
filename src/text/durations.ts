/** Durations in settings and options: a whole number and a unit, such as `90d`; and the longest one of a timer. */

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** 100 years: beyond it, dates end. */
const maxMs = 36_500 * 86_400_000;

/** @returns milliseconds; undefined for what is no duration */
export function durationOf(value: unknown): number | undefined {
  const [, digits = '', unit = ''] = typeof value === 'string' ? (/^(\d{1,9})([smhd])$/.exec(value) ?? []) : [];
  const ms = Number(digits) * (units[unit] ?? 0);
  return ms > 0 && ms <= maxMs ? ms : undefined;
}

/** The maximum delay of Node's timers in milliseconds: 24.8 days. MongoDB's time limits have the same maximum. */
export const maxTimerMs = 2_147_483_647;
