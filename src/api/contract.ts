/** The interface of `api`, by which programs inside of the server read and write documents (docs/api.md). Any folder may import it. */
import type { IncomingHttpHeaders } from 'node:http';
import type { AnyModels, ModelApi, NameIn, Sender } from 'dossier-client';
import type { ClientAddress } from '../auth/contract.ts';
import type { PendingEntries } from '../outbox/contract.ts';
import type { Principal } from '../policy/principal.ts';
import type { UnitOfWork, WriteProgress } from '../write/contract.ts';

declare const undeclared: unique symbol;

/**
 * The models of an application, for the types of `api`. The application declares them as `dossier types` writes them:
 * `declare module 'dossier' { interface Application { models: Models; system: SystemModels } }`.
 */
export interface Application {
  /** Never set: applications add `models`, and `system` for the rights of `api.as('system')`. */
  readonly [undeclared]?: never;
}

type ApplicationModels = Application extends { readonly models: infer Models } ? Models : AnyModels;

/** The models as the system sees them; without a declaration, as any caller does. */
type ModelsOfSystem<Models> = Application extends { readonly system: infer System } ? System : Models;

/** The statics of models, such as `film.recompute`; any text where the types of the system name none. */
type JobNameOf<Models> = { [Model in keyof Models & string]: StaticNameOf<Model, Models[Model]> }[keyof Models &
  string];
type StaticNameOf<Name extends string, Model> = Model extends { readonly statics: infer Static extends string }
  ? `${Name}.${Static}`
  : never;
type AnyNameWithout<Name extends string> = [Name] extends [never] ? string : Name;
type JobName = Application extends { readonly system: infer System } ? AnyNameWithout<JobNameOf<System>> : string;

/** Who an `api` acts as: a user with the rights that they have, or the system, which has all rights and is no user. */
export type Actor = 'system' | { readonly user: string };

/** Reads and writes documents with the rights, rules, limits, stamps, hooks and events of requests. */
export interface Api<Models = ApplicationModels> {
  /** The methods of a model, as `dossier-client` has them. They throw `DossierError`. */
  model<Name extends NameIn<Models>>(name: Name): ModelApi<Models, Name>;
  /**
   * Runs work whose writes are committed together, or not at all when it throws. Only the `api` that it receives belongs to it.
   * @param work runs again after a conflict with another transaction @throws DossierError 501 for a database without transactions
   */
  transaction<Result>(work: (api: Api<Models>) => Promise<Result>): Promise<Result>;
  /**
   * Writes a job in the unit of work of its caller: a static of a model, which runs after the commit as the one who asks, with
   * `(input, { user, api, log, signal, attempt })` (docs/jobs.md). Where there is no transaction, the unit is the run of the function,
   * hook, route, schedule or job that asks: the job is written when that succeeds.
   * @param name such as `film.recompute` @param input as JSON carries it @throws TypeError for a static or options that there are not
   */
  later(name: JobName, input?: unknown, options?: LaterOptions): Promise<void>;
  /**
   * Sends one message by the mail server of the settings: a job of the unit of work of its caller, as by `later`, which is tried again where the mail
   * server refuses it. What is rolled back is never sent.
   * @throws TypeError where no mail server is set, and for a message that is not valid
   */
  mail(message: MailMessage): Promise<void>;
  /** The same for another actor. @throws TypeError for anything else */
  as(actor: 'system'): Api<ModelsOfSystem<Models>>;
  as(actor: Actor): Api<Models>;
}

/** The log of the server, for code that runs without a request. Each line names what runs. */
export interface ProgramLog {
  debug(message: string, more?: object): void;
  info(message: string, more?: object): void;
  warn(message: string, more?: object): void;
  /** @param more an error, of which the stack is logged, or other values */
  error(message: string, more?: object): void;
}

/** A message for one address, or for a few, who see each other's. */
export interface MailMessage {
  /** Such as `ann@example.com`, without a name; at most 20. */
  readonly to: string | readonly string[];
  /** One line. */
  readonly subject: string;
  readonly text: string;
  /** The same as HTML, in which all values are escaped by the one who writes it. */
  readonly html?: string;
}

/** When a job runs, and how often. */
export interface LaterOptions {
  /** After which duration, such as `5m`; at once by default. */
  readonly in?: string;
  /** From when on, in place of `in`: a time, as a text in ISO 8601. */
  readonly at?: Date | string;
  /** While a job of the function with this key waits, another one is not added. */
  readonly key?: string;
  /** How often it is tried again after it has failed; 3 by default. */
  readonly retries?: number;
}

/** What a job does: it calls a function, such as `film.recompute`, or sends a message. */
export type JobWork =
  { readonly name: string; readonly input: unknown; readonly options: LaterOptions } | { readonly mail: MailMessage };

/** A job, and on whose behalf it is asked for. */
export type JobRequest = JobWork & {
  readonly principal: Principal;
  readonly requestId: string | undefined;
};

/** What an `api` takes over from the request that it is used in. */
export interface ApiRequest extends ClientAddress {
  readonly principal: Principal;
  /** Which hooks may read; by default there are none. */
  readonly headers?: IncomingHttpHeaders;
  readonly unit?: UnitOfWork | undefined;
  /** Which writes it has sent; undefined for what has no time limit. */
  readonly progress?: WriteProgress | undefined;
  /** What a run without a unit adds to the outbox; without it, entries are written at once. */
  readonly pending?: PendingEntries | undefined;
  /** The id of the request in the log. */
  readonly requestId?: string | undefined;
  /** How many calls of `api` enclose it. */
  readonly depth?: number | undefined;
  /** Aborted when its caller disconnects. */
  readonly signal: AbortSignal;
}

/** Makes the `api` of each place that has one. */
export interface Apis {
  /** Acts as the caller of a request, and in its unit of work. */
  of(request: ApiRequest): Api;
  /** Sends the requests that a message of another protocol stands for. Nothing of a request encloses them, so they wait as others do. */
  sender(message: ApiRequest): Sender;
  /** Acts as a caller who has not signed in. */
  readonly anonymous: Api;
  /** Acts as the operator of the server. @param address in the audit log */
  operator(address: string): Api;
}
