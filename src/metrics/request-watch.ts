/** The port by which a feature receives the requests that have been answered, whether metrics are on or not. */

export interface AnsweredRequest {
  /** One of the known methods, or `_OTHER`. */
  readonly method: string;
  /** The path as template, such as `/api/:model`; `unknown` for one that does not exist, or was refused before it was looked up. */
  readonly route: string;
  readonly status: number;
  /** Milliseconds until the answer was handed to the connection. */
  readonly ms: number;
}

/** It must return at once. */
export interface RequestWatch {
  answered(request: AnsweredRequest): void;
}

/** What a process has counted of one method and route. It can be sent to another process. */
export interface RouteCounts {
  readonly method: string;
  readonly route: string;
  readonly count: number;
  /** Answers with 400 to 499. */
  readonly client_errors: number;
  /** Answers from 500 on. */
  readonly server_errors: number;
  readonly max_ms: number;
  /** How many took as long as each bucket of `features/server/requests.ts`. */
  readonly buckets: readonly number[];
}

/** The counts of a process since its start. */
export interface ProcessCounts {
  readonly since: Date;
  readonly routes: readonly RouteCounts[];
  /** Those of the last minutes, in the order of their times. */
  readonly recent: readonly RequestSlice[];
}

/** The counts of a short time. */
export interface RequestSlice {
  /** Its number: slices follow each other since 1970. */
  readonly at: number;
  readonly routes: readonly RouteCounts[];
}
