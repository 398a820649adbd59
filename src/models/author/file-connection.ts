/**
 * The connections of model files: `mongoose.connection`, and those that they make by `mongoose.createConnection()`. All stand for the server's, on
 * which their models are served. Files neither open nor close it.
 */
import type { Connection } from 'mongoose';
import { callBack, type LeftOutCalls } from './left-out-calls.ts';

/** Compiles a model for a database. */
type Compile = (name: string, schema: unknown, collection: string | undefined, database: string | undefined) => unknown;

export interface FileModels {
  /** Whether all files are loaded and their models served. */
  readonly isServed: () => boolean;
  readonly compile: Compile;
  readonly models: object;
  readonly plugin: (code: unknown, options?: unknown) => unknown;
  /** Frees the name of a model that is to be compiled, where options say so. */
  readonly overwrite: (name: string, schema: unknown, options: unknown) => void;
  readonly deleteModel: (name: string | RegExp) => void;
}

/**
 * The host and database of a connection string, without its credentials and options; undefined for what is none, such as an unset variable.
 * @param name of the database, in place of that of the string
 */
export function databaseOf(url: unknown, name?: unknown): string | undefined {
  const [, host, path = ''] = /^mongodb(?:\+srv)?:\/\/(?:[^?]*@)?([^/?]*)\/?([^?]*)/.exec(String(url)) ?? [];
  return host === undefined ? undefined : `${host}/${typeof name === 'string' ? name : path}`;
}

/**
 * A connection that a file makes. Its `useDb` is for models of the files, which are served; code that runs later gets the other database, such as that
 * of a tenant.
 * @param database undefined where the file does not name it
 */
export function fileConnection(server: Connection, files: FileModels, database: string | undefined): Connection {
  const useDb: Connection['useDb'] = (name, options) =>
    files.isServed()
      ? server.useDb(name, options)
      : fileConnection(server, files, databaseOf(`mongodb://${database ?? ''}`, name));
  return standIn(server, files, { database, own: { useDb } });
}

/**
 * What files have as `mongoose.connection`. The start names the calls that would open or close it, and those of `useDb`, which returns the other
 * database itself.
 */
export function defaultConnection(server: Connection, files: FileModels, calls: LeftOutCalls): Connection {
  const useDb: Connection['useDb'] = (name, options) => {
    if (!files.isServed()) calls.noteOther('mongoose.connection.useDb()');
    return server.useDb(name, options);
  };
  const note = (name: string): void => calls.note(`mongoose.connection.${name}()`);
  return standIn(server, files, { database: undefined, note, own: { useDb } });
}

interface Kind {
  readonly database: string | undefined;
  readonly own?: object;
  /** Receives the names of functions that the server does itself. */
  readonly note?: (name: string) => void;
}

/** The models of all files, from which they may delete. */
const modelsOn = (server: Connection, { models }: FileModels): object =>
  new Proxy(
    { ...server.models, ...models },
    {
      deleteProperty: (all, name) => Reflect.deleteProperty(models, name) && Reflect.deleteProperty(all, name),
    },
  );

/** A connection that has the models of all files, and neither opens nor closes. */
function standIn(server: Connection, files: FileModels, { database, own: more, note }: Kind): Connection {
  const leaveOut =
    (name: string, result: () => unknown) =>
    async (...given: readonly unknown[]): Promise<unknown> => {
      note?.(name);
      await callBack(given, result());
      return result();
    };
  const own: Readonly<Record<PropertyKey, unknown>> = {
    model: (name: string, schema?: unknown, collection?: string, options?: unknown) => {
      files.overwrite(name, schema, options);
      return files.compile(name, schema, collection, database);
    },
    deleteModel: (name: string | RegExp) => {
      files.deleteModel(name);
      return connection;
    },
    get models() {
      return modelsOn(server, files);
    },
    modelNames: () => Object.keys(modelsOn(server, files)),
    plugin: (code: unknown, options?: unknown) => {
      files.plugin(code, options);
      return connection;
    },
    close: leaveOut('close', () => undefined),
    destroy: leaveOut('destroy', () => undefined),
    openUri: leaveOut('openUri', () => connection),
    setClient: () => note?.('setClient'),
    asPromise: async () => connection,
    ...more,
  };
  const connection = new Proxy(server, {
    get: (target, key): unknown => (Object.hasOwn(own, key) ? own[key] : Reflect.get(target, key)),
  });
  return connection;
}

/** The events of an opening, in the order in which Mongoose sends them. */
const openingEvents = ['connected', 'open'] as const;
type Listener = (...given: unknown[]) => unknown;

/**
 * Notes which listeners a connection has for its opening, since it is open before the files are loaded.
 * @returns calls those that have been added since, in the order in which Mongoose sends the events; none on a connection that is not open. They
 * get the connection that the files have
 */
export function watchOpening(connection: Connection): (ofFiles: Connection) => void {
  const known = new Set(listenersOf(connection));
  return (ofFiles) => {
    // its state is not asked for: Mongoose calls a connection closed while files that load for long hold up its heartbeat
    if (connection.db === undefined) return;
    for (const listener of listenersOf(connection)) if (!known.has(listener)) listener.call(ofFiles);
  };
}

/** One that listens once removes itself when it is called. */
const listenersOf = (connection: Connection): readonly Listener[] =>
  openingEvents.flatMap((event) => connection.rawListeners(event) as Listener[]);
