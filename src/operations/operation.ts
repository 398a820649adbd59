/** What can be requested: one row an operation. Transports, body checks, OpenAPI and the pages read the row; nothing else describes an endpoint. */
import type { MethodName } from '../auth/credentials/methods.ts';
import type { Context, ModelContext } from '../context.ts';
import type { changed, created } from '../docs/openapi/marks.ts';
import type { JsonSchema } from '../docs/openapi/shapes.ts';
import type { Failure } from '../errors.ts';
import type { Letter } from '../models/letters.ts';
import type { ModelOptions } from '../models/options.ts';
import type { ParameterRow } from '../query/parameters.ts';
import type { HookName } from '../settings/config-file.ts';
import type { Answer } from './answer.ts';
import type { Fault } from './body-check.ts';

/** Who may use an operation that has a model in its path. `perOperation`: the function decides for each part by the same decision. */
export type ModelAccess = { readonly kind: 'letter'; readonly letter: Letter } | { readonly kind: 'perOperation' };

/** Who may use any other operation. `open` needs a reason, which the documentation prints. */
export type PlainAccess =
  | { readonly kind: 'signedIn' }
  | { readonly kind: 'admin' }
  | { readonly kind: 'selfOrAdmin'; readonly parameter: string }
  | {
      readonly kind: 'open';
      readonly reason: string;
      /** What is required instead of credentials. @throws 401, 403 */
      readonly guard?: (context: Context) => Promise<void> | void;
    };

export const letter = (of: Letter): ModelAccess => ({ kind: 'letter', letter: of });
export const perOperation: ModelAccess = { kind: 'perOperation' };
export const signedIn: PlainAccess = { kind: 'signedIn' };
export const admin: PlainAccess = { kind: 'admin' };
export const selfOrAdmin = (parameter: string): PlainAccess => ({ kind: 'selfOrAdmin', parameter });
export const open = (reason: string, guard?: (context: Context) => Promise<void> | void): PlainAccess => ({
  kind: 'open',
  reason,
  ...(guard === undefined ? {} : { guard }),
});

/** The body of a request. */
export interface Body {
  /** `created` and `changed` stand for documents of the model, which `write/body` checks. */
  readonly schema: JsonSchema | typeof created | typeof changed;
  readonly optional?: true;
  /** The failure for a body that does not fit the schema. Without it the operation checks the body itself. */
  readonly refuse?: (fault: Fault) => Failure;
}

export interface Input {
  /** The parameters that have a meaning for the operation. */
  readonly query?: readonly ParameterRow[];
  /** The names of the query string are the operation's own, and are not checked against the table of parameters. */
  readonly freeQuery?: true;
  readonly body?: Body;
  /** A revision that the caller knows: 304 for one who reads it, 412 for one who writes over another (RFC 9110, 13). */
  readonly condition?: 'If-None-Match' | 'If-Match';
}

/**
 * The bodies of successful answers by status; `none` for an answer without one. A text of another type than JSON has the keyword
 * `contentMediaType`.
 */
type Answers = Readonly<Record<number, JsonSchema | 'none'>>;

/** The options of a model that switch operations on. */
type Switch = keyof ModelOptions['advanced_queries'];

interface Row {
  /** Stable and unique: the `operationId` of OpenAPI, before the name of the model. */
  readonly name: `${string}.${string}`;
  readonly http: { readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'; readonly path: string };
  readonly summary: string;
  /** HEAD is safe (RFC 9110, 9.2.1), so that a GET that writes has none. */
  readonly effect: 'read' | 'write';
  /** The pre- and post-hook of the row. */
  readonly hook?: HookName;
  readonly input?: Input;
  readonly answers: Answers;
  /** It writes values that must be unique, or is refused for the state of something: 409. */
  readonly conflicts?: true;
  /** Further statuses of its failures. */
  readonly failures?: readonly number[];
  /** It works on many documents, and gets several times the time limit. */
  readonly many?: true;
  /** Load balancers and containers request it every few seconds: a successful answer is logged at debug, not at info. */
  readonly probe?: true;
  /** The credential that the operation verifies itself, because it works nowhere else. */
  readonly ownCredential?: MethodName;
}

export type ModelOperation = Row & {
  readonly access: ModelAccess;
  /** Models without this option refuse the operation. */
  readonly needs?: Switch;
  readonly run: (context: ModelContext) => Promise<Answer> | Answer;
};
export type PlainOperation = Row & {
  readonly access: PlainAccess;
  readonly needs?: undefined;
  readonly run: (context: Context) => Promise<Answer> | Answer;
};
export type Operation = ModelOperation | PlainOperation;

/** Whether an operation has a model in its path. */
export const isOfModel = (operation: Operation): operation is ModelOperation =>
  operation.access.kind === 'letter' || operation.access.kind === 'perOperation';

/** The body that a request over HTTP has: that of a GET has no meaning (RFC 9110, 9.3.1). */
export const bodyOverHttp = ({ http, input }: Operation): Body | undefined =>
  http.method === 'GET' ? undefined : input?.body;

/** Operations that the documentation lists together. */
export interface OperationGroup {
  readonly title: string;
  readonly operations: readonly Operation[];
  /** No cache may store the answers: they hold credentials. */
  readonly secret?: true;
}
