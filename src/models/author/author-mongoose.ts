/**
 * The `mongoose` of model files. It is Mongoose with its own list of plugins and of models, so that files concern neither the server's
 * own models nor those of another server in the same process. Its default connection is the server's.
 */
import mongoose, { type Connection, type Model, type Schema } from 'mongoose';
import { framesOf, textOf } from '../../adapters/stack.ts';
import { unopenedConnection } from '../connect.ts';
import { keepOpen } from '../keep-open.ts';
import { modelFileError } from '../loading/files.ts';
import type { UnservedModel } from '../loading/model-names.ts';
import { refusePropertyMethods } from '../options/shadowed-methods.ts';
import { preload } from '../preload.ts';
import { type CompiledModel, CompiledModels } from './compiled-models.ts';
import { databaseOf, defaultConnection, fileConnection, type FileModels, watchOpening } from './file-connection.ts';
import { type AnyModel, anyModel, handleOf, wholeSchema } from './handle.ts';
import { callBack, LeftOutCalls } from './left-out-calls.ts';
import { adaptOlderTypes } from './older-types.ts';

/** Options of `mongoose.set` that later versions do not have: what they turn on is so anyway. */
const formerOptions: ReadonlySet<unknown> = new Set([
  ...['useCreateIndex', 'useFindAndModify', 'useNewUrlParser', 'useUnifiedTopology', 'returnOriginal'],
]);

type ModelName = string | (new () => Model<unknown>);
/** What `mongoose.model()` takes. */
type Compiled = [name: ModelName, schema?: Schema | object | string, collection?: string, options?: unknown];

export class AuthorMongoose {
  /** What `require('mongoose')` returns in model files. */
  readonly module: typeof mongoose;
  readonly #connection: Connection;
  /** What files have as `mongoose.connection`. */
  readonly #ofFiles: Connection;
  /** The connection on which files compile models. It is never opened. */
  readonly #scratch = unopenedConnection();
  readonly #models = new CompiledModels();
  /** Whether a model takes the name of another one, as `mongoose.set('overwriteModels', true)` says. */
  #overwrites = false;
  /** Calls what the files have registered for the opening of the connection: it is open before they are loaded. */
  readonly callOpened: () => void;
  readonly #leftOut = new LeftOutCalls();
  readonly #plugins: unknown[] = [...(mongoose as unknown as Undeclared).plugins];
  readonly #builtInPlugins = this.#plugins.length;

