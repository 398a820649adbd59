/** Copies a data folder into one file while it is in use, and puts such a file in place of the data of a folder. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileNames } from './backup-files.ts';
import { bytesIn, checkedBackup, type PlacedFile, unrestorable } from './backup-format.ts';
import { copyFolder } from './copy.ts';
import { verifyFile } from './engine/verify.ts';
import { refuseHalfRestored, restoreMark } from './restore-mark.ts';
import { DamagedFile } from './storage/faults.ts';
import { dataFile } from './storage/files.ts';
import { folderFault } from './storage/folder.ts';
import { lockFolder } from './storage/lock.ts';
import { format, syncFolder } from './storage/schema.ts';

/** The folder in a data folder in which a restore prepares the files. */
const draftFolder = 'restoring.tmp';

/** Whether a folder has data, or a restore that was interrupted, which `open` and `backup` refuse. */
export const hasData = (dir: string): boolean => [dataFile, restoreMark].some((name) => isIn(dir, name));

/** @throws Error for a folder that cannot be read: it may have the file, and does not pass for an empty one */
function isIn(dir: string, name: string): boolean {
  try {
    return statSync(join(dir, name), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw folderFault(dir, error);
  }
}

export interface BackupResult {
  /** Bytes of the backup. */
  readonly size: number;
}

/** What the package exports as `backup`. */
export async function backup(dir: string, file: string): Promise<BackupResult> {
  refuseHalfRestored(dir);
  if (!isIn(dir, dataFile)) throw new Error(`There is no data in ${dir}.`);
  if (existsSync(file)) throw new Error(`${file} exists already.`);
  return { size: await copyFolder({ dir, file }) };
}

export interface RestoreResult {
  /** The folder that has the data from before; undefined if there were none. */
  readonly kept: string | undefined;
}

/** What the package exports as `restore`. */
export async function restore(file: string, dir: string): Promise<RestoreResult> {
  const files = await checkedBackup(file, fileNames, format);
  const lock = lockFolder(dir);
  try {
    const draft = join(dir, draftFolder);
    await prepare(file, files, draft);
    const restored = files.map(({ name }) => name);
    return { kept: await putInPlace(dir, draft, restored) };
  } finally {
    lock.release();
  }
}

/** Writes the files of a backup into a new folder, and checks the data. @throws Error naming the check that failed */
async function prepare(file: string, files: readonly PlacedFile[], draft: string): Promise<void> {
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  try {
    for (const one of files) await extract(bytesIn(file, one), join(draft, one.name));
    if (!existsSync(join(draft, dataFile))) throw unrestorable(file, `it has no ${dataFile}`);
    verifyFile(join(draft, dataFile));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error instanceof DamagedFile ? unrestorable(file, `its ${dataFile} is damaged: ${error.what}`) : error;
  }
}

async function extract(bytes: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    for await (const piece of bytes) await handle.writeFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Moves the restored files only: the check of the data may leave files of SQLite beside them, which disappear at any moment.
 * @returns the folder with what was there
 */
async function putInPlace(dir: string, draft: string, restored: readonly string[]): Promise<string | undefined> {
  const isReplaced = (name: string): boolean => name.startsWith(dataFile) || restored.includes(name);
  const replaced = readdirSync(dir).filter(isReplaced);
  const kept = join(dir, `before-restore-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  const mark = join(dir, restoreMark);
  await (await open(mark, 'w', 0o600)).close();
  if (replaced.length > 0) await mkdir(kept, { mode: 0o700 });
  for (const name of replaced) await rename(join(dir, name), join(kept, name));
  for (const name of restored) await rename(join(draft, name), join(dir, name));
  await rm(draft, { recursive: true, force: true });
  syncFolder(dir);
  await rm(mark);
  return replaced.length === 0 ? undefined : kept;
}
