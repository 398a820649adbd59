/**
 * OAuth logins: sends the browser to the provider, and after the callback to `success_uri` with a JWT or to `fail_uri` with a
 * code.
 */
import { type AddedPurpose, type AuthCore, type Core, Failure, fromDatabase, type Log } from '../../core.ts';
import { unknownProvider } from '../../errors/errors.ts';
import type { ParameterTree } from '../../query/parameter-tree.ts';
import { type LoginProvider, type OAuthConfig, providersOf } from './config.ts';
import { Identities, NoUser } from './identities.ts';
import type { OidcLogins } from './oidc.ts';
import { profileFrom } from './profile.ts';
import { makeOAuthStates, type OAuthStates } from './state.ts';
import { type Outcome, type Query, StateNotValid, type StateStore } from './step.ts';

/** The JWT with which the provider's redirect signs in, within a minute. */
export const providerLogin: AddedPurpose = { name: 'oauth', seconds: 60, signsInOnce: true };

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

export interface OAuthStep {
  readonly url: string;
  readonly cookie: string | undefined;
}

export const providerLogins = ({ services: { config, log }, auth }: Core): ProviderLogins =>
  new ProviderLogins(auth, config.oauth, log);

class ProviderLogins {
  readonly #providers: ReadonlyMap<string, LoginProvider>;
  readonly #states: OAuthStates;
  readonly #identities: Identities;
  #oidc: OidcLogins | undefined;

  constructor(
    private readonly core: AuthCore,
    private readonly config: OAuthConfig | undefined,
    private readonly log: Log,
  ) {
    this.#providers = providersOf(config);
    this.#states = makeOAuthStates(core.secrets, this.#callbacks, core.useOnce, core.clock);
    this.#identities = new Identities(core);
  }

  /** The redirect to the provider, and the cookie that binds the callback to this browser. @throws 404 for an unknown provider */
  async start(name: string): Promise<OAuthStep> {
    this.#provider(name);
    let cookie: string | undefined;
    const states = {
      store: (verifier: string): string => {
        const begun = this.#states.begin(name, verifier);
        cookie = begun.cookie;
        return begun.state;
      },
      verify: () => Promise.resolve(undefined),
    };
    try {
      const outcome = await this.#run(name, states, {});
      return { url: 'url' in outcome ? outcome.url : this.#failed(name, 'server_error'), cookie };
    } catch (thrown) {
      return { url: this.#failed(name, this.#reported(name, thrown)), cookie: undefined };
    }
  }

  /** The redirect after the callback. It fails only for an unknown provider. */
  async finish(name: string, query: ParameterTree, cookies: string | undefined, address: string): Promise<OAuthStep> {
    const step = await this.#finish(name, query, cookies);
    if (step.failed) await this.core.accountEvents.failed({ address, method: 'oauth' });
    return step;
  }

  async #finish(name: string, query: ParameterTree, cookies: string | undefined): Promise<Finished> {
    const { code, state, error, iss } = query;
    this.#provider(name);
    const cookie = typeof state === 'string' ? this.#states.expiredCookie(state) : undefined;
    if (error !== undefined)
      return this.#refused(name, providerCodes.has(error) ? String(error) : 'provider_error', cookie);
    if (typeof code !== 'string' || code === '' || typeof state !== 'string' || state === '')
      return this.#refused(name, 'invalid_state', cookie);
    try {
      const returned = { code, state, ...(typeof iss === 'string' ? { iss } : {}) };
      const token = await this.#tokenFor(name, returned, cookies);
      return { url: withQuery(this.config?.success_uri, { token }), cookie, failed: false };
    } catch (thrown) {
      const reason = thrown instanceof NoUser ? thrown.reason : undefined;
      return this.#refused(name, this.#reported(name, thrown), cookie, reason);
    }
  }

  /** Logs a failure, and returns its code. */
  #reported(name: string, thrown: unknown): string {
    const code = codeOf(thrown);
    if (thrown instanceof ProviderFault)
      this.log.warn('a provider failed', { provider: name, reason: kindOf(thrown.cause) });
    else if (code === 'server_error') this.log.error('a login at a provider failed', thrown);
    return code;
  }

  /** One step of a login: by OpenID Connect where the provider has an issuer, otherwise by OAuth. @throws ProviderFault */
  async #run(name: string, states: StateStore, query: Query): Promise<Outcome> {
    const provider = this.#provider(name);
    const callback = `${this.#callbacks}/${name}`;
    // the code that contacts providers is loaded with the first login at one
    if (provider.issuer === undefined) {
      const { runStrategy } = await import('./strategy.ts');
      return runStrategy(provider, callback, states, query).catch(providerFault);
    }
    const { OidcLogins } = await import('./oidc.ts');
    this.#oidc ??= new OidcLogins(this.core.clock);
    return this.#oidc.run(provider, callback, states, query).catch(providerFault);
  }

  /** The JWT of the user whom the provider has identified. */
  async #tokenFor(name: string, query: Query, cookies: string | undefined): Promise<string> {
    const provider = this.#provider(name);
    // a failure of the database is not one of the provider, in whose step it happens
    const verify = (state: string): Promise<string | undefined> =>
      this.#states.end(name, state, cookies).catch((error: unknown) => {
        throw fromDatabase(error);
      });
    const states = { store: () => '', verify };
    const outcome = await this.#run(name, states, query);
    const profile = 'profile' in outcome ? profileFrom(outcome.profile, provider) : undefined;
    if (profile === undefined) throw new NoIdentity();
    const user = await this.#identities.userOf(name, provider, profile);
    const now = await this.core.reconcileAccount(user);
    if (now === undefined) throw new NoUser('user_deleted');
    return this.core.jwts.sign(providerLogin, user, now.epoch);
  }

  /** @throws 404 for an unknown provider */
  #provider(name: string): LoginProvider {
    const provider = this.#providers.get(name);
    if (provider === undefined) throw unknownProvider(name);
    return provider;
  }

  /** Public URL below which providers send browsers back. */
  get #callbacks(): string {
    return `${this.core.publicUrl()}/login/oauth/callback`;
  }

  /** @param reason for people, of a hook that refuses */
  #refused(name: string, error: string, cookie: string | undefined, reason?: string): Finished {
    return { url: this.#failed(name, error, reason), cookie, failed: true };
  }

  #failed(name: string, error: string, reason?: string): string {
    const more = reason === undefined ? {} : { error_description: reason };
    return withQuery(this.config?.fail_uri, { error, provider: name, ...more });
  }
}

/** The end of a login at a provider. */
interface Finished extends OAuthStep {
  readonly failed: boolean;
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
function kindOf(cause: unknown): string {
  if (!(cause instanceof Error)) return typeof cause;
  const { code } = cause as { readonly code?: unknown };
  return typeof code === 'string' ? `${cause.name} ${code}` : cause.name;
}

/** Adds to a URL's query, before its fragment. */
function withQuery(uri: string | undefined, values: Readonly<Record<string, string>>): string {
  const [before = '', ...fragment] = (uri ?? '/').split('#');
  const joint = before.includes('?') ? '&' : '?';
  return [`${before}${joint}${new URLSearchParams(values).toString()}`, ...fragment].join('#');
}
