/** Who may set up: no page of another origin, and in production on a public address only who knows the token. */
import { timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { Context } from '../../context.ts';
import { forbidden } from '../../errors.ts';
import { digest } from '../credentials/tokens.ts';

/**
 * Without `API_URL` a page's own name is no proof: whoever owns a name may let it lead to this machine (DNS rebinding).
 * @throws 403 for a request that a page of another origin made
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

/** @throws 403 without the right `x-setup-token`, where one is wanted */
export function checkSetupToken({ services, headers }: Context): void {
  const { setupToken } = services;
  if (setupToken === undefined) return;
  const given = headers['x-setup-token'];
  if (typeof given !== 'string' || !timingSafeEqual(Buffer.from(digest(given)), Buffer.from(digest(setupToken))))
    throw forbidden('setup needs the header x-setup-token');
}
