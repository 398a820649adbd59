/** Listens on a socket file or on loopback, and limits the number of connections. */
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { types } from 'node:util';
import type { Engine } from '../engine/engine.ts';
import { Login } from '../login/login.ts';
import type { Credentials } from '../login/scram.ts';
import { type Address, hostAndPort, type LoopbackHost } from './address.ts';
import { Connection } from './connection.ts';

export interface ListeningServer {
  /** The address, with the actual port. */
  readonly address: Address;
  /** Closes all connections and stops. */
  close(): Promise<void>;
}

/** The connections over all addresses of a store. */
class Connections {
  readonly #engine: Engine;
  readonly #credentials: Credentials | undefined;
  readonly #sockets = new Set<Socket>();
  #last = 0;

  constructor(engine: Engine, credentials: Credentials | undefined) {
    this.#engine = engine;
    this.#credentials = credentials;
  }

  add(socket: Socket, host: string): void {
    if (this.#sockets.size >= this.#engine.store.limits.connections) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    this.#engine.connections = this.#sockets.size;
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#engine.connections = this.#sockets.size;
    });
    this.#last += 1;
    const client = {
      id: this.#last,
      address: addressOf(socket),
      host,
      metadata: undefined,
      login: new Login(this.#credentials),
      get isGone() {
        return socket.destroyed;
      },
    };
    new Connection(socket, this.#engine, client);
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/**
 * Starts to listen; replaces a socket file that a stopped server left behind.
 * @param credentials the account for authentication; without it every client has full access
 * @throws Error if the port is in use
 */
export async function listen(
  engine: Engine,
  address: Address,
  credentials: Credentials | undefined,
): Promise<ListeningServer> {
  const connections = new Connections(engine, credentials);
  const servers: Server[] = [];
  const close = async (): Promise<void> => {
    const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
    connections.end();
    await Promise.all(closed);
  };
  try {
    if (address.kind === 'loopback') return { address: await onLoopback(address, connections, servers), close };
    rmSync(address.path, { force: true });
    servers.push(await listening(connections, { path: address.path }, address.path));
    chmodSync(address.path, 0o600);
    return { address, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Listens on each host, and skips a host that the machine lacks if there is another. */
async function onLoopback(
  address: Address & { readonly kind: 'loopback' },
  connections: Connections,
  servers: Server[],
): Promise<Address> {
  let { port } = address;
  const hosts: LoopbackHost[] = [];
  for (const host of address.hosts) {
    try {
      const server = await listening(connections, { host, port, ipv6Only: true }, host);
      servers.push(server);
      hosts.push(host);
      const bound = server.address();
      if (typeof bound === 'object' && bound !== null) port = bound.port;
    } catch (error) {
      if (!isMissing(error) || (host === address.hosts.at(-1) && hosts.length === 0))
        throw operatorError(error, host, port);
    }
  }
  return { kind: 'loopback', port, hosts };
}

const codeOf = (error: unknown): unknown => (types.isNativeError(error) && 'code' in error ? error.code : undefined);

const isMissing = (error: unknown): boolean => ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(String(codeOf(error)));

/** The error for the operator. */
function operatorError(error: unknown, host: string, port: number): unknown {
  if (codeOf(error) !== 'EADDRINUSE') return error;
  return new Error(`${hostAndPort(host, port)} is in use by another program; choose another port.`, { cause: error });
}

function listening(connections: Connections, where: ListenOptions, host: string): Promise<Server> {
  const server = createServer((socket) => connections.add(socket, nameOf(socket, host)));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

/** The address of a client; those of a socket file have none. */
const addressOf = ({ remoteAddress, remotePort }: Socket): string =>
  remoteAddress === undefined ? 'anonymous unix socket' : hostAndPort(remoteAddress, remotePort ?? 0);

/** The address by which the client reached the store. */
const nameOf = ({ localPort }: Socket, host: string): string =>
  localPort === undefined ? host : hostAndPort(host, localPort);
