/** What a failed command prints. */
import { Failure } from '../errors.ts';
import { ModelFileError } from '../models/files.ts';
import { SettingsError } from '../settings/read.ts';

/** The message of an error, without a stack: it is for operators. */
export function messageOf(error: unknown): string {
  if (error instanceof SettingsError) return error.faults.map((fault) => `Setting ${fault}`).join('\n');
  if (error instanceof ModelFileError) return `Model file ${error.message}`;
  if (error instanceof Failure) return `error: ${error.reason}`;
  return `error: ${error instanceof Error ? error.message : String(error)}`;
}
