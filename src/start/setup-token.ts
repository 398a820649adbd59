/** The token that `/setup` requires in production on a public address. */
import { randomBytes } from 'node:crypto';
import { isLoopback } from '../settings/own-host.ts';
import type { Settings } from '../settings/types.ts';

/** @returns the token of the settings, or a generated one; undefined where none is required */
export function setupTokenFor(settings: Settings): string | undefined {
  if (!settings.production || isLoopback(settings.host)) return undefined;
  return settings.setup_token ?? randomBytes(18).toString('base64url');
}
