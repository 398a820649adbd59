/** What the system's errors about files mean, in words for operators. */

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
export function systemReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', path, dest } = error as NodeJS.ErrnoException & { readonly dest?: unknown };
  const reason = reasons[code];
  if (reason === undefined || typeof path !== 'string') return undefined;
  return `${typeof dest === 'string' ? dest : path}: ${reason}`;
}
