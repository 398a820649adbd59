/** The client of one server: its models, its session, and what concerns no model. */
import { ModelClient } from './model-client.ts';
import { only } from './only.ts';
import { routeAnswer, routeCall } from './route.ts';
import { memory, Session, type Tokens, type WebStorage } from './session.ts';
import { type Fetch, type RetryOptions, Transport } from './transport.ts';
import type { AnyModels, ModelMap, NameIn } from './types/models.ts';
import type { Abortable, BatchAnswer, BatchOperation } from './types/options.ts';
import type { AnswerOfRoute, AnyRoutes, RouteArguments, RouteIn, RouteMap } from './types/routes.ts';

export interface ClientOptions {
  /** The address of the server, such as `https://api.example.com`. */
  readonly url: string;
  /** By default the one of the platform. */
  readonly fetch?: Fetch | undefined;
  /** Where the session is kept; by default in memory, so that it ends with the page or the process. */
  readonly storage?: WebStorage | undefined;
  /** An API key or a named key, for programs; it is sent in place of a session's token. */
  readonly apikey?: string | undefined;
  readonly retry?: RetryOptions | undefined;
  /**
   * Is called when the server has ended the session. Requests wait for it: where the same user has signed in again by then, they are sent
   * with the new tokens; otherwise the user is signed out, and they fail with a 401.
   */
  readonly sessionEnded?: (() => Promise<void>) | undefined;
}

/** What signs in: a password, the ticket of a second factor with its code, or a JWT. */
export type Credentials =
  | { readonly email: string; readonly password: string }
  /** Where users sign in by another field (`LOGIN_FIELD`): that field, such as `username`, and the password. */
  | { readonly password: string; readonly [field: string]: string }
  | { readonly ticket: string; readonly code: string }
  | { readonly jwt: string };

/** The answer to a login. */
export interface Login extends Tokens {
  readonly apikey: string;
}

/** A user by the email, or by the field that signs in. */
type UserName = string | Readonly<Record<string, string>>;

const namedUser = (user: UserName): object => (typeof user === 'string' ? { email: user } : user);

/** A link by which a user without a password sets one. */
export interface Invitation {
  readonly link: string;
  /** ISO 8601. */
  readonly expires: string;
  /** The mail server did not accept the mail. */
  readonly mail_failed?: boolean;
}

/** The caller, as `GET /me` describes them. */
export interface Me {
  readonly user: {
    readonly _id: string;
    readonly id: string;
    /** Empty for a user without one. */
    readonly email: string;
    readonly name?: string;
    readonly admin: boolean;
    readonly groups: readonly string[];
  };
  /** What the user signs in with, where that is not the email. */
  readonly login?: string;
  readonly roles: readonly string[];
  readonly method: 'basic' | 'token' | 'apikey' | 'key' | 'jwt' | null;
  readonly session: string | null;
  readonly key: string | null;
  readonly expires: string | null;
  /** The id of the admin who acts as the user. */
  readonly by?: string;
}

