/**
 * The connections that model files make by `mongoose.createConnection()`. None is opened: each stands for the server's, on which its models are
 * served.
 */
import type { Connection } from 'mongoose';
import { framesOf } from '../../stack.ts';

/** Compiles a model for a database. */
type Compile = (name: string, schema: unknown, collection: string | undefined, database: string | undefined) => unknown;

interface FileModels {
  readonly compile: Compile;
  readonly models: object;
  readonly plugin: (code: unknown, options?: unknown) => unknown;
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
 * A connection of a file. It is open, does not close, and has the models of all files. Packages compile models of their own on the server's,
 * which they use while the files are loaded.
 * @param database undefined where the file does not name it
 */
export function fileConnection(server: Connection, files: FileModels, database: string | undefined): Connection {
  const nothing = async (): Promise<void> => undefined;
  const itself = async (): Promise<Connection> => connection;
  const compileOnServer = server.model.bind(server) as (...given: unknown[]) => unknown;
  const own: Readonly<Record<PropertyKey, unknown>> = {
    model: (name: string, schema?: unknown, collection?: string) =>
      schema !== undefined && isCalledByPackage()
        ? compileOnServer(name, schema, collection)
        : files.compile(name, schema, collection, database),
    models: files.models,
    modelNames: () => Object.keys(files.models),
    plugin: (code: unknown, options?: unknown) => {
      files.plugin(code, options);
      return connection;
    },
    useDb: (name: string) => fileConnection(server, files, databaseOf(`mongodb://${database ?? ''}`, name)),
    ...{ close: nothing, destroy: nothing, openUri: itself, asPromise: itself },
  };
  const connection = new Proxy(server, {
    get: (target, key): unknown => (Object.hasOwn(own, key) ? own[key] : Reflect.get(target, key)),
  });
  return connection;
}

/** Whether the code that calls the server is that of a package. */
const isCalledByPackage = (): boolean =>
  framesOf(new Error('called')).find(({ owner }) => owner !== 'server')?.owner === 'package';
