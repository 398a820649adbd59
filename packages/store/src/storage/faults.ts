/** Faults of the data file: damaged content, a failing disk, or another program that writes to it. */

/** The data file does not contain what was written to it. */
export class DamagedFile extends Error {
  /** What is wrong with the file, as a clause. */
  readonly what: string;

  constructor(path: string, what: string, cause?: unknown) {
    super(
      `The data file ${path} is damaged: ${what}. Restore it from a copy, or move its folder away to start empty.`,
      {
        cause,
      },
    );
    this.name = 'DamagedFile';
    this.what = what;
  }
}

/** The disk refuses writes: it is full, read-only or failing. Earlier writes are intact. */
export class DiskFault extends Error {
  /** Whether the disk is full. */
  readonly full: boolean;

  constructor(path: string, cause: unknown) {
    super(diskSentence(path, cause), { cause });
    this.name = 'DiskFault';
    this.full = isFull(cause);
  }
}

/** Another program has written to the data file, so memory and file differ. */
export class ForeignWrite extends Error {
  constructor(path: string) {
    super(`Another program has written to the data file ${path}.`);
    this.name = 'ForeignWrite';
  }
}

/**
 * A property of an error of any class: SQLite's errors are not native errors, and a worker's come from another realm.
 */
function textOf(error: unknown, name: 'code' | 'message'): string | undefined {
  const value: unknown =
    typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

const messageOf = (error: unknown): string => textOf(error, 'message') ?? String(error);

/** The names of SQLite's codes that concern the disk or other programs (https://sqlite.org/rescode.html). */
const codes: Readonly<Record<number, string>> = {
  ...{ 3: 'SQLITE_PERM', 5: 'SQLITE_BUSY', 6: 'SQLITE_LOCKED', 8: 'SQLITE_READONLY', 10: 'SQLITE_IOERR' },
  ...{ 13: 'SQLITE_FULL', 14: 'SQLITE_CANTOPEN' },
};

/** The code of an SQLite or system error; empty for others. libsql names few extended codes, whose last byte is that of the others. */
function codeOf(error: unknown): string {
  const code = textOf(error, 'code') ?? '';
  const [, extended] = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(code) ?? [];
  return extended === undefined ? code : (codes[Number(extended) & 0xff] ?? code);
}

const isFull = (error: unknown): boolean => /^(SQLITE_FULL|ENOSPC|EDQUOT)$/.test(codeOf(error));

/** Another connection holds a lock on the file. */
export const isLocked = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));

function diskSentence(path: string, error: unknown): string {
  if (isFull(error)) return `The disk is full: ${path} cannot be written.`;
  if (isLocked(error)) return `The data file ${path} is locked by another program.`;
  return `The file ${path} cannot be used: ${messageOf(error)}.`;
}

/** System and SQLite codes that concern the disk or other programs, rather than the content of the file. */
const ofTheDisk = /^(E[A-Z]+$|SQLITE_(FULL|IOERR|BUSY|LOCKED|PERM|READONLY|CANTOPEN))/;

/**
 * Works with a file of the data folder: the system's errors of writing and syncing do not name it.
 * @throws DiskFault naming the file
 */
export function naming<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isFileFault(error) ? error : new DiskFault(path, error);
  }
}

/** Whether an error of SQLite concerns the content of a file. */
export const isOfContent = (error: unknown): boolean => !ofTheDisk.test(codeOf(error));

/** Whether an error concerns the data file or its disk. */
export const isFileFault = (error: unknown): error is DamagedFile | DiskFault | ForeignWrite =>
  error instanceof DamagedFile || error instanceof DiskFault || error instanceof ForeignWrite;

/** Converts an SQLite error: a fault of the disk, or of the content of the file. */
export function faultOf(path: string, error: unknown): Error {
  if (isFileFault(error)) return error;
  return isOfContent(error) ? new DamagedFile(path, messageOf(error), error) : new DiskFault(path, error);
}
