/** The token that `/setup` requires in production on a public address. */
import { randomBytes } from 'node:crypto';
import type { Settings } from '../settings/types.ts';

/** @returns the token of the settings, or a generated one; undefined where none is required */
export function setupTokenFor(settings: Settings): string | undefined {
  const loopback = settings.host === 'localhost' || settings.host === '::1' || settings.host.startsWith('127.');
  if (!settings.production || loopback) return undefined;
  return settings.setup_token ?? randomBytes(18).toString('base64url');
}
