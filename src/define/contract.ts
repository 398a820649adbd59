/** What an application defines besides its models: hooks, routes, and mails of its own. Any folder may import it. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Api, ProgramLog } from '../api/contract.ts';
import type { ModelEntry } from '../models/entry.ts';
import type { Letter } from '../models/letters.ts';
import type { Registry } from '../models/registry.ts';
import type { ValueSchema } from '../models/schemas/contract.ts';
import type { Log } from '../ports/log.ts';
import type { Settings } from '../settings/types.ts';

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may use a route: every caller, users, admins, a group and admins, or those who have a letter on a model. */
export type RouteAccess =
  'all' | 'user' | 'admin' | { readonly group: string } | { readonly model: string; readonly letter: Letter };

export type { StandardSchema } from '../models/schemas/contract.ts';

/** A JSON Schema, of 2020-12 unless its `$schema` names draft-07, or a Standard Schema. */
export type RouteSchema = ValueSchema;

/** The output of a schema: of a Standard Schema by its types, of a JSON Schema by its keywords; `Other` for anything else. */
type OutputOf<Schema, Other> = Schema extends { readonly '~standard': unknown }
  ? Schema extends { readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined } }
    ? Output
    : Other
  : Schema extends { readonly type: 'object'; readonly properties: object }
    ? ObjectOf<Schema>
    : Other;

/** The values of a JSON Schema, as far as `const`, `enum` and `type` say what they are. */
type ValueOf<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: readonly (infer Type)[] }
      ? TypeNamed<Type, Schema>
      : Schema extends { readonly type: infer Type }
        ? TypeNamed<Type, Schema>
        : unknown;

type TypeNamed<Type, Schema> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? readonly (Schema extends { readonly items: infer Items } ? ValueOf<Items> : unknown)[]
          : Type extends 'object'
            ? ObjectOf<Schema>
            : unknown;

/** Fields that are required or have a default are there; others of an open object are not named by its type. */
type ObjectOf<Schema> = Schema extends { readonly properties: infer Fields }
  ? { readonly [Name in PresentIn<Schema, Fields>]: ValueOf<Fields[Name]> } & {
      readonly [Name in Exclude<keyof Fields, PresentIn<Schema, Fields>>]?: ValueOf<Fields[Name]>;
    }
  : Readonly<Record<string, unknown>>;
type PresentIn<Schema, Fields> = keyof Fields &
  (
    | (Schema extends { readonly required: readonly (infer Name)[] } ? Name : never)
    | { [Name in keyof Fields]: Fields[Name] extends { readonly default: unknown } ? Name : never }[keyof Fields]
  );

type NamesIn<Path extends string> = Path extends `${infer Part}/${infer Rest}`
  ? NamesIn<Part> | NamesIn<Rest>
  : Path extends `:${infer Name}`
    ? Name
    : never;

/** The named parts of a path: texts, unless the schema says otherwise. A request has all of them. */
type ParamsOf<Path extends string, Schema> = Schema extends { readonly '~standard': unknown }
  ? OutputOf<Schema, Readonly<Record<string, unknown>>>
  : { readonly [Name in NamesIn<Path>]: ParamOf<Schema, Name> };
type ParamOf<Schema, Name> = Schema extends { readonly properties: infer Fields }
  ? Name extends keyof Fields
    ? ValueOf<Fields[Name]>
    : string
  : Schema extends object
    ? unknown
    : string;

/** Who sends a request, as routes and hooks see them. */
export interface RouteCaller {
  /** Undefined for a caller who has not signed in. */
  readonly user:
    | {
        readonly _id: string;
        readonly id: string;
        readonly email: string;
        readonly name?: string;
        readonly admin: boolean;
        readonly groups: readonly string[];
      }
    | undefined;
  readonly admin: boolean;
  readonly roles: readonly string[];
}

