/** Limits the requests of one address in a window. The adapter of express-rate-limit. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { type AugmentedRequest, ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { ClientAddress } from '../auth/contract.ts';
import { throttled } from '../errors/errors.ts';
import type { ThrottleStore } from '../settings/config-file.ts';
import type { Settings } from '../settings/types.ts';
import type { SharedState } from '../shared/contract.ts';

export type Throttle = RequestHandler;

/** Counts the requests to all processes of a server, or with `THROTTLE_SHARED` to all servers of the database. */
export function storeOver(
  shared: Pick<SharedState, 'limit'>,
  { max, window_ms: windowMs, shared: spans }: Settings['throttle'],
): ThrottleStore {
  const count = shared.limit({ name: 'requests', max, windowMs, spans });
  return {
    increment: async (address) => count(address),
    // a request that was counted stays counted
    decrement: () => undefined,
    resetKey: () => undefined,
  };
}

/**
 * Counts requests, upgrades to a WebSocket included.
 * @param store where requests are counted
 */
export function throttle(
  { throttle: { enabled, window_ms, max }, trust_proxy: trustProxy }: Pick<Settings, 'throttle' | 'trust_proxy'>,
  store: ThrottleStore,
): Throttle {
  if (!enabled) return (_req, _res, next) => next();
  return rateLimit({
    windowMs: window_ms,
    limit: max,
    identifier: 'requests',
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // the settings are checked at the start, and a forged header must not log to the console
    validate: false,
    keyGenerator: keyReader(trustProxy),
    // a health check may share the address of all callers, that of a proxy
    skip: ({ path }) => path === '/health',
    store,
    handler: (req, _res, next) => {
      const { rateLimit: info } = req as AugmentedRequest;
      const left = (info?.resetTime?.getTime() ?? Date.now() + window_ms) - Date.now();
      next(throttled(Math.max(1, Math.ceil(left / 1000))));
    },
  });
}

/** An upgrade has no response to which headers could be added. */
const withoutHeaders = { headersSent: true } as Response;

/** Passes a request that does not go through Express through a throttle. @throws 429 */
export const throttleUpgrade = (handler: Throttle, req: IncomingMessage): Promise<void> =>
  new Promise((pass, refuse) => {
    const next = (failure?: Error | string): void =>
      failure === undefined ? pass() : refuse(failure instanceof Error ? failure : new Error(failure));
    void handler(req as Request, withoutHeaders, next);
  });

/** Whether a proxy at an address is trusted. @param hop of the connection 0, of each proxy before it one more */
type Trusts = (address: string, hop: number) => boolean;

/** The client's address, read once for each request. Forwarding headers count as far as `TRUST_PROXY` allows. */
export function clientOf(req: Request): ClientAddress {
  const { locals } = req.res ?? {};
  const known = locals?.['client'] as ClientAddress | undefined;
  if (known !== undefined) return known;
  const client = addressOf(req, req.app.get('trust proxy fn') as Trusts);
  if (locals !== undefined) locals['client'] = client;
  return client;
}

/**
 * The client's address by `X-Forwarded-For`, to which each proxy adds the address of its own client. A client of which a trusted proxy
 * states no address is counted with the proxy, and has none itself: it must not get what the proxy's address may have.
 */
function addressOf({ headers, socket }: IncomingMessage, trusts: Trusts): ClientAddress {
  let from = socket.remoteAddress ?? '';
  const { 'x-forwarded-for': stated = '' } = headers;
  const forwarded = Array.isArray(stated) ? stated.join(',') : stated;
  if (forwarded === '') return clientAddress(from);
  for (const [hop, text] of forwarded.split(',').reverse().entries()) {
    if (!trusts(from, hop)) break;
    const before = statedAddress(text.trim());
    if (before === undefined) return { ...clientAddress(from), ip: '' };
    from = before;
  }
  return clientAddress(from);
}

/** An address with the port of the connection, as some proxies state it: `192.0.2.99:10001`, `[2001:db8::7]:443` */
const withPort = /^(?:\[(?<v6>[^\]]*)\]|(?<v4>[\d.]+))(?::\d{1,5})?$/;

/** The address that a proxy states, without the port; undefined for any other text. */
function statedAddress(text: string): string | undefined {
  const { v4 = text, v6 } = withPort.exec(text)?.groups ?? {};
  const address = v6 ?? v4;
  return isIP(address) === 0 || (v6 !== undefined && isIP(v6) !== 6) ? undefined : address;
}

/** The client's address for the log; undefined where there is none. */
export const loggedAddress = ({ ip }: ClientAddress): string | undefined => (ip === '' ? undefined : ip);

const maxAddresses = 1000;
/** Characters of an IPv6 address that stands for IPv4 (RFC 4291, section 2.5.5.2); anything longer is not an address. */
const maxIpLength = 45;
/** Addresses by the text of the IP: reading one of IPv6, also where it stands for IPv4, takes longer than routing a request. */
const addresses = new Map<string, ClientAddress>();

function clientAddress(ip: string): ClientAddress {
  const known = addresses.get(ip);
  if (known !== undefined) return known;
  const address = { address: ipKeyGenerator(ip), ip };
  if (addresses.size >= maxAddresses) addresses.clear();
  if (ip.length <= maxIpLength) addresses.set(ip, address);
  return address;
}

function keyReader(trustProxy: Settings['trust_proxy']): (req: IncomingMessage) => string {
  const read = makeAddressReader(trustProxy);
  return (req) => read(req).address;
}

/** The client's address of requests that do not go through Express, such as the upgrade to a WebSocket. */
export function makeAddressReader(trustProxy: Settings['trust_proxy']): (req: IncomingMessage) => ClientAddress {
  const app = express();
  app.set('trust proxy', trustProxy);
  const trusts = app.get('trust proxy fn') as Trusts;
  return (req) => addressOf(req, trusts);
}
