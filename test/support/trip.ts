/** A browser's way to a provider and back. */
import type { OAuthConfig, OAuthProvider } from '../../src/features/oauth/config.ts';
import { type Answer, send } from './client.ts';
import { client, type Provider } from './provider.ts';
import type { TestServer } from './server.ts';

export const success = 'https://app.example/welcome?from=oauth';
export const fail = 'https://app.example/sorry';

export const configured = (provider: Provider, more: Partial<OAuthProvider> = {}): OAuthProvider => ({
  auth_uri: `${provider.url}/authorize`,
  token_uri: `${provider.url}/token`,
  api_uri: `${provider.url}/me`,
  app_id: client.id,
  app_secret: client.secret,
  scope: ['openid', 'email'],
  ...more,
});

/** One provider, `prov`. */
export const oneProvider = (provider: Provider, more: Partial<OAuthProvider> = {}): OAuthConfig => ({
  success_uri: success,
  fail_uri: fail,
  prov: configured(provider, more),
});

export const placeOf = (reply: Answer): URL => new URL(reply.headers.get('location') ?? '');

export interface Trip {
  readonly code: string;
  readonly state: string;
  readonly cookie: string;
}

/** To the provider and back to the server, with the cookie that the browser was given. */
export async function travel(at: TestServer, name = 'prov'): Promise<Trip> {
  const there = await at.send('GET', `/login/oauth/${name}`);
  if (there.status !== 302) throw new Error(`${there.status} ${there.text}`);
  const cookie = (there.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const back = placeOf(await send('GET', placeOf(there).href));
  if (!back.pathname.endsWith(`/login/oauth/callback/${name}`)) throw new Error(`sent back to ${back.href}`);
  return { code: back.searchParams.get('code') ?? '', state: back.searchParams.get('state') ?? '', cookie };
}

export const arrive = (at: TestServer, { code, state, cookie }: Trip, name = 'prov'): Promise<Answer> =>
  at.send('GET', `/login/oauth/callback/${name}?${new URLSearchParams({ code, state }).toString()}`, {
    headers: cookie === '' ? {} : { cookie },
  });

/** The whole way. @returns where the browser ends */
export async function signIn(at: TestServer, provider: Provider, profile: unknown): Promise<URL> {
  provider.profile = profile;
  const reply = await arrive(at, await travel(at));
  if (reply.status !== 302) throw new Error(`${reply.status} ${reply.text}`);
  return placeOf(reply);
}

/** What the browser ends with: the id of the user that the token opens, or the error. */
export async function outcomeOf(at: TestServer, provider: Provider, profile: unknown): Promise<string> {
  const { searchParams } = await signIn(at, provider, profile);
  const error = searchParams.get('error');
  if (error !== null) return error;
  const { body } = await at.send('POST', '/login/jwt', { body: { jwt: searchParams.get('token') } });
  return String(body['user_id']);
}
