/** Tells tokens and keys that a server with this secret has created from guesses, which the throttle counts. */
import { badCredentials, type Failure } from '../../errors.ts';
import type { AuthCore } from '../core.ts';
import type { TokenKind } from './tokens.ts';

const reasons: Readonly<Record<TokenKind, string>> = {
  access: 'the token is not valid or has expired',
  refresh: 'the refresh token is not valid or has expired',
  key: 'the API key is not valid or has expired',
  named: 'the API key is not valid, has expired, or may not be used from this address',
};

export const deadToken = (kind: TokenKind): Failure => badCredentials(reasons[kind]);

/** A credential that this server did not create is a guess, and counts as one. @throws 401, 429 */
export async function genuineOr401(
  { tokens, loginThrottle }: Pick<AuthCore, 'tokens' | 'loginThrottle'>,
  kind: TokenKind,
  text: string,
  from: string,
): Promise<void> {
  if (tokens.genuine(kind, text)) return;
  await loginThrottle.wrong(from);
  throw deadToken(kind);
}
