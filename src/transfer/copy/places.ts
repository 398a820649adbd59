/** Copies between two places: opens both, copies the database, and the secret that a data folder has beside it. */
import type { Log } from '../../adapters/log.ts';
import { storeCopies } from '../../database/embedded-store.ts';
import { SettingsError } from '../../settings/read.ts';
import { copyDatabase, type CopyOptions, type CopyResult } from './copy.ts';
import { markFolder, unmarkFolder } from './mark.ts';
import { copySecret, isUrl, openPlace, openSource, secretOf, shownName } from './place.ts';

export interface PlacesCopied {
  readonly result: CopyResult;
  /** The file with the secret of the source, which the servers of a MongoDB need as `SHARED_SECRET`. */
  readonly secret: string | undefined;
}

/**
 * @param from, to URLs of MongoDB, or data folders
 * @throws Error for a folder without data, for a target that is in use, and as `copyDatabase` does
 */
export async function copyPlaces(
  from: string,
  to: string,
  log: Log,
  options: Omit<CopyOptions, 'from' | 'beforeEnd' | 'onMarked'>,
): Promise<PlacesCopied> {
  if (shownName(from) === shownName(to)) throw new Error('the target is the source');
  const closers: (() => Promise<void>)[] = [];
  try {
    const source = await openSource(from, closers, log);
    const onMarked = isUrl(to) ? nothing : await markIfEmpty(to, source.name);
    const target = await openPlace(to, closers, log).catch(withoutSetting);
    const secret = isUrl(from) ? undefined : secretOf(from);
    const beforeEnd = async (): Promise<void> => {
      if (secret !== undefined && !isUrl(to)) await copySecret(secret, to);
    };
    const way = { ...options, from: source.name, onMarked, beforeEnd };
    const result = await copyDatabase(source.database, target.database, way);
    return { result, secret: isUrl(to) ? secret : undefined };
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

const nothing = (): Promise<void> => Promise.resolve();

/** Marks a folder that has no data yet, or only the mark. @returns removes the mark */
async function markIfEmpty(folder: string, from: string): Promise<() => Promise<void>> {
  const { hasData } = await storeCopies();
  return (await hasData(folder)) ? () => unmarkFolder(folder) : markFolder(folder, from);
}

/** The reason alone: no setting names the target. */
function withoutSetting(error: unknown): never {
  throw error instanceof SettingsError && error.cause !== undefined ? error.cause : error;
}
