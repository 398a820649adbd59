/** The places that data are copied from and to: a MongoDB, or the data folder of an embedded store. */
import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openStore } from '../../database/embedded-store.ts';
import { connect } from '../../models/connect.ts';
import type { Connection } from '../../models/mongoose.ts';
import type { Log } from '../../ports/log.ts';
import { commandLimits, openForReading } from '../snapshot.ts';

/** A database of the driver. */
export type Database = NonNullable<Connection['db']>;

/** A place whose database is open. */
export interface OpenPlace {
  readonly database: Database;
  /** Its address without password, or its folder. */
  readonly name: string;
}

type Closers = (() => Promise<void>)[];

/** Whether a place is a MongoDB rather than a folder. */
export const isUrl = (place: string): boolean => /^mongodb(\+srv)?:\/\//.test(place);

/**
 * Opens a place. A folder is locked for this process, so that no server uses it meanwhile.
 * @throws Error for a MongoDB that does not answer, and a folder that another process uses
 */
export async function openPlace(place: string, closers: Closers, log: Log): Promise<OpenPlace> {
  return { database: await openIn(place, closers, log), name: placeText(place) };
}

/** Opens a place to read from, also a folder that a server uses. */
export async function openSource(place: string, closers: Closers, log: Log): Promise<OpenPlace> {
  if (isUrl(place)) return openPlace(place, closers, log);
  const open = (folder: string): Promise<Database> => openIn(folder, closers, log);
  return { database: await openForReading({ data_dir: place }, open, closers), name: placeText(place) };
}

async function openIn(place: string, closers: Closers, log: Log): Promise<Database> {
  const use = { inMemory: false, storeLimits: commandLimits };
  const url = isUrl(place) ? place : await openStore({ data_dir: place }, use, closers, log);
  const connection = await connect(url);
  closers.push(() => connection.destroy());
  const { db } = connection;
  if (db === undefined) throw new Error(`${placeText(place)} has no database`);
  return db;
}

/** An address without user and password, or the path of a folder. */
export function placeText(place: string): string {
  if (!isUrl(place)) return resolve(place);
  return place.replace(/\/\/[^/?]*@/, '//').replace(/\?.*$/, '');
}

const secretFile = 'secret';

/** The file in which a data folder has the secret of its sessions, keys and second factors; undefined if there is none. */
export function secretOf(folder: string): string | undefined {
  const file = join(folder, secretFile);
  return existsSync(file) ? file : undefined;
}

/** Gives a data folder the secret of another one, unless it has one. */
export async function copySecret(secret: string, to: string): Promise<void> {
  if (secretOf(to) === undefined) await copyFile(secret, join(to, secretFile));
}
