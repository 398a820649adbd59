/** Switches in options of models. */

/** @throws Error with a sentence that names the option */
export function readSwitch(name: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (typeof value !== 'boolean') throw new Error(`${name} must be true or false`);
  return value;
}
