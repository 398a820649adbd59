/** The steps of a backup, in the thread of `copy-thread.ts`: SQLite reads a snapshot of the data file, and does not block writers. */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, existsSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import Database from 'libsql';
import { companions, fileNames } from './backup-files.ts';
import { type BackupFile, blockOf, checkedBackup } from './backup-format.ts';
import type { BackupPaths } from './copy.ts';
import { verifyFile } from './engine/verify.ts';
import { dataFile } from './storage/files.ts';
import { format, syncFolder } from './storage/schema.ts';

/**
 * Writes a backup under a temporary name, checks all that a restore checks, and gives it its name.
 * @returns its bytes @throws DamagedFile if the copy could not be opened; the errors of the disk. Then nothing is left of it
 */
export async function makeBackup({ dir, file }: BackupPaths): Promise<number> {
  const draft = `${file}.part`;
  removeDraft(draft);
  let isNamed = false;
  try {
    copy(join(dir, dataFile), draft);
    await complete(dir, draft);
    await checkedBackup(draft, fileNames, format);
    const { size } = await stat(draft);
    await rename(draft, file);
    isNamed = true;
    syncFolder(dirname(file));
    return size;
  } catch (error) {
    removeFailed(draft, isNamed ? file : draft);
    throw error;
  }
}

/** What a disk that fails keeps is removed before the next backup. */
function removeFailed(draft: string, file: string): void {
  try {
    removeDraft(draft);
    rmSync(file, { force: true });
  } catch {
    // the cause is the error that is reported
  }
}

/** With the files that SQLite keeps beside it while it is written. */
function removeDraft(draft: string): void {
  const folder = dirname(draft);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.startsWith(basename(draft))) rmSync(join(folder, name));
}

/** Milliseconds that a copy waits for a store that is being opened or closed, which takes long on a slow or full disk. */
const patienceMs = 60_000;

function copy(from: string, to: string): void {
  // for its owner only, as the data file
  closeSync(openSync(to, 'wx', 0o600));
  const database = new Database(from, { timeout: patienceMs });
  try {
    database.prepare('VACUUM INTO ?').run([to]);
  } finally {
    database.close();
  }
  const file = openSync(to, 'r+');
  fsyncSync(file);
  closeSync(file);
  verifyFile(to);
}

/** Appends what belongs to the copy of the data: the other files, and the description of all. */
async function complete(dir: string, draft: string): Promise<void> {
  const files = [await described(draft, dataFile)];
  const handle = await open(draft, 'a');
  try {
    for (const name of companions) {
      const path = join(dir, name);
      if (!existsSync(path)) continue;
      files.push(await described(path, name));
      await handle.appendFile(await readFile(path));
    }
    await handle.appendFile(blockOf({ created: new Date().toISOString(), data: format, files }));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function described(path: string, name: string): Promise<BackupFile> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece);
    size += piece.length;
  }
  return { name, size, sha256: hash.digest('hex') };
}
