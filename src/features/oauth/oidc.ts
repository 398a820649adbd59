/**
 * One login at one OpenID provider, whose addresses and keys are discovered (OpenID Connect Discovery 1.0). Its ID token is verified:
 * signature, `iss`, `aud`, `azp`, `exp`, `iat` and `nonce` (OpenID Connect Core 1.0, 3.1.3.7). The adapter of openid-client.
 */
import { createHash } from 'node:crypto';
import * as client from 'openid-client';
import { boundedFetch } from './bounded-fetch.ts';
import type { OidcProvider } from './config.ts';
import { Discovery } from './discovery.ts';
import { type Outcome, type Query, StateNotValid, type StateStore } from './step.ts';

/** Maximum milliseconds of all requests to a provider together. */
const maxWaitMs = 9000;
/** Seconds by which the clocks of the server and the provider may differ. */
const toleranceSeconds = 30;

const defaultScope = 'openid email profile';

export class OidcLogins {
  readonly #discoveries = new Map<string, Discovery>();

  constructor(private readonly clock: () => Date) {}

  /** Begins a login (no code in the query) or ends it. @throws the reason why it ended without a profile */
  async run(provider: OidcProvider, callback: string, states: StateStore, query: Query): Promise<Outcome> {
    const signal = AbortSignal.timeout(maxWaitMs);
    const discovery = this.#discoveryOf(provider.issuer);
    const config = await this.#configFor(provider, discovery, signal);
    const { code, state } = query;
    if (code === undefined || state === undefined) return { url: await addressOf(config, provider, callback, states) };
    const verifier = await states.verify(state);
    if (verifier === undefined) throw new StateNotValid();
    const tokens = await client.authorizationCodeGrant(config, withQuery(callback, query), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonceOf(verifier),
      idTokenExpected: true,
    });
    discovery.keepKeys(client.getJwksCache(config));
    const claims = tokens.claims();
    if (claims === undefined) throw new IdTokenError('no_id_token');
    this.#check(claims, provider);
    return { profile: await withUserInfo(config, claims, tokens.access_token) };
  }

  #discoveryOf(issuer: string): Discovery {
    const known = this.#discoveries.get(issuer) ?? new Discovery(new URL(issuer), this.clock);
    this.#discoveries.set(issuer, known);
    return known;
  }

  /** A configuration for one login, from the discovered data of the provider. Its requests end with the login's time limit. */
  async #configFor(
    { app_id, app_secret }: OidcProvider,
    discovery: Discovery,
    signal: AbortSignal,
  ): Promise<client.Configuration> {
    const fetched = providerFetch(signal);
    const metadata = await discovery.metadata(fetched);
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = metadata;
    const authentication = methods.includes('client_secret_basic')
      ? client.ClientSecretBasic(app_secret)
      : client.ClientSecretPost(app_secret);
    const skew = Math.round((this.clock().getTime() - Date.now()) / 1000);
    const options = { [client.clockSkew]: skew, [client.clockTolerance]: toleranceSeconds };
    const config = new client.Configuration(metadata, app_id, options, authentication);
    config[client.customFetch] = fetched;
    config.timeout = maxWaitMs / 1000;
    if (discovery.isInsecure) client.allowInsecureRequests(config);
    // otherwise the signature of a token that comes straight from the provider is not checked
    client.enableNonRepudiationChecks(config);
    const keys = discovery.keys();
    if (keys !== undefined) client.setJwksCache(config, keys);
    return config;
  }

  /** Checks what openid-client does not. */
  #check({ azp, iat, sub }: client.IDToken, { app_id }: OidcProvider): void {
    if (azp !== undefined && azp !== app_id) throw new IdTokenError('azp');
    if (iat > this.clock().getTime() / 1000 + toleranceSeconds) throw new IdTokenError('iat');
    if (sub === '') throw new IdTokenError('sub');
  }
}

/** A claim of the ID token is not valid. */
class IdTokenError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`the ID token is not valid: ${code}`);
    this.name = 'IdTokenError';
    this.code = code;
  }
}

async function addressOf(
  config: client.Configuration,
  { scope = defaultScope }: OidcProvider,
  callback: string,
  states: StateStore,
): Promise<string> {
  const verifier = client.randomPKCECodeVerifier();
  return client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: typeof scope === 'string' ? scope : scope.join(' '),
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state: states.store(verifier),
    nonce: nonceOf(verifier),
  }).href;
}

/** The nonce binds the ID token to the browser, as the state does: only the browser's cookie has the verifier. */
const nonceOf = (verifier: string): string => createHash('sha256').update(`nonce ${verifier}`).digest('base64url');

function withQuery(callback: string, query: Query): URL {
  const url = new URL(callback);
  for (const [name, value] of Object.entries(query) as [string, string][]) url.searchParams.set(name, value);
  return url;
}

/** The claims of the ID token; where it has no email, also those of the user info, whose `sub` must be the same. */
async function withUserInfo(
  config: client.Configuration,
  claims: client.IDToken,
  accessToken: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (claims['email'] !== undefined || config.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...(await client.fetchUserInfo(config, accessToken, claims.sub)), ...claims };
}

/** Repeats a read that fails, once: a key or a document of the provider may be served again a moment later. */
function providerFetch(signal: AbortSignal): client.CustomFetch {
  return async (url, { method, headers, body }) => {
    const send = (): Promise<Response> =>
      boundedFetch(url, { method, headers, body: body as RequestInit['body'] }, signal);
    if (method !== 'GET') return send();
    const first = await send().catch(() => undefined);
    return first === undefined || first.status >= 500 ? send() : first;
  };
}
