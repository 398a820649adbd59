/** Listens for connections: on a socket file that only its owner can reach, or on loopback where there are no such files. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../engine/engine.ts';
import { Connection } from './connection.ts';

/** Socket names may have about 100 bytes. */
const longestPath = 90;

/** A place for a socket file, in a folder of its own that only its owner can enter. */
export interface SocketPlace {
  readonly path: string;
  /** Takes the folder away. */
  remove(): void;
}

/** Makes the place for a socket file; a long name of the system's temporary folder is avoided. */
export function makeSocketPlace(): SocketPlace {
  const base = tmpdir().length > longestPath - 30 ? '/tmp' : tmpdir();
  const folder = mkdtempSync(join(base, 'store-'));
  chmodSync(folder, 0o700);
  return { path: join(folder, 's.sock'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The address by which a driver reaches a socket file. */
export const urlOf = (path: string): string => `mongodb://${encodeURIComponent(path)}/?directConnection=true`;

/** A server that listens. */
export interface Listening {
  /** Ends all connections and stops. */
  close(): Promise<void>;
}

/** Begins to listen on a socket file; one that a stopped server left is replaced. */
export async function listen(engine: Engine, path: string): Promise<Listening> {
  rmSync(path, { force: true });
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    engine.connections = sockets.size;
    socket.on('close', () => {
      sockets.delete(socket);
      engine.connections = sockets.size;
    });
    new Connection(socket, engine, connections);
  });
  server.maxConnections = engine.store.limits.connections;
  await listening(server, path);
  chmodSync(path, 0o600);
  return { close: () => closed(server, sockets) };
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function closed(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}
