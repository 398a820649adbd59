/** The public URL of this server. */
import type { Settings } from './types.ts';

/**
 * `API_URL`, otherwise the address that the server listens on, as browsers on this machine reach it.
 * @param port the actual port
 */
export function publicUrl({ api_url, host }: Pick<Settings, 'api_url' | 'host'>, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  return api_url ?? `http://${everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}
