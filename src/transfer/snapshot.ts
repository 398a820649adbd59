/** Reads a data folder that a server uses: from a consistent copy, which is removed afterwards. */
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isInUse, type StoreCopies, storeCopies, type StoreUse } from '../database/embedded-store.ts';
import type { Settings } from '../settings/types.ts';

/** A data folder that does not exist, or in which no server has stored anything. */
export class NoDataError extends Error {}

type Closers = (() => Promise<void>)[];

/**
 * Opens a data folder for reading, or when another process uses it, a copy of it, which has every write that was acknowledged before.
 * Nothing is created.
 * @param place a MongoDB, which takes precedence, or a data folder
 * @param open opens the database, with the store of a folder where there is no MongoDB
 * @param closers receives what removes the copy when the store is closed
 * @throws what `open` throws, NoDataError, and Error for a folder that cannot be copied
 */
export async function openForReading<T>(
  { mongodb_url, data_dir: dir }: Pick<Settings, 'data_dir'> & Partial<Pick<Settings, 'mongodb_url'>>,
  open: (dir: string) => Promise<T>,
  closers: Closers,
): Promise<T> {
  if (mongodb_url !== undefined) return open(dir);
  const { hasData } = await storeCopies();
  if (!(await hasData(dir))) throw new NoDataError(`there is no data in ${dir}`);
  try {
    return await open(dir);
  } catch (error) {
    if (!isInUse(error)) throw error;
  }
  return open(await snapshotOf(dir, closers));
}

/** Copies a data folder into a folder in it, where there is room for data and which only its owner can read. */
async function snapshotOf(dir: string, closers: Closers): Promise<string> {
  const { backup, restore, lockFolder } = await storeCopies();
  await removeAbandoned(dir, lockFolder);
  const { folder, lock } = lockedFolder(dir, lockFolder);
  // a signal ends the process without closing
  const atExit = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', atExit);
  closers.push(async () => {
    process.off('exit', atExit);
    await remove(folder, lock);
  });
  const [file, data] = [join(folder, 'backup'), join(folder, 'data')];
  await backup(dir, file);
  await restore(file, data);
  await rm(file);
  return data;
}

const prefix = 'snapshot-';
/** The names of the copies; those of earlier versions end with the id of a process. */
const copyName = new RegExp(`^${prefix}(?:\\d+|[0-9a-f-]{36})$`);

type Lock = ReturnType<StoreCopies['lockFolder']>;

const maxAttempts = 3;

/** A new folder, locked until this process ends; ids of processes do not distinguish those of containers. */
function lockedFolder(dir: string, lockFolder: StoreCopies['lockFolder']): { folder: string; lock: Lock } {
  let reason: unknown;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const folder = join(dir, `${prefix}${randomUUID()}`);
    try {
      const lock = lockFolder(folder);
      if (existsSync(join(folder, 'lock'))) return { folder, lock };
      lock.release();
    } catch (error) {
      reason = error;
    }
    // another process has removed the folder as abandoned before it was locked
  }
  throw reason instanceof Error ? reason : new Error(`no folder for a copy can be made in ${dir}`);
}

/** Removes the copies of processes that were killed. */
async function removeAbandoned(dir: string, lockFolder: StoreCopies['lockFolder']): Promise<void> {
  for (const name of (await readdir(dir)).filter((one) => copyName.test(one))) {
    const folder = join(dir, name);
    let lock: Lock;
    try {
      lock = lockFolder(folder);
    } catch {
      // in use, or another process is removing it
      continue;
    }
    await remove(folder, lock);
  }
}

/** Removes a folder while it is locked. What cannot be removed is left to the next command that makes a copy. */
async function remove(folder: string, lock: Lock): Promise<void> {
  const options = { recursive: true, force: true };
  await rm(folder, options).catch(() => undefined);
  lock.release();
  // Windows keeps files that are open, such as that of the lock
  if (process.platform === 'win32') await rm(folder, options).catch(() => undefined);
}

const megabyte = 1024 * 1024;

/** A tenth of the memory that the store of a server takes for speed. */
export const commandLimits: NonNullable<StoreUse['storeLimits']> = {
  cacheBytes: 10 * megabyte,
  decodedBytes: 4 * megabyte,
  dirtyBytes: 8 * megabyte,
  historyEvents: 100,
  historyBytes: megabyte,
  heapMegabytes: 1024,
};
