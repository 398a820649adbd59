/**
 * The `mongoose` of model files. It is Mongoose with its own list of plugins and of models, so that files concern neither the server's
 * own models nor those of another server in the same process. Its default connection is the server's.
 */
import { relative } from 'node:path';
import mongoose, { type Connection, type Model, type Schema } from 'mongoose';
import { preload } from '../../preload.ts';
import { framesOf, textOf } from '../../stack.ts';
import { unopenedConnection } from '../connect.ts';
import { modelFileError } from '../loading/files.ts';
import type { UnservedModel } from '../loading/model-names.ts';
import { databaseOf, fileConnection } from './file-connection.ts';
import { type AnyModel, anyModel, type Handle, handleOf } from './handle.ts';
import { adaptOlderTypes } from './older-types.ts';

/** The events of an opening, in the order in which Mongoose sends them, and its number for an open connection. */
const [openingEvents, openState] = [['connected', 'open'] as const, 1];
type Listener = (...given: unknown[]) => unknown;

/**
 * Notes which listeners a connection has for its opening, since it is open before the files are loaded.
 * @returns calls those that have been added since, in the order in which Mongoose sends the events; none on a connection that is not open
 */
function watchOpening(connection: Connection): () => void {
  const known = new Set(listenersOf(connection));
  return () => {
    if (Number(connection.readyState) !== openState) return;
    for (const listener of listenersOf(connection)) if (!known.has(listener)) listener.call(connection);
  };
}

/** One that listens once removes itself when it is called. */
const listenersOf = (connection: Connection): readonly Listener[] =>
  openingEvents.flatMap((event) => connection.rawListeners(event) as Listener[]);

/** Options of `mongoose.set` that later versions do not have: what they turn on is so anyway. */
const formerOptions: ReadonlySet<unknown> = new Set([
  ...['useCreateIndex', 'useFindAndModify', 'useNewUrlParser', 'useUnifiedTopology', 'returnOriginal'],
]);

/** A model that a file has compiled. */
export interface CompiledModel extends Handle {
  readonly name: string;
  readonly collection: string | undefined;
  /** The database that the files name for it; undefined for that of Mongoose's default connection. */
  readonly database: string | undefined;
  /** The file that compiles it, and the line; undefined if a package does. */
  readonly file: string | undefined;
  readonly place: string | undefined;
}

/** A discriminator that a file has added to a compiled model. */
interface CompiledKind extends Handle {
  readonly name: string;
  readonly base: CompiledModel;
}

type ModelName = string | (new () => Model<unknown>);

export class AuthorMongoose {
  /** What `require('mongoose')` returns in model files. */
  readonly module: typeof mongoose;
  readonly #connection: Connection;
  /** The connection on which files compile models. It is never opened. */
  readonly #scratch = unopenedConnection();
  readonly #compiled = new Map<string, CompiledModel>();
  readonly #kinds = new Map<string, CompiledKind>();
  /** Calls what the files have registered for the opening of the connection: it is open before they are loaded. */
  readonly callOpened: () => void;
  readonly #models: Record<string, AnyModel> = {};
  readonly #leftOut = new Set<string>();
  /** The calls of `createConnection`, with their places, and the databases that they name. */
  readonly #connections = new Map<string, string | undefined>();
  readonly #plugins: unknown[] = [...(mongoose as unknown as Undeclared).plugins];
  readonly #builtInPlugins = this.#plugins.length;

  /** @param connection the server's */
  constructor(connection: Connection) {
    this.#connection = connection;
    this.callOpened = watchOpening(connection);
    // a preload passes models between files itself
    this.module = preload() === undefined ? this.#facade() : mongoose;
  }

