/** The port through which the methods of a model ask for operations: HTTP, or a server that calls itself. */

/** What a request has, however it is sent. */
interface Asked {
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
}

/** A request over HTTP. */
export interface Call extends Asked {
  readonly method: string;
  /** Path and query string. */
  readonly path: string;
  /** A credential in place of the session's token; null for none. */
  readonly bearer?: string | null;
}

/** A parameter: its name, with those in brackets behind it, and its text. */
export type Parameter = readonly [path: readonly string[], text: string];

/** An operation of the server, with the values that it takes. */
export interface OperationCall extends Asked {
  /** Such as `documents.list`. */
  readonly operation: string;
  /** The named parts of its path, in their order there. */
  readonly params: Readonly<Record<string, string | number>>;
  readonly parameters?: readonly Parameter[];
}

/** Asks for operations and returns the bodies of their answers. */
export interface Sender {
  /** @throws DossierError for an answer that is a failure */
  json<Answer>(call: OperationCall): Promise<Answer>;
  /** @throws DossierError for an answer that is a failure */
  text(call: OperationCall): Promise<string>;
}
