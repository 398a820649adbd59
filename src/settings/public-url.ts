/** The public URL of this server. */
import type { Settings } from './types.ts';

/** `API_URL` without a trailing slash, if it is set. */
export const baseUrl = ({ api_url }: Pick<Settings, 'api_url'>): string | undefined => api_url?.replace(/\/+$/, '');

/**
 * `API_URL`, otherwise the address that the server listens on, as browsers on this machine reach it.
 * @param port the actual port
 */
export function publicUrl(settings: Pick<Settings, 'api_url' | 'host'>, port: number): string {
  const { host } = settings;
  const everywhere = host === '0.0.0.0' || host === '::';
  return baseUrl(settings) ?? `http://${everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}
