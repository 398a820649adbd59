/** The WebSocket adapter: upgrades, the check of the origin, and an orderly shutdown. The adapter of ws. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import type { ClientAddress } from '../../../auth/contract.ts';
import type { CredentialSource } from '../../../auth/contract.ts';
import { identify } from '../../../auth/credentials/identify.ts';
import { credentialsOf } from '../../../auth/credentials/methods.ts';
import {
  badRequest,
  type Failure,
  failureFrom,
  forbidden,
  type Log,
  type Services,
  unknownPath,
} from '../../../core.ts';
import { logFailure, refusalReason } from '../../../http/failures.ts';
import { queryOf } from '../../../http/query-string.ts';
import { newRequestId, requestIdHeader } from '../../../http/request-id.ts';
import { type HttpServer, refuseSocket } from '../../../http/server.ts';
import { loggedAddress, makeAddressReader, type Throttle, throttleUpgrade } from '../../../http/throttle.ts';
import { checkForm, ownUrl } from '../../../http/well-formed.ts';
import type { InvokeServices } from '../../../operations/interceptor.ts';
import { userLimit } from '../../../ports/core.ts';
import { millisecondsSince } from '../../../ports/log.ts';
import { subscribers } from '../subscribers.ts';
import { makeActions } from './actions.ts';
import { closeCodes, type SharedParts, type SocketConnection, SocketTransport } from './socket-transport.ts';

const path = '/websocket';
const maxMessage = 65_536;
/** Milliseconds that a client has to answer a close frame. */
const closeTimeout = 1000;

/** @param throttle counts upgrades as requests @returns closes the open sockets */
export function serveSockets(
  http: Pick<HttpServer, 'onUpgrade'>,
  services: InvokeServices,
  throttle: Throttle,
): () => Promise<void> {
  // the types of ws lack `closeTimeout`
  const options: ServerOptions & { readonly closeTimeout: number } = {
    noServer: true,
    maxPayload: maxMessage,
    perMessageDeflate: false,
    clientTracking: false,
    closeTimeout,
  };
  const server = new WebSocketServer(options);
  const sockets = new Set<WebSocket>();
  const all = services.of(subscribers);
  const shared = { subscribers: all, actions: makeActions(services, all) };
  const clientOf = makeAddressReader(services.settings.trust_proxy);
  const upgrades = upgradesOf(server, services.log);
  http.onUpgrade((req, socket, head) => {
    socket.on('error', () => socket.destroy());
    const from = clientOf(req);
    const upgrade = { req, id: newRequestId(req.headers), socket, from, begun: performance.now() };
    upgrades.set(req, upgrade);
    const welcomed = throttleUpgrade(throttle, req).then(() => principalOfUpgrade(req, from, services));
    void welcomed.then(
      (signedIn) =>
        server.handleUpgrade(req, socket, head, (webSocket) => {
          sockets.add(webSocket);
          webSocket.on('close', () => sockets.delete(webSocket));
          begin({ socket: webSocket, wire: socket, from }, shared, signedIn);
        }),
      (error: unknown) => refuse(upgrade, failureFrom(error), services.log),
    );
  });
  return async () => {
    all.end();
    await Promise.all([...sockets].map((socket) => new Promise<void>((done) => socket.once('close', () => done()))));
  };
}

interface Upgrade {
  readonly req: IncomingMessage;
  readonly id: string;
  readonly socket: Duplex;
  readonly from: ClientAddress;
  /** When it began, by `performance.now()`. */
  readonly begun: number;
}

/** The upgrades by their requests: for the id that an answer carries, and for handshakes that ws refuses. */
function upgradesOf(server: WebSocketServer, log: Log): WeakMap<IncomingMessage, Upgrade> {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  server.on('headers', (lines, req) => lines.push(`${requestIdHeader}: ${upgrades.get(req)?.id ?? ''}`));
  server.on('wsClientError', ({ message }, socket, req) => {
    const upgrade = upgrades.get(req);
    if (upgrade === undefined) socket.destroy();
    // RFC 6455, 4.4
    else refuse(upgrade, badRequest(message).withHeaders({ 'Sec-WebSocket-Version': '13' }), log);
  });
  return upgrades;
}

/** Answers an upgrade as a refused request, and logs it as one. */
function refuse({ req, id, socket, from, begun }: Upgrade, failure: Failure, log: Log): void {
  const { method = '', url = '' } = req;
  const request = { id, method, path: url, address: loggedAddress(from) };
  const { status } = failure;
  logFailure(log, request, failure);
  log.request({ ...request, status, ms: millisecondsSince(begun), reason: refusalReason(failure) });
  refuseSocket(socket, failure, id);
}

type SignedIn = Awaited<ReturnType<typeof identified>>;

/** @returns the principal of the upgrade's credentials; undefined without any @throws 400, 401, 403, 404, 431 */
async function principalOfUpgrade(
  req: IncomingMessage,
  from: ClientAddress,
  services: Services,
): Promise<SignedIn | undefined> {
  checkForm(req);
  const url = ownUrl(req.url ?? '');
  if (url.split('?', 1)[0] !== path) throw unknownPath();
  if (req.method !== 'GET') throw badRequest('a WebSocket begins with GET');
  const origins = services.settings.cors.origins;
  const { origin } = req.headers;
  if (origin !== undefined && !origins.includes('*') && !origins.includes(origin))
    throw forbidden('this origin may not connect');
  const accepted = { takesUrlCredentials: services.settings.url_credentials, opensStream: true };
  return identified(credentialsOf(req, queryOf(url), from, accepted), services);
}

async function identified(source: CredentialSource, services: Services) {
  const verify = () => identify(source, services.auth);
  const principal = await verify();
  if (principal.user !== undefined) await services.of(userLimit)?.(principal.user.id);
  await services.of(subscribers).admit({ address: source.address, user: principal.user?.id, caller: undefined });
  return principal.user === undefined ? undefined : { principal, verify };
}

function begin(connection: SocketConnection, shared: SharedParts, signedIn: SignedIn | undefined): void {
  try {
    const { subscriber } = new SocketTransport(connection, shared);
    if (signedIn !== undefined) subscriber.signIn(signedIn.principal, signedIn.verify);
  } catch {
    // the server began to stop during the upgrade
    connection.socket.close(closeCodes.goingAway);
  }
}
