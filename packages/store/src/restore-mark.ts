/** The file that is in a data folder while a restore replaces its files. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const restoreMark = 'restoring';

/** @throws Error for a folder in which a restore was interrupted: its files may be those of two moments */
export function refuseHalfRestored(dir: string): void {
  if (existsSync(join(dir, restoreMark))) throw new Error(`The restore of ${dir} was interrupted: run it again.`);
}
