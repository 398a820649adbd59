/**
 * The row that describes an operation. Transports, body checks, OpenAPI and the pages read it; nothing else describes an
 * endpoint.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { MethodName } from '../auth/credentials/methods.ts';
import type { Context, ModelContext } from '../context.ts';
import type { changeMark, JsonSchema, newDocumentMark } from '../docs/openapi/shapes.ts';
import type { ModelEntry } from '../models/entry.ts';
import type { Letter } from '../models/letters.ts';
import type { ModelOptions } from '../models/options/options.ts';
import type { Scopes } from '../policy/scopes.ts';
import type { ParameterRow } from '../query/parameter-table.ts';
import type { ReadExplanation } from '../read/explain.ts';
import type { Services } from '../services.ts';
import type { HookName } from '../settings/config-file.ts';
import type { Settings } from '../settings/types.ts';
import type { Answer } from './answer.ts';
import type { BodyRules } from './body-check.ts';

/**
 * Who may use an operation that has a model in its path. `perOperation`: the function checks the right for each part of the
 * request.
 */
export type ModelAccess =
  | { readonly kind: 'letter'; readonly letter: Letter }
  | {
      readonly kind: 'perOperation';
      /** The caller must have one of these letters; without it, any right on the model. */
      readonly letters?: readonly Letter[];
    };

/** Who may use any other operation. `open` needs a reason, which the documentation prints. */
export type PlainAccess =
  | { readonly kind: 'signedIn' }
  | { readonly kind: 'admin' }
  | { readonly kind: 'selfOrAdmin'; readonly parameter: string }
  | { readonly kind: 'group'; readonly group: string }
  /** The letter on a model that the path does not name. */
  | { readonly kind: 'right'; readonly model: ModelEntry; readonly letter: Letter }
  | {
      readonly kind: 'open';
      readonly reason: string;
      /** The requirement that replaces credentials. @throws 401, 403 */
      readonly guard?: (context: Context) => Promise<void> | void;
      /** Whether only admins find it in the description, since it is open to others for a while only. */
      readonly isForAdmins?: boolean;
    };

export const letter = (of: Letter): ModelAccess => ({ kind: 'letter', letter: of });
export const perOperation: ModelAccess = { kind: 'perOperation' };
export const signedInAccess: PlainAccess = { kind: 'signedIn' };
export const adminAccess: PlainAccess = { kind: 'admin' };
export const selfOrAdmin = (parameter: string): PlainAccess => ({ kind: 'selfOrAdmin', parameter });
export const openAccess = (reason: string, guard?: (context: Context) => Promise<void> | void): PlainAccess => ({
  kind: 'open',
  reason,
  ...(guard === undefined ? {} : { guard }),
});

/** The body of a request. */
export interface Body extends BodyRules {
  /** `created` and `changed` mean documents of the model, which `write/rules/body.ts` checks. */
  readonly schema: JsonSchema | typeof newDocumentMark | typeof changeMark;
  /** The schemas of bodies of other media types than JSON, by type. */
  readonly types?: Readonly<Record<string, JsonSchema>>;
}

export interface Input {
  /** The parameters that the operation uses. */
  readonly query?: readonly ParameterRow[];
  /** The operation defines its own parameters, which are not checked against the table of parameters. */
  readonly freeQuery?: true;
  /** The schemas of the named parts of the path and of the query string, as objects, which the operation checks itself. */
  readonly own?: { readonly params?: JsonSchema | undefined; readonly query?: JsonSchema | undefined };
  readonly body?: Body;
  /** The header with a revision that the caller has: a read of it is a 304, a write over another one a 412 (RFC 9110, 13). */
  readonly condition?: 'If-None-Match' | 'If-Match';
}

/**
 * The bodies of successful answers by status, and of failures that are no envelopes; `none` for an answer without a body, `any` for one with
 * a body of any type. A text of a type other than JSON has the
 * keyword `contentMediaType`.
 */
type Answers = Readonly<Record<number, JsonSchema | 'none' | 'any'>>;

/** The model options that enable operations. */
type ModelSwitch = keyof ModelOptions['advanced_queries'];

/** Whether a body has an email besides what the user signs in with. */
export type EmailBeside = 'none' | 'optional' | 'required';

