/** The interface of `api`, by which programs inside of the server read and write documents (docs/api.md). Any folder may import it. */
import type { AnyModels, ModelApi, NameIn } from 'dossier-client';
import type { Context } from '../context.ts';

/**
 * The models of an application, for the types of `api`. The application declares them as `dossier types` writes them:
 * `declare module 'dossier' { interface Application { models: Models } }`.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- applications add the member
export interface Application {}

export type ApplicationModels = Application extends { readonly models: infer Models } ? Models : AnyModels;

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
  /** The same for another actor. @throws TypeError for anything else */
  as(actor: Actor): Api<Models>;
}

/** Makes the `api` of each place that has one. */
export interface Apis {
  /** Acts as the caller of a request, and in its unit of work. */
  of(context: Context): Api;
  /** Acts as a caller who has not signed in. */
  readonly anonymous: Api;
  /** Acts as the operator of the server. @param address in the audit log */
  operator(address: string): Api;
}
