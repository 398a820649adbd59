/** Decides where a store listens and who may sign in: this process alone, or other processes of the machine too. */
import { randomBytes } from 'node:crypto';
import { type Credentials, credentialsFor } from './login/scram.ts';
import { keepAccount, readAccount } from './storage/account-file.ts';
import { type Account, type Address, type LoopbackHost, makeSocketPath, urlOf } from './wire/address.ts';

/** How a store is shared with other processes of the machine. */
export interface Sharing {
  /** The port; 0 selects a free one. */
  readonly port: number;
  /** Loopback addresses. */
  readonly hosts: readonly LoopbackHost[];
  /** The user of the account. Default: the stored user, or `dossier`. */
  readonly user?: string | undefined;
  /** A new password. Default: the stored one, or a generated one. */
  readonly password?: string | undefined;
}

/** Where a store listens, and the account for it. */
export interface Endpoint {
  readonly address: Address;
  readonly credentials: Credentials | undefined;
  /** The account with its password, if this process knows it. */
  readonly account: Account | undefined;
  /** Whether the password was generated at this start. */
  readonly isNewPassword: boolean;
  /** Stores the account; called once the store listens. */
  keep(): void;
  /** Cleans up; called after the store has stopped. */
  remove(): void;
}

/** The connection string for a driver, with the account if its password is known. */
export const endpointUrl = (endpoint: Endpoint, address: Address): string => urlOf(address, endpoint.account);

const nothing = (): void => undefined;
const defaultUser = 'dossier';

/** A random password of URL-safe characters. */
const newPassword = (bytes: number): string => randomBytes(bytes).toString('base64url');

/**
 * An endpoint for this process alone: a socket file that only its owner can open. Where there are none, a loopback
 * port, which every local user can reach: it requires a generated password that never leaves the process.
 */
export async function privateEndpoint(transport: 'socket' | 'loopback' | undefined): Promise<Endpoint> {
  const socket = transport === 'loopback' ? undefined : makeSocketPath();
  if (socket !== undefined) {
    const address: Address = { kind: 'socket', path: socket.path };
    const remove = (): void => socket.remove();
    return { address, credentials: undefined, account: undefined, isNewPassword: false, keep: nothing, remove };
  }
  if (transport === 'socket') throw new Error('Drivers cannot use socket files on this machine.');
  const account = { user: defaultUser, password: newPassword(32) };
  const address: Address = { kind: 'loopback', port: 0, hosts: ['127.0.0.1'] };
  const credentials = await credentialsFor(account.user, account.password);
  return { address, credentials, account, isNewPassword: false, keep: nothing, remove: nothing };
}

/**
 * An endpoint for other processes: a loopback port, with an account whose hash is stored in the data folder.
 * @throws Error if the user differs from the stored one and no password is given
 */
export async function sharedEndpoint(
  { port, hosts, user, password }: Sharing,
  dir: string | undefined,
): Promise<Endpoint> {
  const address: Address = { kind: 'loopback', port, hosts };
  const endpoint = { address, isNewPassword: false, keep: nothing, remove: nothing };
  const stored = password !== undefined || dir === undefined ? undefined : readAccount(dir);
  if (stored !== undefined) {
    if (user !== undefined && user !== stored.user) {
      throw new Error(
        `The account of this data folder is ${stored.user}. To change it to ${user}, set a password too.`,
      );
    }
    return { ...endpoint, credentials: stored, account: undefined };
  }
  const account = { user: user ?? defaultUser, password: password ?? newPassword(24) };
  const credentials = await credentialsFor(account.user, account.password);
  const keep = (): void => {
    if (dir !== undefined) keepAccount(dir, credentials);
  };
  return { ...endpoint, credentials, account, isNewPassword: password === undefined, keep };
}
