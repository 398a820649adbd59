/**
 * The changes that a preload (`node --import`) makes to servers that start later in the same process. A preload cannot pass
 * arguments to the server, so it stores this object under a symbol of the global object.
 */

/** A served model, as a preload sees it. */
export interface PreloadedModel {
  /** The name of its file. */
  readonly name: string;
  /** The name under which its file compiled it with Mongoose, if it did. */
  readonly compiledAs: string | undefined;
  /** The Mongoose model on the server's connection. */
  readonly model: object;
}

export interface Preload {
  /** The modules that model files receive for these names, even if others are installed. */
  readonly modules: Readonly<Record<string, unknown>>;
  /** The collection in which the groups of users are, which have not been moved to the users yet. */
  readonly groups: string;
  /** Receives the models of a server before it listens. */
  readonly serve: (models: readonly PreloadedModel[]) => void;
  /** The query parameters as the server reads them. */
  readonly parameters: <T extends object>(query: T) => T;
  /** The value that a function of `/call` receives as the body. */
  readonly callBody: (body: unknown, user: object | undefined) => unknown;
  /** Runs the work of a request, so that code of models can look up the caller. */
  readonly asCaller: <T>(user: object | undefined, work: () => T) => T;
  /** The options of a model file's schema as the server reads them. */
  readonly options: (options: Readonly<Record<string, unknown>>, file: string) => Readonly<Record<string, unknown>>;
  /** Sentences for the log of a start, about what `options` has changed. */
  readonly warnings: () => readonly string[];
  /** The faults of an environment, which stop the start. */
  readonly variableFaults: (environment: Readonly<Record<string, string | undefined>>) => readonly string[];
  /** The values of a body as the server reads them. */
  readonly values: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Whether the message of an error of save middleware is meant for the caller, as a 400. */
  readonly refusesSave: (error: unknown) => boolean;
  /** Whether the message of an error that code of models throws is meant for the caller. */
  readonly isForCaller: (error: object) => boolean;
}

const key = Symbol.for('dossier.preload');
type Holder = { [key]?: Preload };

/** The preload of this process; undefined without one. */
export const preload = (): Preload | undefined => (globalThis as Holder)[key];

export const setPreload = (given: Preload): void => void ((globalThis as Holder)[key] = given);
