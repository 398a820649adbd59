/** Failures of a start, as they pass from a worker to its primary. */
import { ModelFileError } from '../models/files.ts';
import { SettingsError } from '../settings/read.ts';

/** A failure as plain data. */
export interface Fault {
  readonly kind: 'settings' | 'model file' | 'other';
  readonly reasons: readonly string[];
}

export function faultOf(error: unknown): Fault {
  if (error instanceof SettingsError) return { kind: 'settings', reasons: error.faults };
  const reasons = [error instanceof Error ? error.message : String(error)];
  return { kind: error instanceof ModelFileError ? 'model file' : 'other', reasons };
}

export function errorOf({ kind, reasons }: Fault): Error {
  const [reason = ''] = reasons;
  if (kind === 'settings') return new SettingsError(reasons);
  if (kind === 'other') return new Error(reason);
  const at = reason.indexOf(': ');
  return new ModelFileError(reason.slice(0, at), reason.slice(at + 2));
}
