/** Durations and switches in options of models, such as `90d` and `true`. */
import { durationOf } from '../../text/durations.ts';

/**
 * @param name of the option, for the error
 * @returns milliseconds
 * @throws Error with a sentence that names the option
 */
export function readDuration(name: string, value: unknown): number {
  const ms = durationOf(value);
  if (ms !== undefined) return ms;
  throw new Error(`${name} must be a duration such as 30s, 15m, 12h or 90d, got ${shown(value)}`);
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? typeof value).slice(0, 40);

/** @throws Error with a sentence that names the option */
export function readSwitch(name: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (typeof value !== 'boolean') throw new Error(`${name} must be true or false`);
  return value;
}
