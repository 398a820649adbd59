/** The shared secret: the one that is set, else one that is made once and kept in the data folder. */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from './settings/types.ts';

/** @returns the secret; in production it must be set, which the settings have checked */
export async function sharedSecret(settings: Settings): Promise<string> {
  if (settings.shared_secret !== undefined) return settings.shared_secret;
  const file = join(settings.data_dir, 'secret');
  await mkdir(settings.data_dir, { recursive: true, mode: 0o700 });
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept.length >= 32) return kept;
  const made = randomBytes(32).toString('base64url');
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(made);
    await handle.close();
    return made;
  } catch {
    // somebody else has just made it
    return readFile(file, 'utf8');
  }
}
