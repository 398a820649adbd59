/**
 * Hosts and origins that a request may name, and the public URL. A host name proves nothing where the server does not know its own: the
 * owner of a name can point it to this machine (DNS rebinding).
 */
import { isIP } from 'node:net';
import type { Settings } from './types.ts';

/** Whether a server listens for programs of its own machine only. @param host that it listens at */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** `localhost`, or an address as a URL has it. */
const isAddress = (hostname: string): boolean =>
  hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

/** @param host the header @param api the setting `API_URL`, whose host counts, too */
export function isOwnHost(host: string, api: string | undefined): boolean {
  const url = `http://${host}`;
  if (!URL.canParse(url)) return false;
  return isAddress(new URL(url).hostname) || (api !== undefined && new URL(url).hostname === new URL(api).hostname);
}

/** @param origin and @param host the headers @param api the setting `API_URL`, whose origin is the only one then */
export function isOwnOrigin(origin: string, host: string | undefined, api: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { host: from, hostname, origin: whole } = new URL(origin);
  return api === undefined ? from === host && isAddress(hostname) : whole === new URL(api).origin;
}

/**
 * `API_URL`, otherwise the address that the server listens on, as browsers on this machine reach it.
 * @param port the actual port
 */
export function publicUrl({ api_url, host }: Pick<Settings, 'api_url' | 'host'>, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  return api_url ?? `http://${everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}
