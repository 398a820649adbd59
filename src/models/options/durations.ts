/** Durations in options of models: a whole number and a unit, such as `90d`. */

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** 100 years: beyond it, dates end. */
const maxMs = 36_500 * 86_400_000;

/**
 * @param name of the option, for the error
 * @returns milliseconds
 * @throws Error with a sentence that names the option
 */
export function readDuration(name: string, value: unknown): number {
  const [, digits = '', unit = ''] = typeof value === 'string' ? (/^(\d{1,9})([smhd])$/.exec(value) ?? []) : [];
  const ms = Number(digits) * (units[unit] ?? 0);
  if (ms > 0 && ms <= maxMs) return ms;
  throw new Error(`${name} must be a duration such as 30s, 15m, 12h or 90d, got ${shown(value)}`);
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? typeof value).slice(0, 40);
