/** The addresses that a store listens on: a socket file that only its owner can reach, or a port of loopback. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a store listens. */
export type Address =
  | { readonly kind: 'socket'; readonly path: string }
  | {
      readonly kind: 'loopback';
      /** 0 takes a free one. */
      readonly port: number;
      readonly hosts: readonly LoopbackHost[];
    };

/** The only hosts that a store listens on. */
export const loopbackHosts = ['127.0.0.1', '::1'] as const;

/** One of them. */
export type LoopbackHost = (typeof loopbackHosts)[number];

/** Bytes of a socket's name that every system takes. */
const longestPath = 90;
/** Bytes of what is added to the folder of temporary files. */
const addedToFolder = 30;

/** A place for a socket file, in a folder of its own that only its owner can enter. */
export interface SocketPlace {
  readonly path: string;
  /** Takes the folder away. */
  remove(): void;
}

/**
 * Makes the place for a socket file: in the folder of temporary files, or in /tmp where that one's name is too long.
 * @returns undefined where there are no socket files that a driver can reach
 */
export function makeSocketPlace(platform = process.platform, temporary = tmpdir()): SocketPlace | undefined {
  if (platform === 'win32') return undefined;
  const base = [temporary, '/tmp'].find((folder) => Buffer.byteLength(folder) + addedToFolder <= longestPath);
  if (base === undefined) return undefined;
  try {
    const folder = mkdtempSync(join(base, 'store-'));
    chmodSync(folder, 0o700);
    return { path: join(folder, 's.sock'), remove: () => rmSync(folder, { recursive: true, force: true }) };
  } catch {
    return undefined;
  }
}

/** A host and a port as they stand in an address. */
export const hostAndPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** An account as an address has it. */
export interface Account {
  readonly user: string;
  readonly password: string;
}

/** The address for a driver. */
export function urlOf(address: Address, account?: Account): string {
  const where =
    address.kind === 'socket'
      ? encodeURIComponent(address.path)
      : hostAndPort(address.hosts[0] ?? '127.0.0.1', address.port);
  if (account === undefined) return `mongodb://${where}/?directConnection=true`;
  const who = `${encodeURIComponent(account.user)}:${encodeURIComponent(account.password)}`;
  return `mongodb://${who}@${where}/?authSource=admin&directConnection=true`;
}
