/** The shared secret: the configured one, otherwise one that is generated once and stored in the data folder. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Settings } from './settings/types.ts';

/** @returns the secret. The settings have checked that it is set in production. */
export async function sharedSecret(settings: Settings): Promise<string> {
  if (settings.shared_secret !== undefined) return settings.shared_secret;
  const file = join(settings.data_dir, 'secret');
  makeFolder(settings.data_dir);
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept.length >= 32) return kept;
  const made = randomBytes(32).toString('base64url');
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(made);
    await handle.close();
    return made;
  } catch {
    // another process has just created it
    return readFile(file, 'utf8');
  }
}

/**
 * Creates a folder and its parents, as the embedded store does. Node's own `recursive` may loop forever, for example under /proc.
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
