/** What a failed command prints. */
import { Failure } from '../errors.ts';
import { lineOf, startFaults } from './check/faults.ts';

/** The message of an error, without a stack: it is for operators. */
export function messageOf(error: unknown): string {
  const faults = startFaults(error);
  if (faults !== undefined) return faults.map(lineOf).join('\n');
  if (error instanceof Failure) return `error: ${error.reason}`;
  return `error: ${error instanceof Error ? error.message : String(error)}`;
}
