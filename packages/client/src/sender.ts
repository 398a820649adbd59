/** The port through which the methods of a model send their requests: HTTP, or a server that calls itself. */

/** A request. */
export interface Call {
  readonly method: string;
  /** Path and query string. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The media type of the body. */
  readonly type?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether it may be sent again: `safe` where it changes nothing, `keyed` where an `Idempotency-Key` makes it safe, for callers who
   * have signed in, and `once` otherwise.
   */
  readonly repeat: 'safe' | 'keyed' | 'once';
  /** A credential in place of the session's token; null for none. */
  readonly bearer?: string | null;
}

/** Sends requests and returns the bodies of their answers. */
export interface Sender {
  /** @throws DossierError for an answer that is a failure */
  json<Answer>(call: Call): Promise<Answer>;
  /** @throws DossierError for an answer that is a failure */
  text(call: Call): Promise<string>;
}
