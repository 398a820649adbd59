/** Decides where a store listens and who may sign in: its own process alone, or other processes of the machine too. */
import { randomBytes } from 'node:crypto';
import { credentialsFor, type Credentials } from './login/scram.ts';
import { keepAccount, readAccount } from './storage/account-file.ts';
import { makeSocketPlace, urlOf, type Account, type Address, type LoopbackHost } from './wire/address.ts';

/** How a store is opened to other processes of the machine. */
export interface Sharing {
  /** The port; 0 takes a free one. */
  readonly port: number;
  /** Loopback addresses. */
  readonly hosts: readonly LoopbackHost[];
  /** Whom the account is of; without it the user that is kept, or `dossier`. */
  readonly user?: string | undefined;
  /** A new password; without it the one that is kept, or one that is made. */
  readonly password?: string | undefined;
}

/** Where a store is to listen. */
export interface Place {
  readonly address: Address;
  readonly credentials: Credentials | undefined;
  /** The account with its password, where this process knows it. */
  readonly account: Account | undefined;
  /** Whether the password was made just now, and nobody has seen it. */
  readonly made: boolean;
  /** Called when the store listens. */
  keep(): void;
  /** Called when it has stopped. */
  remove(): void;
}

/** The address for a driver, with the account where its password is known. */
export const placeUrl = (place: Place, address: Address): string => urlOf(address, place.account);

const nothing = (): void => undefined;
const defaultUser = 'dossier';

/** A password that nobody guesses, of letters that an address takes as they are. */
const newPassword = (bytes: number): string => randomBytes(bytes).toString('base64url');

/**
 * A place for this process alone: a socket file that only its owner can reach. Where there are none, a port of loopback,
 * which any local user can reach: there one has to sign in, with a secret that never leaves the process.
 */
export async function ownPlace(transport: 'socket' | 'loopback' | undefined): Promise<Place> {
  const socket = transport === 'loopback' ? undefined : makeSocketPlace();
  if (socket !== undefined) {
    const address: Address = { kind: 'socket', path: socket.path };
    const remove = (): void => socket.remove();
    return { address, credentials: undefined, account: undefined, made: false, keep: nothing, remove };
  }
  if (transport === 'socket') throw new Error('There are no socket files on this machine that a driver can reach.');
  const account = { user: defaultUser, password: newPassword(32) };
  const address: Address = { kind: 'loopback', port: 0, hosts: ['127.0.0.1'] };
  const credentials = await credentialsFor(account.user, account.password);
  return { address, credentials, account, made: false, keep: nothing, remove: nothing };
}

/**
 * A place for other processes: a port of loopback, with an account whose hash is kept in the data folder.
 * @throws Error when another user than the kept one is named without a password
 */
export async function sharedPlace({ port, hosts, user, password }: Sharing, dir: string | undefined): Promise<Place> {
  const address: Address = { kind: 'loopback', port, hosts };
  const place = { address, made: false, keep: nothing, remove: nothing };
  const kept = password !== undefined || dir === undefined ? undefined : readAccount(dir);
  if (kept !== undefined) {
    if (user !== undefined && user !== kept.user) {
      throw new Error(`The account of this data folder is ${kept.user}; to make ${user} of it, give a password too.`);
    }
    return { ...place, credentials: kept, account: undefined };
  }
  const account = { user: user ?? defaultUser, password: password ?? newPassword(24) };
  const credentials = await credentialsFor(account.user, account.password);
  const keep = (): void => {
    if (dir !== undefined) keepAccount(dir, credentials);
  };
  return { ...place, credentials, account, made: password === undefined, keep };
}
