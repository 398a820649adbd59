/** What a request fails with. `errors.ts` has a constructor for each kind. */

/** One fault of a validation: the path, its kind (`required`, `enum`, `unique`, `Number` …) and a sentence. */
export interface PathFault {
  readonly path: string;
  readonly kind: string;
  readonly message: string;
}

/** A failed request: the status, a short phrase that names the kind, and the reason for this caller. A 401 has a challenge. */
export class Failure extends Error {
  readonly status: number;
  readonly reason: string;
  readonly errors: readonly PathFault[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Further fields of the envelope, such as the counts of a bulk write up to the failure. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    message: string,
    reason: string,
    more: Partial<Pick<Failure, 'errors' | 'headers' | 'details' | 'cause'>> = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'Failure';
    this.status = status;
    this.reason = reason;
    this.errors = more.errors;
    this.headers = { ...(status === 401 ? challengeOf() : {}), ...more.headers };
    this.details = more.details ?? {};
  }

  /** The same failure with further details. */
  withDetails(details: Failure['details'], cause: unknown = this.cause): Failure {
    return this.#with({ details: { ...this.details, ...details }, cause });
  }

  /** The same failure with another reason. */
  withReason(reason: string): Failure {
    return this.#with({ reason });
  }

  /** The same failure with further headers. */
  withHeaders(headers: Failure['headers']): Failure {
    return this.#with({ headers: { ...this.headers, ...headers } });
  }

  /** The same failure, which no longer asks to send the request again, with the reason for that; unchanged where it does not ask. */
  withoutRetry(reason: string): Failure {
    const { 'Retry-After': retryAfter, ...headers } = this.headers;
    return retryAfter === undefined ? this : this.#with({ reason, headers });
  }

  #with(other: Partial<Pick<Failure, 'reason' | 'headers' | 'details' | 'cause'>>): Failure {
    const { status, message, errors } = this;
    const { reason, headers, details, cause } = { ...this, cause: this.cause, ...other };
    return new Failure(status, message, reason, {
      ...(errors === undefined ? {} : { errors }),
      headers,
      details,
      cause,
    });
  }
}

/**
 * What a 401 offers (RFC 9110, 11.6.1).
 * @param parameter a further one of the challenge for bearer tokens, such as `resource_metadata="…"` (RFC 9728, 5.1)
 */
export const challengeOf = (parameter?: string): Failure['headers'] => ({
  'WWW-Authenticate': `Bearer realm="dossier"${parameter === undefined ? '' : `, ${parameter}`}, Basic realm="dossier", charset="UTF-8"`,
});

/** Causes that are looked at: a model's code may chain any number of them, or close the chain to a circle. */
export const maxCauses = 10;

/** An error and its causes, the error first. */
export function* withCauses(error: unknown): Generator<Error, void> {
  let at = error;
  for (let depth = 0; depth <= maxCauses && at instanceof Error; depth++) {
    yield at;
    at = at.cause;
  }
}
