/**
 * What a preload (`node --import`) changes in servers that start after it in the same process. The preload cannot reach the server by
 * an argument, so it leaves this object at a symbol of the global object.
 */

/** A model that is served, as a preload sees it. */
export interface PreloadedModel {
  /** The name of its file. */
  readonly name: string;
  /** The name under which its file compiled it with Mongoose, if it did. */
  readonly compiledAs: string | undefined;
  /** The Mongoose model on the server's connection. */
  readonly model: object;
}

export interface Preload {
  /** What model files get when they require these names, whatever is installed. */
  readonly modules: Readonly<Record<string, unknown>>;
  /** Is called with the models of a server before it listens. */
  readonly serve: (models: readonly PreloadedModel[]) => void;
  /** The query parameters as the server reads them. */
  readonly parameters: <T extends object>(query: T) => T;
  /** What a function behind `/call` gets in place of the body. */
  readonly callBody: (body: unknown, user: object | undefined) => unknown;
  /** Runs the work of a request, so that code of models can find out who the caller is. */
  readonly asCaller: <T>(user: object | undefined, work: () => T) => T;
  /** Whether the message of an error that code of models throws is meant for the caller. */
  readonly isForCaller: (error: object) => boolean;
}

const key = Symbol.for('dossier.preload');
type Holder = { [key]?: Preload };

/** The preload of this process; undefined without one. */
export const preload = (): Preload | undefined => (globalThis as Holder)[key];

export const setPreload = (given: Preload): void => void ((globalThis as Holder)[key] = given);
