/** What is wrong with a route. All faults of all files are collected before they stop the start. */

/** A sentence about a route, without the file that has it. */
export class RouteFault extends Error {}

/** Runs a check, and adds what it throws to the faults. @returns undefined where it threw */
export function collectFault<T>(faults: string[], where: string, check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof RouteFault)) throw error;
    faults.push(`${where}: ${error.message}`);
    return undefined;
  }
}

/** A value of a definition, as a fault shows it. */
export const valueText = (value: unknown): string => {
  const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};