  /** The models that files have compiled, in their order. */
  get compiled(): readonly CompiledModel[] {
    return [...this.#compiled.values()];
  }

  /** The models that files have compiled besides those that are served, by themselves or by their schemas. */
  unserved(
    served: readonly { readonly compiled?: CompiledModel | undefined; readonly schema: Schema }[],
  ): readonly UnservedModel[] {
    return this.compiled
      .filter((one) => !served.some(({ compiled, schema }) => compiled === one || schema === one.current().schema))
      .map(({ name, file, current }) => ({ name, file, kinds: Object.keys(current().discriminators ?? {}) }));
  }

  /** The model that a file has got from here; for a discriminator the one that it belongs to. */
  compiledOf(value: unknown): CompiledModel | undefined {
    return (
      this.compiled.find(({ model }) => model === value) ??
      [...this.#kinds.values()].find(({ model }) => model === value)?.base
    );
  }

  /** Applies the plugins of `mongoose.plugin()` to a schema and to those nested in it. Those that it has are not applied again. */
  applyPlugins(schema: Schema): void {
    if (this.#plugins.length > this.#builtInPlugins) (this.module as unknown as Undeclared)._applyPlugins(schema);
  }

  /**
   * Makes files' models stand for the served ones. Those that are not served are compiled on the server's connection.
   * @throws ModelFileError for one that cannot be compiled
   */
  async serve(served: ReadonlyMap<CompiledModel, AnyModel>): Promise<void> {
    for (const one of this.compiled) one.standFor(served.get(one) ?? this.#compileBeside(one));
    for (const { name, base, standFor } of this.#kinds.values()) {
      const kind = base.current().discriminators?.[name];
      if (kind !== undefined) standFor(kind as AnyModel);
    }
    // Mongoose keeps all connections that are not destroyed
    await this.#scratch.destroy();
  }

  /** A model that is not served. @throws ModelFileError for a name that a served model has */
  #compileBeside({ name, collection, file, current }: CompiledModel): AnyModel {
    try {
      adaptOlderTypes(current().schema);
      return anyModel(this.#connection.model(name, current().schema, collection));
    } catch (error) {
      throw modelFileError(file ?? name, error instanceof Error ? error.message : String(error), error);
    }
  }

  #compile(name: ModelName, schema?: Schema | object | string, collection?: string, database?: string): AnyModel {
    const named = typeof name === 'function' ? name.name : name;
    if (typeof schema === 'string' || schema === undefined) return this.#find(named);
    const frame = framesOf(new Error('compiled')).find(({ owner }) => owner === 'project');
    const place = frame && textOf(frame);
    const other = this.#compiled.get(named);
    if (other !== undefined) {
      if (other.database !== database) throw ofTwoDatabases(other, { name: named, database });
      // a function that two files call compiles its model twice
      if (other.current().schema === schema || (place !== undefined && other.place === place)) return other.model;
      throw new mongoose.Error.OverwriteModelError(named);
    }
    const whole = schema instanceof mongoose.Schema ? schema : new mongoose.Schema(schema);
    this.applyPlugins(whole);
    const made = anyModel(this.#scratch.model(name as string, whole, collection));
    this.#refuseShared(made, named, database);
    const handle = handleOf(made, (kind) => this.#addKind(compiled, kind));
    const compiled: CompiledModel = { ...handle, name: named, collection, database, file: frame?.file, place };
    this.#compiled.set(named, compiled);
    this.#models[named] = handle.model;
    return handle.model;
  }

  /** @throws Error for a collection that files have in several databases, whose documents one database would mix */
  #refuseShared({ collection }: AnyModel, name: string, database: string | undefined): void {
    const other = this.compiled.find(
      (one) => one.database !== database && one.current().collection.name === collection.name,
    );
    if (other !== undefined) throw ofTwoDatabases(other, { name, database });
  }

  #addKind(base: CompiledModel, name: string): AnyModel {
    const made = base.current().discriminators?.[name] as AnyModel;
    const handle = handleOf(made, () => {
      throw new Error(`${name} is a discriminator: only ${base.name} can have others`);
    });
    this.#kinds.set(name, { ...handle, name, base });
    this.#models[name] = handle.model;
    return handle.model;
  }

  /** @throws Mongoose's error for a name that no model has yet */
  #find(name: string): AnyModel {
    const exact = this.#models[name];
    if (exact !== undefined && Object.hasOwn(this.#models, name)) return exact;
    return anyModel(this.#connection.model(name));
  }

  /** A function that the server does in place of the files. It calls back, as earlier versions of Mongoose do. */
  async #leaveOut(name: string, ...given: readonly unknown[]): Promise<typeof mongoose> {
    this.#leftOut.add(callOf(name));
    await callBack(given, this.module);
    return this.module;
  }

  /** A connection that stands for the server's. */
  #createConnection(...given: readonly unknown[]): Connection {
    const [url, options] = given;
    const { dbName } = (typeof options === 'object' && options !== null ? options : {}) as {
      readonly dbName?: unknown;
    };
    const database = databaseOf(url, dbName);
    this.#connections.set(callOf('createConnection'), database);
    const compile = this.#compile.bind(this) as Parameters<typeof fileConnection>[1]['compile'];
    const plugin = (...plugged: readonly unknown[]): unknown => this.#plugins.push(plugged);
    const connection = fileConnection(this.#connection, { compile, models: this.#models, plugin }, database);
    void callBack(given, connection);
    return connection;
  }

  /** What files call and the server does itself, with its place; a sentence, or none. */
  get leftOutCalls(): readonly string[] {
    const calls = [...this.#leftOut].join(', ');
    const connections = [...this.#connections.keys()].join(', ');
    const databases = new Set(this.#connections.values());
    const all = databases.size > 1 ? ` of ${[...databases].join(', ')}` : '';
    return [
      ...(calls === ''
        ? []
        : [
            `${calls} has no effect: the server opens and closes the connection itself, and MONGODB_URL names the database`,
          ]),
      ...(connections === ''
        ? []
        : [
            `${connections} opens no connection: the models${all} are served on the server's, and MONGODB_URL names the database`,
          ]),
    ];
  }

  #facade(): typeof mongoose {
    const connection = this.#connection;
    const own = {
      model: this.#compile.bind(this),
      models: this.#models,
      modelNames: () => Object.keys(this.#models),
      plugins: this.#plugins,
      plugin: (fn: unknown, options?: unknown) => {
        this.#plugins.push([fn, options]);
        return facade;
      },
      connection,
      connections: [connection],
      startSession: connection.startSession.bind(connection),
      connect: this.#leaveOut.bind(this, 'connect'),
      disconnect: this.#leaveOut.bind(this, 'disconnect'),
      createConnection: this.#createConnection.bind(this),
      set: (name: unknown, ...others: unknown[]) => {
        if (!formerOptions.has(name)) Reflect.apply(mongoose.set, mongoose, [name, ...others]);
        return facade;
      },
      // as applications of Feathers have it
      get: (name: string) =>
        name === 'mongooseClient' ? facade : (Reflect.apply(mongoose.get, mongoose, [name]) as unknown),
    };
    const facade = Object.create(mongoose) as typeof mongoose;
    for (const [name, value] of Object.entries({ ...mongoose, ...own, default: facade, mongoose: facade }))
      Object.defineProperty(facade, name, { value, enumerable: true, configurable: true, writable: true });
    return facade;
  }
}

/** A call of a function of Mongoose, with its place. */
function callOf(name: string): string {
  const frame = framesOf(new Error('called')).find(({ owner }) => owner === 'project');
  return `mongoose.${name}() ${frame === undefined ? 'of a package' : `in ${relative('.', frame.file)}:${frame.line}`}`;
}

/** Calls a callback that is the last argument. */
async function callBack(given: readonly unknown[], result: unknown): Promise<void> {
  await Promise.resolve();
  const callback = given.at(-1);
  if (typeof callback === 'function') Reflect.apply(callback, undefined, [null, result]);
}

type InDatabase = Pick<CompiledModel, 'name' | 'database'>;

function ofTwoDatabases(one: CompiledModel, other: InDatabase): Error {
  const [first, second] = [one, other].map(
    ({ name, database }) => `${name} of ${database ?? 'the default connection'}`,
  );
  const place = one.place === undefined ? '' : ` (${one.place})`;
  return new Error(
    `${first}${place} and ${second} are in two databases, and the server has one, in which their documents would be mixed: compile one of them under another name, with a collection of its own`,
  );
}

/** The parts of Mongoose that it does not declare. */
interface Undeclared {
  readonly plugins: readonly unknown[];
  readonly _applyPlugins: (schema: Schema) => void;
}
