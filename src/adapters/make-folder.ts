/** Creates folders. Node's own `recursive` may loop forever, for example under /proc. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents, as the embedded store does, unless it is there.
 * @param mode for all that are created; by default for their owner only
 * @throws Error of the system, or one that names a folder whose file system has no new folders
 */
export function makeFolder(dir: string, mode = 0o700): void {
  if (existsSync(dir)) return;
  const parent = dirname(dir);
  if (parent !== dir) makeFolder(parent, mode);
  try {
    mkdirSync(dir, { mode });
  } catch (error) {
    // another process may have just created it
    if (existsSync(dir)) return;
    const isRefused = (error as NodeJS.ErrnoException).code === 'ENOENT' && existsSync(parent);
    throw isRefused ? new Error(`${dir}: no folder can be created there`, { cause: error }) : error;
  }
}
