/** What a failed command prints. */
import { Failure } from '../errors.ts';
import { fromModelCode } from '../models/mongoose/model-code-errors.ts';
import { lineOf, startFaults } from './check/faults.ts';
import { systemReason } from './system-reason.ts';

/** The message of an error, without a stack: it is for operators. */
export function messageOf(error: unknown): string {
  const faults = startFaults(error);
  if (faults !== undefined) return faults.map(lineOf).join('\n');
  const known = fromModelCode(error);
  if (known instanceof Failure) return `error: ${known.reason}`;
  return `error: ${systemReason(error) ?? (error instanceof Error ? error.message : String(error))}`;
}
