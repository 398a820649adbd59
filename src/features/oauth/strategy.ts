/** One login at one provider by passport-oauth2, with limits on the time and size of its requests. The adapter of passport. */
import { Passport } from 'passport';
import OAuth2Strategy from 'passport-oauth2';
import { boundedFetch } from './bounded-fetch.ts';
import type { OAuthProvider } from './config.ts';
import { type Outcome, type Query, StateNotValid, type StateStore } from './step.ts';

/** Maximum milliseconds of all requests to a provider together. */
const maxWaitMs = 9000;

type Answered = (error: { statusCode: number; data?: string } | null, body?: string) => void;
type ProviderRequest = [method: string, url: string, headers: Record<string, string> | null, body: unknown];
/** The part of passport-oauth2's client that is replaced here. */
interface Client {
  _request(...parameters: [...request: ProviderRequest, token: string | null, answered: Answered]): void;
  useAuthorizationHeaderforGET(use: boolean): void;
  get(url: string, token: string, answered: Answered): void;
}

class ProviderStrategy extends OAuth2Strategy {
  readonly #profileAt: string;

  constructor(
    provider: OAuthProvider,
    callback: string,
    { store, signal, failed }: { store: StateStore; signal: AbortSignal; failed: (error: unknown) => void },
  ) {
    super(
      {
        authorizationURL: provider.auth_uri,
        tokenURL: provider.token_uri,
        clientID: provider.app_id,
        clientSecret: provider.app_secret,
        callbackURL: callback,
        scope: typeof provider.scope === 'string' ? provider.scope : [...(provider.scope ?? [])],
        store: storeFor(store),
        pkce: true,
      },
      // wrapped, because passport treats a null profile as a refusal
      (_token: string, _refresh: string, profile: unknown, done: OAuth2Strategy.VerifyCallback) =>
        done(null, { profile }),
    );
    this.#profileAt = provider.api_uri;
    const client = this.client;
    client.useAuthorizationHeaderforGET(true);
    client._request = (...parameters) => {
      const [method, url, headers, body, , answered] = parameters;
      const request = { method, headers: { ...headers, Accept: 'application/json' }, body: textOf(body) };
      boundedFetch(url, request, signal)
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .then(
          ({ status, text }) => (status === 200 ? answered(null, text) : answered({ statusCode: status, data: text })),
          () => answered({ statusCode: 0 }),
        )
        // passport's client throws for answers that it does not expect, such as `null`
        .catch(failed);
    };
  }

  private get client(): Client {
    return this._oauth2 as unknown as Client;
  }

  override userProfile(token: string, done: (error?: unknown, profile?: unknown) => void): void {
    this.client.get(this.#profileAt, token, (error, body) => {
      if (error !== null) return done(new Error(`the provider answered ${error.statusCode}`));
      try {
        return done(null, JSON.parse(body ?? ''));
      } catch {
        return done(new Error('the profile is not JSON'));
      }
    });
  }
}

const textOf = (body: unknown): string | undefined => (typeof body === 'string' ? body : undefined);

/** passport-oauth2 checks the number of parameters: five to store, four to verify. */
function storeFor(states: StateStore): OAuth2Strategy.StateStore {
  type Done = (error: Error | null, ok?: string | false, state?: unknown) => void;
  return {
    // eslint-disable-next-line max-params -- passport-oauth2 gives the verifier to functions of five parameters only
    store: (_req: unknown, verifier: string, _state: unknown, _meta: unknown, done: Done) =>
      done(null, states.store(verifier)),
    verify: (_req: unknown, state: string, _meta: unknown, done: Done) => {
      states.verify(state).then(
        (verifier) => done(null, verifier ?? false, { message: 'state' }),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
  } as unknown as OAuth2Strategy.StateStore;
}

/** Begins a login (no code in the query) or ends it. @throws the reason why it ended without a profile */
export function runStrategy(
  provider: OAuthProvider,
  callback: string,
  store: StateStore,
  query: Query,
): Promise<Outcome> {
  return new Promise((done, failed) => {
    const signal = AbortSignal.timeout(maxWaitMs);
    const strategy = new ProviderStrategy(provider, callback, { store, signal, failed });
    const finished = (error: unknown, found: { readonly profile: unknown } | false | undefined): void => {
      if (error !== null && error !== undefined) failed(error instanceof Error ? error : new Error(String(error)));
      else if (found === false || found === undefined) failed(new StateNotValid());
      else done(found);
    };
    // the parts of a request and a response that passport uses
    const req = { query, headers: {}, url: '/', method: 'GET' };
    const headers: Record<string, string> = {};
    const res = {
      statusCode: 200,
      setHeader: (name: string, value: string) => void (headers[name] = value),
      end: () => done({ url: headers['Location'] ?? '' }),
    };
    const middleware = new Passport().authenticate(strategy, { session: false }, finished) as (
      ...given: unknown[]
    ) => void;
    middleware(req, res, (error: unknown) => failed(error instanceof Error ? error : new Error(String(error))));
  });
}
