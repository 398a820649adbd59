/** Copies between two places: opens both, copies the database, and the secret that a data folder has beside it. */
import type { Log } from '../../log.ts';
import { SettingsError } from '../../settings/read.ts';
import { copyDatabase, type CopyOptions, type CopyResult } from './copy.ts';
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
  options: Omit<CopyOptions, 'from' | 'beforeEnd'>,
): Promise<PlacesCopied> {
  if (shownName(from) === shownName(to)) throw new Error('the target is the source');
  const closers: (() => Promise<void>)[] = [];
  try {
    const source = await openSource(from, closers, log);
    const target = await openPlace(to, closers, log).catch(withoutSetting);
    const secret = isUrl(from) ? undefined : secretOf(from);
    const beforeEnd = async (): Promise<void> => {
      if (secret !== undefined && !isUrl(to)) await copySecret(secret, to);
    };
    const result = await copyDatabase(source.database, target.database, { ...options, from: source.name, beforeEnd });
    return { result, secret: isUrl(to) ? secret : undefined };
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** The reason alone: no setting names the target. */
function withoutSetting(error: unknown): never {
  throw error instanceof SettingsError && error.cause !== undefined ? error.cause : error;
}
