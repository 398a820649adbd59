/**
 * The state of a login at a provider: signed, bound to the browser by a cookie, to the provider and to ten minutes, and used once.
 * The cookie is the PKCE verifier (RFC 7636) itself, so that the server stores nothing and a stolen code is useless.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../adapters/sealing.ts';
import type { UseOnce } from '../../auth/passwords/single-use.ts';

/** Seconds that a user may take at the provider. */
const validFor = 600;
const cookieName = (nonce: string): string => `dossier_oauth_${nonce.slice(0, 8)}`;

export interface OAuthStates {
  /** @param verifier the PKCE verifier @returns the state to send, and the cookie to set */
  begin(provider: string, verifier: string): { readonly state: string; readonly cookie: string };
  /** Checks a returned state. @returns the verifier, at the first return in time of the browser that began the login */
  end(provider: string, state: string, cookies: string | undefined): Promise<string | undefined>;
  /** The cookie that deletes the one of this state. */
  expiredCookie(state: string): string | undefined;
}

/** @param callback public URL below which providers send browsers back */
export function makeOAuthStates(secrets: Secrets, callback: string, useOnce: UseOnce, clock: () => Date): OAuthStates {
  const { pathname, protocol } = new URL(callback);
  const attributes = `; Path=${pathname}; HttpOnly; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`;
  const seal = (parts: readonly string[], secret: string = secrets[0]): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['oauth state', ...parts]))
      .digest();
  return {
    begin(provider, verifier) {
      const nonce = randomBytes(18).toString('base64url');
      const until = String(Math.floor(clock().getTime() / 1000) + validFor);
      const state = [nonce, until, seal([provider, nonce, until, verifier]).toString('base64url')].join('.');
      return { state, cookie: `${cookieName(nonce)}=${verifier}; Max-Age=${validFor}${attributes}` };
    },
    async end(provider, state, cookies) {
      const [nonce = '', until = '', given = ''] = state.split('.');
      const verifier = cookieOf(cookies, cookieName(nonce));
      if (verifier === undefined || !/^\d{1,12}$/.test(until)) return undefined;
      const actual = Buffer.from(given, 'base64url');
      const isSeal = (expected: Buffer): boolean =>
        actual.length === expected.length && timingSafeEqual(actual, expected);
      if (!secrets.some((secret) => isSeal(seal([provider, nonce, until, verifier], secret)))) return undefined;
      const expires = new Date(Number(until) * 1000);
      if (expires <= clock()) return undefined;
      return (await useOnce(`oauth ${nonce}`, expires)) ? verifier : undefined;
    },
    expiredCookie: (state) =>
      /^[\w-]{24}\./.test(state) ? `${cookieName(state)}=; Max-Age=0${attributes}` : undefined,
  };
}

function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name && value !== undefined && /^[\w~.-]{43,128}$/.test(value)) return value;
  }
  return undefined;
}