  /** @param connection the server's */
  constructor(connection: Connection) {
    this.#connection = connection;
    keepOpen(connection, (call) => this.#leftOut.note(call));
    this.#ofFiles = defaultConnection(connection, this.#files, this.#leftOut);
    const callOpened = watchOpening(connection);
    this.callOpened = () => callOpened(this.#ofFiles);
    // a preload passes models between files itself
    this.module = preload() === undefined ? this.#facade() : mongoose;
  }

  /** The models that files have compiled, in their order. */
  get compiled(): readonly CompiledModel[] {
    return this.#models.all;
  }

  /** The models that files have compiled besides those that are served, by themselves or by their schemas. */
  unserved(
    served: readonly { readonly compiled?: CompiledModel | undefined; readonly schema: Schema }[],
  ): readonly UnservedModel[] {
    return this.#models.unserved(served);
  }

  /** The model that a file has got from here; for a discriminator the one that it belongs to. */
  compiledOf(value: unknown): CompiledModel | undefined {
    return this.#models.of(value);
  }

  /** Applies the plugins of `mongoose.plugin()` to a schema and to those nested in it. Those that it has are not applied again. */
  applyPlugins(schema: Schema): void {
    if (this.#plugins.length > this.#builtInPlugins) (this.module as unknown as Undeclared)._applyPlugins(schema);
  }

  /** Frees the names that served models of packages, and their discriminators, have on the server's connection. */
  release(served: readonly { readonly compiled?: CompiledModel | undefined }[]): void {
    for (const { compiled } of served) {
      const made = compiled?.current();
      if (made?.db !== this.#connection) continue;
      for (const name of [made.modelName, ...Object.keys(made.discriminators ?? {})])
        this.#connection.deleteModel(name);
    }
  }

  /**
   * Makes files' models stand for the served ones. Those that are not served are compiled on the server's connection.
   * @throws ModelFileError for one that cannot be compiled
   */
  async serve(served: ReadonlyMap<CompiledModel, AnyModel>): Promise<void> {
    this.#models.serve((one) => served.get(one) ?? this.#compileBeside(one));
    // Mongoose keeps all connections that are not destroyed
    await this.#scratch.destroy();
  }

  /** A model that is not served. @throws ModelFileError for a name that a served model has */
  #compileBeside({ name, collection, file, current }: CompiledModel): AnyModel {
    try {
      if (current().db === this.#connection) return current();
      adaptOlderTypes(current().schema);
      return anyModel(this.#connection.model(name, current().schema, collection));
    } catch (error) {
      throw modelFileError(file ?? name, error instanceof Error ? error.message : String(error), error);
    }
  }

  #compile(name: ModelName, schema?: Schema | object | string, collection?: string, database?: string): AnyModel {
    const named = nameOf(name);
    if (typeof schema === 'string' || schema === undefined) return this.#find(named);
    const frames = framesOf(new Error('compiled'));
    const frame = frames.find(({ owner }) => owner === 'project');
    const place = frame && textOf(frame);
    const same = this.#models.compiledBefore({ name: named, database, place, schema });
    if (same !== undefined) return same.model;
    const whole = wholeSchema(schema);
    this.applyPlugins(whole);
    refusePropertyMethods(whole);
    // packages use their own models while the files are loaded
    const isOfPackage = frames.find(({ owner }) => owner !== 'server')?.owner === 'package';
    const on = isOfPackage || this.#models.isServed ? this.#connection : this.#scratch;
    const made = anyModel(on.model(name as string, whole, collection));
    if (this.#models.isServed) {
      this.#models.addLate(made);
      return made;
    }
    this.#models.refuseShared(made, { name: named, database });
    const handle = handleOf(made, (kind) => this.#addKind(compiled, kind));
    const file = isOfPackage ? undefined : frame?.file;
    const compiled: CompiledModel = { ...handle, name: named, collection, database, file, place };
    this.#models.add(compiled);
    return handle.model;
  }

  #addKind(base: CompiledModel, name: string): AnyModel {
    const made = base.current().discriminators?.[name] as AnyModel;
    const handle = handleOf(made, () => {
      throw new Error(`${name} is a discriminator: only ${base.name} can have others`);
    });
    this.#models.addKind({ ...handle, name, base });
    return handle.model;
  }

  /** @throws Mongoose's error for a name that no model has yet */
  #find(name: string): AnyModel {
    return this.#models.handleNamed(name) ?? anyModel(this.#connection.model(name));
  }

  /** @throws Mongoose's error for a name that no model has */
  #delete(given: string | RegExp): void {
    if (typeof given === 'string') this.#find(given);
    this.#models.delete(given);
  }

  /** Frees the name of a model that is to be compiled, where options of the call or of Mongoose say so. */
  #overwrite(name: ModelName, schema: unknown, options: unknown): void {
    const { overwriteModels = this.#overwrites } = (options ?? {}) as { readonly overwriteModels?: unknown };
    if (overwriteModels === true && typeof schema === 'object') this.#models.free(nameOf(name));
  }

  #set(name: unknown, given: unknown): void {
    const all = typeof name === 'object' && name !== null ? name : { [String(name)]: given };
    for (const [key, value] of Object.entries(all)) {
      if (key === 'overwriteModels') this.#overwrites = value === true;
      else if (value !== undefined && !formerOptions.has(key)) Reflect.apply(mongoose.set, mongoose, [key, value]);
    }
  }

  /** A function that the server does in place of the files. It calls back, as earlier versions of Mongoose do. */
  async #leaveOut(name: string, ...given: readonly unknown[]): Promise<typeof mongoose> {
    this.#leftOut.note(`mongoose.${name}()`);
    await callBack(given, this.module);
    return this.module;
  }

