/** The mark of a database into which a copy is being made, and was perhaps interrupted. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../adapters/make-folder.ts';
import type { Connection } from '../../models/mongoose.ts';
import { SettingsError } from '../../settings/read.ts';
import type { Settings } from '../../settings/types.ts';
import { type Database, isUrl, placeText } from './place.ts';

/** The collection that has the mark. */
export const markName = '_dossier_copy';
const markId = 'unfinished';

interface Mark {
  readonly _id: string;
  /** The source: an address without password, or a folder. */
  readonly from: string;
  readonly at: Date;
  /** Random, so that no other copy has it. */
  readonly copy: string;
}

const marksIn = (database: Database) => database.collection<Mark>(markName);

/** The source of the unfinished copy in a database; undefined if there is none. */
export const sourceOfHalfCopy = async (database: Database): Promise<string | undefined> =>
  (await marksIn(database).findOne({ _id: markId }))?.from;

/** Marks a database before the first write. @returns the random name of the copy */
export async function mark(database: Database, from: string): Promise<string> {
  const copy = randomUUID();
  // acknowledged in a way that no option of an address can weaken: what follows drops collections
  await marksIn(database).insertOne({ _id: markId, from, at: new Date(), copy }, { writeConcern: { w: 'majority' } });
  return copy;
}

/** Whether a database has the mark of a copy, and so is the marked one under another address. */
export const isMarked = async (database: Database, copy: string): Promise<boolean> =>
  (await marksIn(database).findOne({ copy }, { readPreference: 'primary' })) !== null;

/** Removes the mark of a copy that is complete. */
export async function unmark(database: Database): Promise<void> {
  await database.dropCollection(markName);
}

/** The file of a data folder into which a copy is to be made, until its database has the mark. */
const beginning = (folder: string): string => join(folder, 'unfinished-copy');

/**
 * Marks a data folder without data before its store is opened, since that makes an empty one.
 * @returns removes the mark, when the database has its own
 */
export async function markFolder(folder: string, from: string): Promise<() => Promise<void>> {
  makeFolder(folder);
  await writeFile(beginning(folder), from);
  return () => unmarkFolder(folder);
}

export const unmarkFolder = (folder: string): Promise<void> => rm(beginning(folder), { force: true });

const beginningIn = (folder: string): string | undefined =>
  existsSync(beginning(folder)) ? readFileSync(beginning(folder), 'utf8') : undefined;

/**
 * Refuses the database of a project while it has a part of a copy: documents are missing, and those that a server stores would prevent the
 * copy from continuing.
 * @throws SettingsError naming `MONGODB_URL` or `DATA_DIR`
 */
export async function refuseHalfCopy(
  { db }: Connection,
  { mongodb_url, data_dir }: Pick<Settings, 'mongodb_url' | 'data_dir'>,
): Promise<void> {
  const begun = mongodb_url === undefined ? beginningIn(data_dir) : undefined;
  const from = begun ?? (db === undefined ? undefined : await sourceOfHalfCopy(db));
  if (from === undefined) return;
  const [variable, place] = mongodb_url === undefined ? ['DATA_DIR', data_dir] : ['MONGODB_URL', mongodb_url];
  const to = placeText(place);
  const source = `${isUrl(from) ? 'MONGODB_URL' : 'DATA_DIR'}=${from}`;
  throw new SettingsError([
    `${variable}: ${to} is an unfinished copy of ${from}. Run "dossier copy --to ${to}" with ${source} to continue it, or use another database`,
  ]);
}
