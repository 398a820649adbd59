/**
 * OAuth logins: sends the browser to the provider, and after the callback to `success_uri` with a JWT or to `fail_uri` with a
 * code.
 */
import { Failure, unknownProvider } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { OAuth, OAuthStep } from '../contract.ts';
import { providersOf, type OAuthConfig, type OAuthProvider } from '../../settings/oauth.ts';
import type { AuthCore } from '../core.ts';
import { makeUserOf, NoUser } from './identities.ts';
import { makeOAuthStates } from './state.ts';
import { profileFrom } from './profile.ts';
import { runStrategy, StateNotValid } from './strategy.ts';

/** The error codes of providers that are passed on (RFC 6749, 4.1.2.1); any other becomes `provider_error`. */
const providerCodes: ReadonlySet<unknown> = new Set([
  'access_denied',
  'invalid_request',
  'unauthorized_client',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
]);

export function makeOAuth(core: AuthCore, config: OAuthConfig | undefined, log: Log): OAuth {
  const providers = providersOf(config);
  const callbacks = (): string => `${core.publicUrl()}/login/oauth/callback`;
  const states = makeOAuthStates(core.secret, callbacks(), core.useOnce, core.clock);
  const userOf = makeUserOf(core);
  const get = (name: string): OAuthProvider => {
    const provider = providers.get(name);
    if (provider === undefined) throw unknownProvider(name);
    return provider;
  };
  const failed = (name: string, error: string): string => withQuery(config?.fail_uri, { error, provider: name });

  /** The JWT of the user whom the provider has identified. */
  const comeBack = async (name: string, code: string, state: string, cookies: string | undefined): Promise<string> => {
    const provider = get(name);
    const verify = (given: string): Promise<string | undefined> => states.end(name, given, cookies);
    const store = { store: () => '', verify };
    const outcome = await runStrategy(provider, `${callbacks()}/${name}`, store, { code, state }).catch(providerFault);
    const profile = 'profile' in outcome ? profileFrom(outcome.profile, provider) : undefined;
    if (profile === undefined) throw new NoIdentity();
    const user = await userOf(name, provider, profile);
    const now = await core.accountStateOf(user);
    if (now === undefined) throw new NoUser('user_deleted');
    return core.jwts.sign('oauth', user, now.epoch);
  };
  return {
    async start(name) {
      const provider = get(name);
      let cookie: string | undefined;
      const store = {
        store(verifier: string): string {
          const begun = states.begin(name, verifier);
          cookie = begun.cookie;
          return begun.state;
        },
        verify: () => Promise.resolve(undefined),
      };
      const outcome = await runStrategy(provider, `${callbacks()}/${name}`, store, {});
      return { url: 'url' in outcome ? outcome.url : failed(name, 'server_error'), cookie };
    },
    async finish(name, { code, state, error }, cookies): Promise<OAuthStep> {
      get(name);
      const cookie = typeof state === 'string' ? states.forget(state) : undefined;
      if (error !== undefined)
        return { url: failed(name, providerCodes.has(error) ? String(error) : 'provider_error'), cookie };
      if (typeof code !== 'string' || code === '' || typeof state !== 'string' || state === '')
        return { url: failed(name, 'invalid_state'), cookie };
      try {
        const token = await comeBack(name, code, state, cookies);
        return { url: withQuery(config?.success_uri, { token }), cookie };
      } catch (thrown) {
        const reason = codeOf(thrown);
        if (thrown instanceof ProviderFault)
          log.warn('a provider failed', { provider: name, reason: kindOf(thrown.cause) });
        else if (reason === 'server_error') log.error('a login at a provider failed', thrown);
        return { url: failed(name, reason), cookie };
      }
    },
  };
}

/** The profile has no id. */
class NoIdentity extends Error {}
/** The provider failed to answer correctly or in time. */
class ProviderFault extends Error {}

function providerFault(thrown: unknown): never {
  throw thrown instanceof StateNotValid || thrown instanceof Failure
    ? thrown
    : new ProviderFault('the provider failed', { cause: thrown });
}

function codeOf(thrown: unknown): string {
  if (thrown instanceof StateNotValid) return 'invalid_state';
  if (thrown instanceof NoIdentity) return 'no_identity';
  if (thrown instanceof NoUser) return thrown.code;
  return thrown instanceof ProviderFault ? 'provider_error' : 'server_error';
}

/** The kind of an error. The message is not logged, because it may contain data from the provider. */
const kindOf = (cause: unknown): string => (cause instanceof Error ? cause.name : typeof cause);

/** Adds to a URL's query, before its fragment. */
function withQuery(uri: string | undefined, values: Readonly<Record<string, string>>): string {
  const [before = '', ...fragment] = (uri ?? '/').split('#');
  const joint = before.includes('?') ? '&' : '?';
  return [`${before}${joint}${new URLSearchParams(values).toString()}`, ...fragment].join('#');
}
