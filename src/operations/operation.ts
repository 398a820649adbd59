/** What a row of a route group is: a path, who may use it, and the function that answers (types and makers of access values). */
import type { Context, ModelContext } from '../context.ts';
import type { Letter } from '../registry/letters.ts';
import type { MethodName } from '../auth/methods.ts';
import type { HookName } from '../settings/config-file.ts';
import type { Answer } from './answer.ts';

/** Who may use a row that has a model in its path. */
export type ModelAccess = { readonly kind: 'letter'; readonly letter: Letter } | { readonly kind: 'perOperation' };

/** Who may use any other row. `open` needs a reason, which the documentation prints. */
export type PlainAccess =
  | { readonly kind: 'signedIn' }
  | { readonly kind: 'admin' }
  | { readonly kind: 'selfOrAdmin'; readonly parameter: string }
  | { readonly kind: 'open'; readonly reason: string };

export const letter = (of: Letter): ModelAccess => ({ kind: 'letter', letter: of });
/** The function decides for each operation, by the same decision. */
export const perOperation: ModelAccess = { kind: 'perOperation' };
export const signedIn: PlainAccess = { kind: 'signedIn' };
export const admin: PlainAccess = { kind: 'admin' };
export const selfOrAdmin = (parameter: string): PlainAccess => ({ kind: 'selfOrAdmin', parameter });
export const open = (reason: string): PlainAccess => ({ kind: 'open', reason });

interface Row {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  /** The pre- and post-hook of the row. */
  readonly hook?: HookName;
  /** It writes many documents at once, and gets several times the time limit. */
  readonly many?: true;
  /** A GET that changes something: its HEAD is a 405, since HEAD is safe (RFC 9110, 9.2.1) and link checkers send it. */
  readonly changes?: true;
  /** The query string is the row's own and is not held against the table of parameters. */
  readonly freeQuery?: true;
  /** Load balancers and containers call it every few seconds: a successful answer is logged at debug, not at info. */
  readonly probe?: true;
  /** The credential that the row verifies itself, because it works nowhere else. */
  readonly ownCredential?: MethodName;
}

export type ModelEndpoint = Row & {
  readonly access: ModelAccess;
  readonly run: (context: ModelContext) => Promise<Answer> | Answer;
};
export type PlainEndpoint = Row & {
  readonly access: PlainAccess;
  readonly run: (context: Context) => Promise<Answer> | Answer;
};
export type Endpoint = ModelEndpoint | PlainEndpoint;

/** A group of the specification. */
export interface RouteGroup {
  readonly title: string;
  readonly endpoints: readonly Endpoint[];
  /** Answers of the group are never kept by anybody: they hold credentials. */
  readonly secret?: true;
}
