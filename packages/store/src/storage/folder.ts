/** The data folder: its creation, and what prevents this process from using it. */
import { accessSync, constants, existsSync, lstatSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { types } from 'node:util';

const { R_OK, W_OK, X_OK } = constants;

/** The files of a data folder that a start opens, and how. What cannot be written is noticed here, and not by the first write. */
const access: Readonly<Record<string, number>> = {
  lock: R_OK | W_OK,
  'lock.pid': W_OK,
  'store.db': R_OK | W_OK,
  'store.db-wal': R_OK | W_OK,
  'store.db-shm': R_OK | W_OK,
  secret: R_OK,
  'account.json': R_OK,
};

const codeOf = (error: unknown): string =>
  types.isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : '';

/**
 * Creates a data folder and its parents, for their owner only, unless it exists, and checks that this process may use it.
 * @throws Error that names what prevents it, and the users and modes that matter
 */
export function openFolder(dir: string): void {
  try {
    makeFolder(dir);
  } catch (error) {
    throw folderFault(dir, error);
  }
  const obstacle = obstacleTo(dir);
  if (obstacle !== undefined) throw new Error(obstacle);
}

/** The error of a data folder that a system error has prevented from being used; other errors are returned as they are. */
export function folderFault(dir: string, error: unknown): Error {
  const code = codeOf(error);
  if (!types.isNativeError(error)) return new Error(String(error));
  if (!/^E[A-Z]+$/.test(code)) return error;
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  const reason = full ? `The disk of the data folder ${dir} is full.` : obstacleTo(dir);
  return new Error(reason ?? `The data folder ${dir} cannot be used: ${error.message}.`, { cause: error });
}

/**
 * Creates a folder and its parents. Node's own `recursive` may loop forever where a folder cannot be created, for
 * example under /proc.
 */
function makeFolder(dir: string): void {
  if (existsSync(dir)) return;
  makeFolder(dirname(dir));
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    // another process may have just created it
    if (!existsSync(dir)) throw error;
  }
}

/** A sentence about what prevents this process from using a folder, which may not exist yet; undefined if nothing is found. */
function obstacleTo(dir: string): string | undefined {
  const found = firstExisting(dir);
  const isMissing = found !== dir;
  const what = isMissing ? `The data folder ${dir} cannot be created: ${found}` : `The data folder ${dir}`;
  const stats = statSync(found, { throwIfNoEntry: false });
  if (stats === undefined) return `${what} is a link to a path that does not exist.`;
  if (!stats.isDirectory()) return `${what} is a file.`;
  return (
    refusal({ path: found, what, mode: isMissing ? W_OK | X_OK : R_OK | W_OK | X_OK, stats }) ??
    (isMissing ? undefined : obstacleIn(dir))
  );
}

/** The nearest path upwards that exists, as far as this process can see. */
function firstExisting(path: string): string {
  if (exists(path) || dirname(path) === path) return path;
  return firstExisting(dirname(path));
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function obstacleIn(dir: string): string | undefined {
  for (const [name, mode] of Object.entries(access)) {
    const path = join(dir, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if (stats.isDirectory()) return `${path} is a folder, where the data folder has a file.`;
    const refused = refusal({ path, what: `The file ${path}`, mode, stats });
    if (refused !== undefined) return refused;
  }
  return undefined;
}

interface Wanted {
  readonly path: string;
  /** The beginning of a sentence about it. */
  readonly what: string;
  /** How it is to be opened. */
  readonly mode: number;
  readonly stats: Stats;
}

function refusal({ path, what, mode, stats }: Wanted): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EROFS') return `${what} is on a file system that is mounted read-only.`;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    const verb = (mode & W_OK) === 0 ? 'read' : 'written';
    return `${what} cannot be ${verb}: this process has no permission.${whose(stats)}`;
  }
}

/** The owner and the mode of a file beside the user of this process, where the platform has them. */
function whose({ uid, gid, mode }: Stats): string {
  const user = process.getuid?.();
  if (user === undefined) return '';
  const groups = [...new Set([process.getgid?.(), ...(process.getgroups?.() ?? [])])].join(', ');
  const owner = `It belongs to the user ${uid} and the group ${gid} with the mode ${(mode & 0o777).toString(8).padStart(3, '0')}`;
  return ` ${owner}; the process runs as the user ${user} with the groups ${groups}. Change the owner or the mode, or run it as another user.`;
}