/** Any request, for what has no method of its own. */
export interface RequestOptions extends Abortable {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends `session` when the user signs in or out, here or in another tab that has the same storage. */
export class Client<
  Models extends ModelMap<Models> = AnyModels,
  Routes extends RouteMap<Routes> = AnyRoutes,
> extends EventTarget {
  readonly #transport: Transport;
  readonly #session: Session;

  constructor(options: ClientOptions) {
    super();
    const {
      url,
      fetch = (input, init) => globalThis.fetch(input, init),
      storage,
      apikey,
      retry = {},
      sessionEnded,
    } = only<ClientOptions>('createClient', options, 'url fetch storage apikey retry sessionEnded');
    only('retry', retry, 'times delay');
    const base = absolute(url);
    this.#transport = new Transport(base, fetch, retry, apikey);
    const key = `dossier ${base}`;
    const changed = (): void => void this.dispatchEvent(new Event('session'));
    this.#session = new Session(storage ?? memory(), key, {
      refresh: (token) => this.#refresh(token),
      changed,
      ended: sessionEnded,
    });
    this.#transport.session = this.#session;
    if (storage !== undefined) whenStored(key, changed);
  }

  /** The methods of a model. */
  model<Name extends NameIn<Models>>(name: Name): ModelClient<Models, Name> {
    return new ModelClient(this.#transport, name);
  }

  /** The id of the user who has signed in; undefined if there is none. */
  get user(): string | undefined {
    return this.#session.tokens?.user_id;
  }

  /** Signs in. Where a second factor is needed the error has a `ticket`, with which `login({ ticket, code })` completes the login. */
  async login(credentials: Credentials, options: Abortable = {}): Promise<Login> {
    const { signal } = only('login', options, 'signal');
    const path = 'ticket' in credentials ? '/login/code' : 'jwt' in credentials ? '/login/jwt' : '/login';
    const answer = await this.#post<Login>(path, credentials, { signal, bearer: null });
    this.#session.set(answer);
    return answer;
  }

  /** Signs out; with `everywhere` on all devices. */
  async logout(options: Abortable & { readonly everywhere?: boolean } = {}): Promise<void> {
    const { everywhere = false, signal } = only('logout', options, 'signal everywhere');
    await this.#session.settled();
    if (this.#session.tokens === undefined) return;
    try {
      if (everywhere) await this.#transport.send({ method: 'DELETE', path: '/login/sessions', signal, repeat: 'safe' });
      await this.#transport.send({ method: 'GET', path: '/logout', signal, repeat: 'safe' });
    } finally {
      this.#session.set(undefined);
    }
  }

  /**
   * Requests a mail with a link to set a new password. It is sent without a session, which a user who has lost the password does not have.
   * @param user the email; where users sign in by another field (`LOGIN_FIELD`), an object with that field
   */
  async recover(user: UserName, options: Abortable = {}): Promise<void> {
    const { signal } = only('recover', options, 'signal');
    await this.#post('/login/recover', namedUser(user), { signal, bearer: null });
  }

  /**
   * Invites a user who has no password yet, as an admin.
   * @param user as for `recover`
   * @returns the link for the admin to hand over, where none is mailed; undefined where a mail is on its way
   */
  async invite(user: UserName, options: Abortable = {}): Promise<Invitation | undefined> {
    const { signal } = only('invite', options, 'signal');
    const { data } = await this.#post<{ readonly data?: Invitation }>('/login/recover', namedUser(user), { signal });
    return data;
  }

  /** Sets a new password by the JWT of that link; a user with a second factor also sends `code`. */
  async reset(jwt: string, password: string, options: Abortable & { readonly code?: string } = {}): Promise<void> {
    const { code, signal } = only('reset', options, 'signal code');
    const body = { jwt, password, ...(code === undefined ? {} : { code }) };
    await this.#post('/login/reset', body, { signal, bearer: null });
  }

  /** Who the caller is. @throws DossierError 401 without credentials */
  async me(options: Abortable = {}): Promise<Me> {
    const { signal } = only('me', options, 'signal');
    return (await this.#transport.json<{ data: Me }>({ method: 'GET', path: '/me', signal, repeat: 'safe' })).data;
  }

  /** Runs several writes: all or nothing, or with `atomic: false` each by itself. */
  async batch(
    operations: readonly BatchOperation[],
    options: Abortable & { readonly atomic?: boolean } = {},
  ): Promise<BatchAnswer[]> {
    const { atomic = true, signal } = only('batch', options, 'signal atomic');
    const body = { operations, ...(atomic ? {} : { atomic }) };
    const call = { method: 'POST', path: '/batch', body, signal, repeat: 'keyed' } as const;
    return (await this.#transport.json<{ data: BatchAnswer[] }>(call)).data;
  }

  /**
   * Sends a request of a route. @param name its method and path @returns the data of the answer; of one that is no JSON, its text
   * @throws DossierError
   */
  async route<Name extends RouteIn<Routes>>(
    name: Name,
    ...[options]: RouteArguments<Routes, Name>
  ): Promise<AnswerOfRoute<Routes, Name>> {
    const request = only('route', options ?? {}, 'signal params query body headers');
    const response = await this.#transport.send(routeCall(name, request));
    return (await routeAnswer(response)) as AnswerOfRoute<Routes, Name>;
  }

  /**
   * Sends any request of the server, with the session and its renewal. `GET` is sent again where that is needed, nothing else.
   * @param path with a query string @throws DossierError
   */
  async request(path: string, options: RequestOptions = {}): Promise<Response> {
    const { method = 'GET', body, headers = {}, signal } = only('request', options, 'signal method body headers');
    return await this.#transport.send({
      method,
      path,
      body,
      headers,
      signal,
      repeat: method === 'GET' ? 'safe' : 'once',
    });
  }

  #post<Answer>(path: string, body: unknown, how: Abortable & { readonly bearer?: string | null }): Promise<Answer> {
    return this.#transport.json({ method: 'POST', path, body, ...how, repeat: 'once' });
  }

  /** The server answers a refresh token that was just used with the same successors, so it may be sent again. */
  #refresh(bearer: string): Promise<Tokens> {
    return this.#transport.json({ method: 'POST', path: '/refresh', bearer, repeat: 'safe' });
  }
}

/** @param Models from the module that `dossier types` writes, as `Routes`; without them any names of models, fields and routes are accepted */
export const createClient = <Models extends ModelMap<Models> = AnyModels, Routes extends RouteMap<Routes> = AnyRoutes>(
  options: ClientOptions,
): Client<Models, Routes> => new Client<Models, Routes>(options);

interface Page {
  readonly location?: { readonly href: string };
  addEventListener?(name: 'storage', listener: (event: { readonly key: string | null }) => void): void;
}

/**
 * An address without a slash at its end; on a page it may be relative.
 * @throws TypeError for what is no address of a server, such as `localhost:4001`
 */
function absolute(url: string): string {
  const { protocol, href } = new URL(url, (globalThis as Page).location?.href);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`url must begin with http:// or https://, got ${url}`);
  return href.replace(/\/+$/, '');
}

/** Other tabs report what they store; `null` is all of it. */
const whenStored = (key: string, changed: () => void): void =>
  (globalThis as Page).addEventListener?.('storage', (event) => {
    if (event.key === key || event.key === null) changed();
  });
