/** Sends requests: with the token of the session, again where that is safe, and with errors as `DossierError`. */
import { DossierError, type FailureBody } from './error.ts';
import { requestOf } from './operations.ts';
import type { Call, OperationCall, Sender } from './sender.ts';
import type { Session } from './session.ts';
import { backoff, wait } from './wait.ts';

export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

/** How often and when requests are repeated. */
export interface RetryOptions {
  /** Repetitions at most; 4 by default, 0 for none. */
  readonly times?: number | undefined;
  /** Milliseconds before the first repetition; 300 by default. */
  readonly delay?: number | undefined;
}

/** Milliseconds for which `Retry-After` is obeyed; beyond that the caller gets the error. */
const maxWaitMs = 120_000;
/** Bytes of a body from which on the client asks the server for its limit. */
const large = 64 * 1024;

export class Transport implements Sender {
  session: Session | undefined;
  #limit: Promise<number> | undefined;

  constructor(
    readonly url: string,
    readonly fetch: Fetch,
    readonly retry: RetryOptions,
    /** Sent in place of the session's token. */
    readonly apikey: string | undefined,
  ) {}

  /** The sender of the requests: the key, or the user of the session; undefined if there is none. */
  get caller(): string | undefined {
    return this.apikey ?? this.session?.tokens?.user_id;
  }

  /** Sends a request and reads the answer as JSON. @throws DossierError */
  async json<Answer>(call: Call | OperationCall): Promise<Answer> {
    const response = await this.send(call);
    const text = await textOf(response, call);
    try {
      return JSON.parse(text) as Answer;
    } catch (cause) {
      throw new DossierError(response.status, notJson, { cause });
    }
  }

  /** Sends a request and reads the answer as text. @throws DossierError */
  async text(call: Call | OperationCall): Promise<string> {
    return textOf(await this.send(call), call);
  }

  /** @returns an answer whose status is not a failure @throws DossierError, and the reason of the signal */
  async send(asked: Call | OperationCall): Promise<Response> {
    const call = 'operation' in asked ? requestOf(asked) : asked;
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    await this.#checkSize(body, call.signal);
    const key = call.repeat === 'keyed' && this.caller !== undefined ? randomKey() : undefined;
    const mayRepeat = call.repeat === 'safe' || key !== undefined;
    const { times = 4, delay = 300 } = this.retry;
    for (let repetition = 0; ; repetition++) {
      const tried = await this.#try(call, body, key);
      if (tried instanceof Response && tried.ok && !isRedirect(tried)) return tried;
      const after = mayRepeat && repetition < times ? pauseAfter(tried, repetition) : undefined;
      if (after === undefined || after > maxWaitMs) throw tried instanceof Response ? await errorOf(tried) : tried;
      if (tried instanceof Response) await tried.body?.cancel();
      await wait(Math.max(after, backoff(delay, repetition)), call.signal);
    }
  }

  /** Sends it once, or twice where the token had to be renewed. @returns the answer, or the error of the network */
  async #try(call: Call, body: string | undefined, key: string | undefined): Promise<Response | DossierError> {
    const { caller } = this;
    try {
      const token = await this.#tokenFor(call);
      const response = await this.#fetch(call, body, { token, key });
      const isRefused = response.status === 401 && call.bearer === undefined && token !== undefined;
      if (!isRefused || (await this.session?.renew(token, call.signal)) !== true) return response;
      // what one user has asked for is not sent as another one
      if (this.caller !== caller) return response;
      await response.body?.cancel();
      return await this.#fetch(call, body, { token: this.session?.tokens?.token, key });
    } catch (error) {
      call.signal?.throwIfAborted();
      return error instanceof DossierError ? error : unanswered(error);
    }
  }

  async #tokenFor({ bearer, signal }: Call): Promise<string | undefined> {
    if (bearer !== undefined || this.apikey !== undefined) return bearer ?? undefined;
    return this.session?.token(signal);
  }

  #fetch(
    { method, path, type = 'application/json', headers, signal, bearer }: Call,
    body: string | undefined,
    { token, key }: { readonly token: string | undefined; readonly key: string | undefined },
  ): Promise<Response> {
    return this.fetch(this.url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': type }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(bearer === undefined && this.apikey !== undefined ? { 'x-api-key': this.apikey } : {}),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      // a redirect would take credentials to another place; `error` looks like a fault of the network in browsers
      redirect: 'manual',
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** @throws DossierError 413 for a body that the server would refuse */
  async #checkSize(body: string | undefined, signal: AbortSignal | undefined): Promise<void> {
    if (body === undefined || body.length < large) return;
    const size = new TextEncoder().encode(body).length;
    this.#limit ??= this.#askLimit();
    const limit = await this.#limit;
    signal?.throwIfAborted();
    if (size > limit)
      throw new DossierError(413, {
        message: 'Too large',
        err: `the body has ${size} bytes, and the server accepts ${limit}`,
      });
  }

  /** The size of bodies that the server accepts, which `GET /health` states; no limit where it does not. */
  async #askLimit(): Promise<number> {
    try {
      const { headers } = await this.#fetch(
        { method: 'GET', path: '/health', repeat: 'safe', bearer: null },
        undefined,
        {
          token: undefined,
          key: undefined,
        },
      );
      return Number(headers.get('max-body-size') ?? Infinity);
    } catch {
      this.#limit = undefined;
      return Infinity;
    }
  }
}

