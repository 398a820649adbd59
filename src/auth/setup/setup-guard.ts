/** Guards the setup: it refuses pages of other origins and, in production on a public address, callers without the token. */
import { timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { Context } from '../../context.ts';
import { forbidden } from '../../errors.ts';
import { digest } from '../credentials/tokens.ts';

/**
 * Without `API_URL` a host name proves nothing: the owner of a name can point it to this machine (DNS rebinding).
 * @throws 403 for a request from a page of another origin
 */
export function checkOrigin({ services, headers }: Context): void {
  const { origin, host } = headers;
  if (origin !== undefined && !isOwnOrigin(origin, host, services.settings.api_url))
    throw forbidden('setup is refused from other origins; set API_URL to allow the host name of this server');
}

function isOwnOrigin(origin: string, host: string | undefined, api: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { host: from, hostname, origin: whole } = new URL(origin);
  return api === undefined ? from === host && isAddress(hostname) : whole === new URL(api).origin;
}

/** `localhost`, or an address as a URL has it. */
const isAddress = (hostname: string): boolean =>
  hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

/** @throws 403 without the correct `x-setup-token`, where one is required */
export function checkSetupToken({ services, headers }: Context): void {
  const { setupToken } = services;
  if (setupToken === undefined) return;
  const given = headers['x-setup-token'];
  if (typeof given !== 'string' || !timingSafeEqual(Buffer.from(digest(given)), Buffer.from(digest(setupToken))))
    throw forbidden('setup requires the header x-setup-token');
}
