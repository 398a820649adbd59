/** The shared secret: the one that is set, else one that is made once and kept in the data folder. */ import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
/** @returns the secret; in production it must be set, which the settings have checked */ export async function sharedSecret(settings) {
    if (settings.shared_secret !== undefined) return settings.shared_secret;
    const file = join(settings.data_dir, 'secret');
    makeFolder(settings.data_dir);
    const kept = await readFile(file, 'utf8').catch(()=>'');
    if (kept.length >= 32) return kept;
    const made = randomBytes(32).toString('base64url');
    try {
        const handle = await open(file, 'wx', 0o600);
        await handle.writeFile(made);
        await handle.close();
        return made;
    } catch  {
        // somebody else has just made it
        return readFile(file, 'utf8');
    }
}
/** Makes a folder and those above it, as the embedded store does: without an end under /proc, Node's own `recursive` is no help. */ function makeFolder(dir) {
    if (existsSync(dir)) return;
    makeFolder(dirname(dir));
    try {
        mkdirSync(dir, {
            mode: 0o700
        });
    } catch (error) {
        // somebody else may have just made it
        if (!existsSync(dir)) throw error;
    }
}
