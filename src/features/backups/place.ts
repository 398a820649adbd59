/** Where backups are: their folder, and the names of their files. */
import { realpathSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Settings } from '../../core.ts';

type PlaceSettings = Pick<Settings, 'backup' | 'data_dir'>;

/** The absolute path of the folder. */
export const folderOf = ({ backup }: Pick<Settings, 'backup'>): string => resolve(backup.dir);

/** @returns a sentence about a folder that cannot have backups; undefined for one that can */
export function folderFault(settings: PlaceSettings): string | undefined {
  const [data, dir] = [realFolder(resolve(settings.data_dir)), realFolder(folderOf(settings))];
  const path = relative(data, dir);
  if (path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) return undefined;
  return 'must be a folder outside of DATA_DIR, best on another disk';
}

/** A path without symbolic links, as far as it exists. */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realFolder(parent), relative(parent, path));
  }
}

/** The name of the file of a backup. */
export const nameOf = (at: Date): string => `dossier-${at.toISOString().replace(/[:.]/g, '-')}.backup`;

/** Names that `nameOf` makes. */
const ownName = /^dossier-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.backup$/;

/** @throws Error for a name that no backup has, which is never removed */
function checkName(name: string): void {
  if (!ownName.test(name)) throw new Error(`${name} is not the name of a backup`);
}

/** The bytes of a backup; undefined where there is no such file. */
export async function bytesOf(dir: string, name: string): Promise<number | undefined> {
  const found = await stat(join(dir, name)).catch(() => undefined);
  return found?.isFile() === true ? found.size : undefined;
}

export async function removeBackup(dir: string, name: string): Promise<void> {
  checkName(name);
  await rm(join(dir, name), { force: true });
}

/** Milliseconds after which a file that no backup has written to is left over, whichever server has begun it. */
const oldDraftMs = 86_400_000;

/** Removes what servers that were killed have left of backups that no data have a record of, such as after a restore. */
export async function removeOldDrafts(dir: string, now: Date): Promise<void> {
  for (const name of await readdir(dir).catch(() => [])) {
    const [backup = '', rest] = name.split('.part', 2);
    if (rest === undefined || !ownName.test(backup)) continue;
    const found = await stat(join(dir, name)).catch(() => undefined);
    if (found !== undefined && now.getTime() - found.mtimeMs > oldDraftMs) await rm(join(dir, name), { force: true });
  }
}

/** Removes what a process that was killed has left of a backup. */
export async function removeDrafts(dir: string, name: string): Promise<void> {
  checkName(name);
  const names = await readdir(dir).catch(() => []);
  for (const one of names.filter((other) => other.startsWith(`${name}.part`))) await rm(join(dir, one));
}