/** What a handler receives. */
export interface RouteInput<Params = unknown, Query = unknown, Body = unknown> {
  readonly caller: RouteCaller;
  /** The named parts of the path, decoded, as the schema leaves them; texts without a schema. */
  readonly params: Params;
  /** The query string without the credentials in it, as the schema leaves it. */
  readonly query: Query;
  /** Undefined for a request without a body. */
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  /** Acts as the caller (docs/api.md). */
  readonly api: Api;
  /** Writes lines with the id of the request and the route. */
  readonly log: ProgramLog;
  /** Aborted when the caller disconnects, and at the time limit. */
  readonly signal: AbortSignal;
}

/** A route. `Params`, `Query` and `Body` are the types of its schemas. */
export interface RouteDefinition<
  Path extends string = string,
  Params extends RouteSchema | undefined = RouteSchema | undefined,
  Query extends RouteSchema | undefined = RouteSchema | undefined,
  Body extends RouteSchema | undefined = RouteSchema | undefined,
> {
  readonly method: RouteMethod;
  /** Such as `/reports/:year`; `:name` stands for any part. */
  readonly path: Path;
  readonly access: RouteAccess;
  /** What it does, in the documentation. */
  readonly summary?: string;
  /** The schema of the named parts of the path, as an object. */
  readonly params?: Params;
  /** The schema of the query string, as an object. */
  readonly query?: Query;
  readonly body?: Body;
  /** The schema of the value that the handler returns, for descriptions; it is not checked. */
  readonly answer?: RouteSchema;
  /** A duration such as `30s`, at most `10m`; by default that of other requests. */
  readonly timeout?: string;
  /** @returns the data of the answer, or what `reply` returns */
  handler(
    input: RouteInput<
      ParamsOf<Path, Params>,
      OutputOf<Query, Readonly<Record<string, unknown>>>,
      OutputOf<Body, unknown>
    >,
  ): unknown;
}

/** What `defineRoute` returns: the default export of a file of routes, alone or in a list. */
export type Route = Omit<RouteDefinition, 'handler'> & {
  handler(input: RouteInput<never, never, never>): unknown;
};

/** The body of an answer that is no data: text, bytes, or a stream of either. */
export type ReplyBody = string | Uint8Array | Readable | ReadableStream | AsyncIterable<string | Uint8Array>;

export interface ReplyParts {
  /** From 200 to 599; 200 by default. */
  readonly status?: number;
  /** `Content-Type` is that of text for text, and of bytes for anything else, unless it is set. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: ReplyBody;
}

/** What the template of a mail receives (docs/authentication.md). */
export interface MailInput {
  /** Whom the mail is for, without password and keys. */
  readonly user: NonNullable<RouteCaller['user']>;
  /** The page that the mail leads to, with a JWT that is valid once; undefined for a notice. */
  readonly link: string | undefined;
  /** For how many seconds the link is valid. */
  readonly seconds: number | undefined;
  /** A language tag such as `de-AT`: of the field `locale` of the user, or of the request; undefined without either. */
  readonly locale: string | undefined;
  /** The webhook that was switched off, for `webhook_off`. */
  readonly webhook: { readonly id: string; readonly host: string } | undefined;
}

export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

/** Makes a mail of the application's own. @returns undefined for the built-in text */
export type MailTemplate = (input: MailInput) => MailText | undefined | Promise<MailText | undefined>;

/** The request as hooks see it in `req.dossier`. */
export interface HookContext {
  readonly principal: RouteCaller;
  /** Undefined where the path of the request has none. */
  readonly model?: Pick<ModelEntry, 'name' | 'collection' | 'options' | 'links'>;
  readonly params: Readonly<Record<string, string>>;
  readonly query: object;
  body: unknown;
  /** Joined with the caller's filters by AND. */
  filter: Record<string, unknown> | undefined;
  /**
   * Sets fields of the document that the request creates or changes as the application, which may write all of them. They replace what the
   * caller gives for these fields; later values replace earlier ones. For the pre-hooks of operations that write one document from a body.
   * @param values by the names of fields @throws TypeError elsewhere, and for other values
   */
  readonly set: (values: Readonly<Record<string, unknown>>) => void;
  /** Reads and writes documents as the caller (docs/api.md). */
  readonly api: Api;
  readonly services: { readonly settings: Settings; readonly registry: Registry; readonly log: Log };
}
