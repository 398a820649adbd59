/** The shared secret: the configured one, otherwise one that is generated once and stored in the data folder. */
import { randomBytes, randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { copyFile, link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../adapters/make-folder.ts';
import type { Settings } from './types.ts';

/** Minimum characters of a stored secret. A shorter one is the remainder of a file, and would sign sessions that anyone can forge. */
const minLength = 32;

/**
 * @returns the secret. The settings have checked that it is set in production.
 * @throws Error for a stored secret that is damaged, or cannot be read or written
 */
export async function sharedSecret(settings: Settings): Promise<string> {
  if (settings.shared_secret !== undefined) return settings.shared_secret;
  const file = join(settings.data_dir, 'secret');
  makeFolder(settings.data_dir);
  if (!existsSync(file)) await store(randomBytes(minLength).toString('base64url'), file);
  const secret = await readFile(file, 'utf8');
  if (secret.length >= minLength) return secret;
  throw new Error(
    `${file} is damaged: it has fewer than ${minLength} characters. Restore it from a backup, or delete it, and the next start says how to accept another one`,
  );
}

/** Stores a secret, unless another process does it first. The file appears with its whole content, also when the power fails. */
async function store(secret: string, file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.part`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(secret);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // not every file system has links; a copy that is interrupted is refused when it is read
    await link(draft, file).catch(() => copyFile(draft, file, constants.COPYFILE_EXCL));
  } catch (error) {
    // the system's error of a write does not name the file
    if (!existsSync(file)) throw new Error(`${file} cannot be written: ${String(error)}`, { cause: error });
  } finally {
    await rm(draft, { force: true });
  }
}
