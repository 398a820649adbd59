/** The error of every request that fails. */

/** A fault of a body: the path, the kind of fault, and a sentence. */
export interface Fault {
  readonly path: string;
  readonly kind: string;
  readonly message: string;
}

/** Further details of a failure. */
export interface FailureBody {
  readonly message?: string;
  readonly err?: string;
  readonly errors?: readonly Fault[];
  /** The operation of a batch that failed. */
  readonly operation?: number;
  /** The operation of a bulk write or a JSON Patch that failed. */
  readonly index?: number;
  /** For `login({ ticket, code })`: the password is right, and a second factor is needed. */
  readonly ticket?: string;
  readonly request_id?: string;
  readonly data?: unknown;
}

/** A refusal of the server, or `status` 0 where the server did not answer. */
export class DossierError extends Error {
  override readonly name = 'DossierError';
  /** The reason. */
  readonly err: string;
  /** The faults of a body, or of a value that is not unique. */
  readonly errors: readonly Fault[];
  /** The id of the request, which leads to its lines in the server's log; undefined without an answer. */
  readonly requestId: string | undefined;

  constructor(
    /** The status of HTTP; 0 without an answer. */
    readonly status: number,
    /** The body of the answer. */
    readonly body: FailureBody,
    { requestId = body.request_id, ...options }: ErrorOptions & { readonly requestId?: string | undefined } = {},
  ) {
    super([body.message, body.err].filter((text) => text !== undefined).join(': ') || `status ${status}`, options);
    this.err = body.err ?? this.message;
    this.errors = body.errors ?? [];
    this.requestId = requestId;
  }

  /** The ticket for `login({ ticket, code })`, where a second factor is needed. */
  get ticket(): string | undefined {
    return this.body.ticket;
  }
}
