/** The WebSocket door: upgrade, origin, heartbeat, close codes. The door to ws. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { identify } from '../auth/identify.ts';
import type { CredentialSource } from '../auth/methods.ts';
import { badRequest, forbidden, unknownPath, Failure, internal } from '../errors.ts';
import { refuseSocket } from '../http.ts';
import { parseQueryString } from '../middleware/query-string.ts';
import { addressReader } from '../middleware/throttle.ts';
import type { Change, Services } from '../services.ts';
import { Client, closeCodes } from './client.ts';
import { deliver } from './deliver.ts';
import { Interest, Subscriptions } from './subscriptions.ts';

const path = '/websocket';
const largestMessage = 65_536;
const heartbeat = 30_000;
/** How long a right that ended may go on on an idle socket; events ask at once. */
const doubtEvery = 2500;

export interface Sockets {
  readonly close: () => Promise<void>;
}

export function serveSockets(http: Server, services: Services): Sockets {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessage,
    perMessageDeflate: false,
    clientTracking: false,
  });
  const clients = new Set<Client>();
  const interest = new Interest();
  const addressOf = addressReader(services.settings.trust_proxy);
  http.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const address = addressOf(req);
    void welcome(req, address, services).then(
      (signedIn) =>
        server.handleUpgrade(req, socket, head, (webSocket) => {
          const client = new Client(webSocket, services, new Subscriptions(interest), address);
          if (signedIn !== undefined) client.signIn(signedIn.principal, signedIn.verify);
          clients.add(client);
          webSocket.on('close', () => clients.delete(client));
        }),
      (error: unknown) => refuseSocket(socket, error instanceof Failure ? error : internal(error)),
    );
  });
  const hear = (changes: readonly Change[]): void => {
    for (const client of clients) deliver(client, changes);
  };
  services.auth.onDoubt((user) => {
    for (const client of clients) {
      if (user === undefined) client.doubt();
      else if (client.principal.user?.id === user) client.recheck();
    }
  });
  const unsubscribe = services.bus.subscribe(hear, (model) => interest.has(model));
  const timers = [setInterval(() => beat(clients), heartbeat), setInterval(() => doubtAll(clients), doubtEvery)];
  return { close: () => closeAll(clients, timers, unsubscribe) };
}

type SignedIn = Awaited<ReturnType<typeof identified>>;

/** @returns who the credentials of the upgrade are of; undefined without any @throws 400, 401, 403, 404 */
async function welcome(req: IncomingMessage, address: string, services: Services): Promise<SignedIn | undefined> {
  const url = req.url ?? '';
  const mark = url.indexOf('?');
  if ((mark === -1 ? url : url.slice(0, mark)) !== path) throw unknownPath();
  if (req.method !== 'GET') throw badRequest('a WebSocket begins with GET');
  const origins = services.settings.cors.origins;
  const { origin } = req.headers;
  if (origin !== undefined && !origins.includes('*') && !origins.includes(origin))
    throw forbidden('this origin may not connect');
  const query = parseQueryString(mark === -1 ? '' : url.slice(mark + 1));
  return identified(
    {
      authorization: req.headers.authorization,
      keyHeader: req.headers['x-api-key'],
      keyParameter: query['apikey'],
      jwtParameter: query['jwt'],
      address,
    },
    services,
  );
}

async function identified(source: CredentialSource, services: Services) {
  const verify = () => identify(source, services.auth);
  const principal = await verify();
  return principal.user === undefined ? undefined : { principal, verify };
}

/** Clients that did not answer the last ping are gone. */
function beat(clients: ReadonlySet<Client>): void {
  for (const client of clients) {
    if (!client.alive) client.socket.terminate();
    client.alive = false;
    if (client.socket.readyState === client.socket.OPEN) client.socket.ping();
  }
}

/** Sessions end by time and by other servers, too. */
function doubtAll(clients: ReadonlySet<Client>): void {
  for (const client of clients) client.recheck();
}

async function closeAll(
  clients: ReadonlySet<Client>,
  timers: readonly NodeJS.Timeout[],
  unsubscribe: () => void,
): Promise<void> {
  for (const timer of timers) clearInterval(timer);
  unsubscribe();
  const closed = [...clients].map((client) => new Promise<void>((done) => client.socket.once('close', () => done())));
  for (const client of clients) client.close(closeCodes.goingAway, 'the server stops');
  await Promise.all(closed);
}
