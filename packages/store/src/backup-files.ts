/** The files of a data folder that a backup has. */
import { dataFile } from './storage/files.ts';

/** Files beside the data: the secret of a server without `SHARED_SECRET`, and the account of a shared store. */
export const companions: readonly string[] = ['secret', 'account.json'];

export const fileNames: ReadonlySet<string> = new Set([dataFile, ...companions]);