interface OperationDefinition {
  /** Stable and unique: the `operationId` of OpenAPI, before the name of the model. */
  readonly name: `${string}.${string}`;
  readonly http: { readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; readonly path: string };
  readonly summary: string;
  /** Where it is not that of the method: a GET reads, others write. HEAD is safe (RFC 9110, 9.2.1), so a GET that writes has no HEAD. */
  readonly effect?: 'read' | 'write';
  /** The pre- and post-hook of the row. */
  readonly hook?: HookName;
  readonly input?: Input;
  readonly answers: Answers;
  /** May fail with a 409: it writes unique values, or depends on a state. */
  readonly conflicts?: true;
  /** Further statuses with which it fails. */
  readonly failures?: readonly number[];
  /** Works on many documents and gets several times the time limit. */
  readonly isMultiStep?: true;
  /** Its time limit in milliseconds, in place of that of other requests. */
  readonly timeoutMs?: number | undefined;
  /** Takes an `Idempotency-Key`, as writes of documents do. */
  readonly takesKey?: true;
  /** Carries out many writes: a few requests of one caller run at a time. */
  readonly isBulk?: true;
  /** Its work waits for others of its caller. */
  readonly hasOwnQueue?: true;
  /** What answers `explain=true`, in place of `run`. */
  readonly explain?: (context: ModelContext) => Promise<ReadExplanation>;
  /** It calls a function that its path names: of a model, or on a document. */
  readonly callsOn?: 'model' | 'document';
  /** It writes one document, and may be an operation of a batch. */
  readonly writesDocument?: true;
  /** The operations that a request of it consists of. */
  readonly parts?: readonly Operation[];
  /** Of an operation without a model: its first write is one that the time limit ends (`write/progress.ts`), so that its 503 says whether anything is written. */
  readonly tracksProgress?: true;
  /** It runs code of models, which writes outside of any unit of work. */
  readonly runsModelCode?: true;
  /** Whether a request is one unit of work, all or nothing. @param mustBeUnit whether something else is written with its writes */
  readonly isUnit?: (context: Context, mustBeUnit: boolean) => boolean;
  /** A health check, requested every few seconds: a successful answer is logged at debug instead of info. */
  readonly probe?: true;
  /** Whether the throttle leaves a request out, such as one with a token of the server's own. Callers without an account make it. */
  readonly isUncounted?: (settings: Settings, headers: IncomingHttpHeaders) => boolean;
  /** Reads any number of documents: it has places of its own where the server is busy, because its answers are large. */
  readonly readsMany?: true;
  /** Signs in or out: it has places of its own where the server is busy, because its callers have no credential yet. */
  readonly signsIn?: true;
  /** Its body has what a user signs in with, as `email`. @returns what becomes of that where `LOGIN_FIELD` is another field */
  readonly namesUser?: (settings: Settings) => EmailBeside;
  /** Signs in or out, or sets up a second factor, so that admins can do it before they have a required one. */
  readonly worksWithoutFactor?: true;
  /** Opens a stream, which lasts: for credentials that open nothing else. */
  readonly opensStream?: true;
  /** Whether the settings switch the operation on; without it, it is always on. */
  readonly isOn?: (settings: Settings) => boolean;
  /** The credential that the operation verifies itself, because no other operation accepts it. */
  readonly ownCredential?: MethodName;
  /** Whether keys are accepted as `Authorization: Bearer`, because its clients send no other header. */
  readonly keysAsBearer?: true;
  /** A further parameter of the challenge in its 401s (RFC 9110, 11.2). */
  readonly challenge?: (services: Services) => string;
}

export type ModelOperation = OperationDefinition & {
  readonly access: ModelAccess;
  readonly requiredOption?: ModelSwitch;
  /** Whether a model has the operation; for others it is a 404. Without it, all models have it. */
  readonly hasModel?: (model: ModelEntry) => boolean;
  readonly run: (context: ModelContext) => Promise<Answer> | Answer;
};
export type PlainOperation = OperationDefinition & {
  readonly access: PlainAccess;
  readonly requiredOption?: undefined;
  /** A key with scopes may use it: it shows or does nothing beyond the rights on models, and signs no caller in. */
  readonly openToScopes?: true;
  /** The scope that opens it to a key, such as `GET /reports/:year`. */
  readonly scope?: string;
  readonly run: (context: Context) => Promise<Answer> | Answer;
};
export type Operation = ModelOperation | PlainOperation;

export const isWrite = ({ effect, http }: Pick<Operation, 'effect' | 'http'>): boolean =>
  effect === undefined ? http.method !== 'GET' : effect === 'write';

/** Whether the path of an operation contains a model. */
export const isOfModel = (operation: Operation): operation is ModelOperation =>
  operation.access.kind === 'letter' || operation.access.kind === 'perOperation';

/** Whether admins may use an operation who lack a second factor that `MFA_REQUIRED` requires. */
export const needsNoFactor = ({ worksWithoutFactor, probe }: Operation): boolean =>
  worksWithoutFactor === true || probe === true;

/** Whether a key with scopes may not use an operation: scopes give rights on models, and open operations that have a scope. */
export const isClosedToScopes = ({ openToScopes, scope }: PlainOperation, scopes?: Scopes): boolean =>
  openToScopes !== true && (scope === undefined || scopes?.has(scope) !== true);

/** The body of a request over HTTP; the body of a GET has no meaning (RFC 9110, 9.3.1). */
export const bodyOverHttp = ({ http, input }: Operation): Body | undefined =>
  http.method === 'GET' ? undefined : input?.body;

/** Operations that the documentation lists together. */
export interface OperationGroup {
  readonly title: string;
  readonly operations: readonly Operation[];
  /**
   * For a group of a feature: the title of the group that it follows in the documentation, or the name of an operation, whose
   * group it is then a part of; without it, it comes last.
   */
  readonly after?: string;
  /** It describes the others, and is not described itself. */
  readonly isDescription?: true;
  /** Caches must not store the answers, because they contain credentials. */
  readonly secret?: true;
}

/** Whether a group is in descriptions of a server. */
export const isDescribed = ({ isDescription }: OperationGroup): boolean => isDescription !== true;
