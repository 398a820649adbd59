/** What is wrong with a definition of a route or a function. All faults of all files are collected before they stop the start. */
import type { PathFault } from '../../errors/failure.ts';

/** A sentence about a definition, without the file that has it. */
export class DefinitionFault extends Error {}

/** Runs a check, and adds what it throws to the faults. @returns undefined where it threw */
export function collectFault<T>(faults: string[], where: string, check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof DefinitionFault)) throw error;
    faults.push(`${where}: ${error.message}`);
    return undefined;
  }
}

/** A value of a definition, as a fault shows it. */
export const valueText = (value: unknown): string => {
  const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

/** A fault whose sentence names its path, and the part of a request that has it. @param title such as `the body` */
export const faultIn = (title: string, { path, kind, message }: PathFault): PathFault => ({
  path,
  kind,
  message: `${path === '' ? title : `${path} in ${title}`}: ${message}`,
});