const notJson = {
  message: 'Bad answer',
  err: 'the answer is not JSON, so another program has sent it, such as a proxy',
};

/** @throws DossierError for an answer that is cut off, and the reason of the signal */
const textOf = (response: Response, { signal }: Pick<Call, 'signal'>): Promise<string> =>
  response.text().catch((error: unknown) => {
    signal?.throwIfAborted();
    throw unanswered(error);
  });

const unanswered = (cause: unknown): DossierError =>
  new DossierError(0, { message: 'No answer', err: cause instanceof Error ? cause.message : String(cause) }, { cause });

const redirects: readonly number[] = [301, 302, 303, 307, 308];

/** Whether an answer is a redirect, or a `fetch` has followed one all the same. Browsers hide all else of a redirect. */
const isRedirect = ({ status, type, redirected }: Response): boolean =>
  type === 'opaqueredirect' || redirected || redirects.includes(status);

/** The status of a redirect that browsers do not state: 300, for any of them. */
const someRedirect = 300;

async function redirected(response: Response): Promise<DossierError> {
  await response.body?.cancel();
  const to = response.headers.get('location') ?? 'another address';
  const err = `the server redirects to ${to}, and redirects are not followed: create the client with the address itself`;
  const isKnown = redirects.includes(response.status);
  return new DossierError(isKnown ? response.status : someRedirect, { message: 'Redirected', err });
}

/** The error of an answer that is a failure. */
async function errorOf(response: Response): Promise<DossierError> {
  if (isRedirect(response)) return redirected(response);
  const text = await response.text().catch(() => '');
  const about = { requestId: response.headers.get('x-request-id') ?? undefined };
  try {
    return new DossierError(response.status, JSON.parse(text) as FailureBody, about);
  } catch {
    return new DossierError(response.status, { err: response.statusText || `status ${response.status}` }, about);
  }
}

/**
 * Milliseconds after which a failed request may be sent again; undefined for one that may not: only faults of the network, 429 and
 * 503 pass by themselves. A repetition may also find its first try still under way, which is a 409 with `Retry-After`.
 */
function pauseAfter(tried: Response | DossierError, repetition: number): number | undefined {
  if (tried instanceof DossierError) return tried.status === 0 ? 0 : undefined;
  const { status, headers } = tried;
  const stated = headers.get('retry-after');
  const isUnderWay = status === 409 && repetition > 0 && stated !== null;
  return status === 429 || status === 503 || isUnderWay ? pauseOf(stated) : undefined;
}

/** `Retry-After` (RFC 9110, 10.2.3) is a number of seconds or a date. */
function pauseOf(stated: string | null): number {
  if (stated === null) return 0;
  const milliseconds = /^\d+$/.test(stated) ? Number(stated) * 1000 : Date.parse(stated) - Date.now();
  return Number.isNaN(milliseconds) ? 0 : Math.max(0, milliseconds);
}

/** 128 random bits. `crypto.randomUUID` is missing on pages that are not served over TLS. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
