/** The addresses of a store: a socket file that only its owner can open, or a loopback port. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a store listens. */
export type Address =
  | { readonly kind: 'socket'; readonly path: string }
  | {
      readonly kind: 'loopback';
      /** 0 selects a free port. */
      readonly port: number;
      readonly hosts: readonly LoopbackHost[];
    };

/** The only hosts that a store listens on. */
export const loopbackHosts = ['127.0.0.1', '::1'] as const;

export type LoopbackHost = (typeof loopbackHosts)[number];

/** Maximum bytes of a socket path on every supported system. */
const maxPathBytes = 90;
/** Maximum bytes that are added to the temporary folder. */
const addedToFolder = 30;

/** A path for a socket file, in a folder that only its owner can enter. */
export interface SocketPath {
  readonly path: string;
  /** Removes the folder. */
  remove(): void;
}

/**
 * Creates the folder of a socket file: in the system's temporary folder, or in /tmp if that path is too long.
 * @returns undefined where drivers cannot use socket files
 */
export function makeSocketPath(platform = process.platform, temporary = tmpdir()): SocketPath | undefined {
  if (platform === 'win32') return undefined;
  const base = [temporary, '/tmp'].find((folder) => Buffer.byteLength(folder) + addedToFolder <= maxPathBytes);
  if (base === undefined) return undefined;
  try {
    const folder = mkdtempSync(join(base, 'store-'));
    chmodSync(folder, 0o700);
    return { path: join(folder, 's.sock'), remove: () => rmSync(folder, { recursive: true, force: true }) };
  } catch {
    return undefined;
  }
}

/** Host and port as in a URL. */
export const hostAndPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** An account as in a connection string. */
export interface Account {
  readonly user: string;
  readonly password: string;
}

/** The connection string for a driver. @param database the one that a client uses by default; drivers take `test` for none */
export function urlOf(address: Address, account?: Account, database = ''): string {
  const where =
    address.kind === 'socket'
      ? encodeURIComponent(address.path)
      : hostAndPort(address.hosts[0] ?? '127.0.0.1', address.port);
  if (account === undefined) return `mongodb://${where}/${database}?directConnection=true`;
  const who = `${encodeURIComponent(account.user)}:${encodeURIComponent(account.password)}`;
  return `mongodb://${who}@${where}/${database}?authSource=admin&directConnection=true`;
}