  /** What connections of files have in common. */
  get #files(): FileModels {
    const plugin = (...plugged: readonly unknown[]): unknown => this.#plugins.push(plugged);
    const compile = this.#compile.bind(this) as FileModels['compile'];
    const models = this.#models;
    return {
      compile,
      models: models.models,
      plugin,
      isServed: () => models.isServed,
      overwrite: this.#overwrite.bind(this),
      deleteModel: this.#delete.bind(this),
    };
  }

  /** A connection that stands for the server's. */
  #createConnection(...given: readonly unknown[]): Connection {
    const [url, options] = given;
    const { dbName } = (typeof options === 'object' && options !== null ? options : {}) as {
      readonly dbName?: unknown;
    };
    const database = databaseOf(url, dbName);
    this.#leftOut.noteConnection('mongoose.createConnection()', database);
    const connection = fileConnection(this.#connection, this.#files, database);
    void callBack(given, connection);
    return connection;
  }

  /** What files call and the server does itself, with its place; a sentence for each kind. */
  get leftOutCalls(): readonly string[] {
    return this.#leftOut.sentences;
  }

  /** `new mongoose.Mongoose()`: it has plugins of its own, and the models and the connection of the folder. */
  #makeInstance(facade: typeof mongoose): typeof mongoose {
    this.#leftOut.noteConnection('new mongoose.Mongoose()');
    const plugins: unknown[] = this.#plugins.slice(0, this.#builtInPlugins);
    const compile = (...[name, schema, collection, options]: Compiled): AnyModel => {
      if (typeof schema === 'string' || schema === undefined) return this.#find(nameOf(name));
      this.#overwrite(name, schema, options);
      const whole = wholeSchema(schema);
      (instance as unknown as Undeclared)._applyPlugins(whole);
      return this.#compile(name, whole, collection);
    };
    const instance = Object.create(facade) as typeof mongoose;
    Object.assign(instance, {
      plugins,
      plugin: (...plugged: readonly unknown[]) => {
        plugins.push(plugged);
        return instance;
      },
      model: compile,
      connect: async (...given: readonly unknown[]) => {
        await this.#leaveOut('connect', ...given);
        return instance;
      },
    });
    return instance;
  }

  #modelFunctions(facade: () => typeof mongoose): object {
    return {
      model: (...[name, schema, collection, options]: Compiled) => {
        this.#overwrite(name, schema, options);
        return this.#compile(name, schema, collection);
      },
      deleteModel: (given: string | RegExp) => {
        this.#delete(given);
        return facade();
      },
      modelNames: () => Object.keys(this.#models.models),
    };
  }

  #facade(): typeof mongoose {
    const connection = this.#ofFiles;
    const makeInstance = this.#makeInstance.bind(this);
    const Mongoose = function (): typeof mongoose {
      return makeInstance(facade);
    };
    Object.defineProperty(Mongoose, 'prototype', { value: mongoose.Mongoose.prototype });
    const own = {
      Mongoose,
      ...this.#modelFunctions(() => facade),
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
      set: (name: unknown, value?: unknown) => {
        this.#set(name, value);
        return facade;
      },
      // as applications of Feathers have it
      get: (name: string) =>
        name === 'mongooseClient' ? facade : (Reflect.apply(mongoose.get, mongoose, [name]) as unknown),
    };
    const facade = Object.create(mongoose) as typeof mongoose;
    for (const [name, value] of Object.entries({ ...mongoose, ...own, default: facade, mongoose: facade }))
      Object.defineProperty(facade, name, { value, enumerable: true, configurable: true, writable: true });
    const all = this.#models;
    Object.defineProperty(facade, 'models', {
      get: () => all.models,
      set: (given: object) => void all.keepOnly(given),
      enumerable: true,
      configurable: true,
    });
    return facade;
  }
}

const nameOf = (name: ModelName): string => (typeof name === 'function' ? name.name : name);

/** The parts of Mongoose that it does not declare. */
interface Undeclared {
  readonly plugins: readonly unknown[];
  readonly _applyPlugins: (schema: Schema) => void;
}
