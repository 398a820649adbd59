/** Guards the setup: it refuses pages of other origins and, in production on a public address, callers without the token. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { forbidden } from '../../errors/errors.ts';
import { isOwnOrigin } from '../../settings/own-host.ts';
import { digest } from '../credentials/tokens.ts';

/** @param apiUrl the setting `API_URL` @throws 403 for a request from a page of another origin */
export function checkOrigin({ origin, host }: IncomingHttpHeaders, apiUrl: string | undefined): void {
  if (origin !== undefined && !isOwnOrigin(origin, host, apiUrl))
    throw forbidden('setup is refused from other origins; set API_URL to allow the host name of this server');
}

/** @param token the one that is required; undefined for none @throws 403 without it in `x-setup-token` */
export function checkSetupToken({ 'x-setup-token': given }: IncomingHttpHeaders, token: string | undefined): void {
  if (token === undefined) return;
  if (typeof given !== 'string' || !timingSafeEqual(Buffer.from(digest(given)), Buffer.from(digest(token))))
    throw forbidden('setup requires the header x-setup-token');
}
