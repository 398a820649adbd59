/** What a failed command prints. */
import { Failure } from '../errors/errors.ts';
import { fromDatabase } from '../models/database-errors.ts';
import { fromModelCode } from '../models/mongoose/model-code-errors.ts';
import { lineOf, startFaults } from './check/faults.ts';

/** The message of an error, without a stack: it is for operators. */
export function messageOf(error: unknown): string {
  const faults = startFaults(error);
  if (faults !== undefined) return faults.map(lineOf).join('\n');
  const known = fromModelCode(fromDatabase(error));
  if (known instanceof Failure) return `error: ${known.reason}`;
  return `error: ${systemReason(error) ?? (error instanceof Error ? error.message : String(error))}`;
}

/** By the code of the error, as errno(3) lists them. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EEXIST: 'exists already',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'is a file, or lies below one, not a folder',
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
  EROFS: 'is on a disk that is read-only',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'the name is too long',
};

/** Why the system has refused to use a file, which it names; undefined for any other error. */
function systemReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', path, dest } = error as NodeJS.ErrnoException & { readonly dest?: unknown };
  const reason = reasons[code];
  if (reason === undefined || typeof path !== 'string') return undefined;
  return `${typeof dest === 'string' ? dest : path}: ${reason}`;
}
