/** The models of a folder as Mongoose itself compiles them, on a database of their own. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import mongoose from 'mongoose';
import { factoryOf, readExports } from '../../../src/models/author/exported.ts';
import { fileLoader } from '../../../src/models/author/file-loader.ts';
import { isCodeFile, modelNameOf } from '../../../src/models/loading/files.ts';

export type PlainModels = Readonly<Record<string, mongoose.Model<any>>>;

/** @returns the models by the names under which the application compiles them; schemas have the names of their files */
export async function plainModels(folder: string, connection: mongoose.Connection): Promise<PlainModels> {
  const plain = ownMongoose(connection);
  const load = fileLoader({ dossier: {}, 'dossier/core': {} }, plain);
  const files = await readdir(folder, { withFileTypes: true, recursive: true });
  // an application requires its files in the order of their needs
  const waiting = files
    .filter((entry) => entry.isFile() && isCodeFile(entry.name) && !/\/_/.test(entry.parentPath))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  for (let tries = waiting.length * 2; waiting.length > 0 && tries > 0; tries--) {
    const file = waiting.shift() as string;
    const exported = await load(file).catch((error: unknown) => {
      if (!(error instanceof mongoose.Error.MissingSchemaError)) throw error;
      waiting.push(file);
    });
    compileRest(plain, modelNameOf(basename(file)), exported);
  }
  const models = { ...connection.models, ...plain.models };
  // the embedded store has no geospatial indexes
  for (const model of Object.values(models)) await model.createIndexes().catch(ifNotSupported);
  return models as PlainModels;
}

function ifNotSupported(error: unknown): void {
  if (!/'2dsphere' is not supported/.test(String(error))) throw error;
}

/** Compiles what a file exports without doing so: the model of a function, or a schema. */
function compileRest(plain: typeof mongoose, name: string, exported: unknown): void {
  const made = plain.models[name] === undefined ? (factoryOf(exported)?.(plain) ?? exported) : exported;
  const { schemas } = readExports(made);
  if (schemas.length === 1) for (const { schema } of schemas) if (!isCompiled(plain, schema)) plain.model(name, schema);
}

const isCompiled = (plain: typeof mongoose, schema: mongoose.Schema): boolean =>
  Object.values(plain.models).some((model) => model.schema === schema);

/** Mongoose with models of its own, whose functions can be destructured as those of the package. */
function ownMongoose(connection: mongoose.Connection): typeof mongoose {
  const plain = new mongoose.Mongoose() as unknown as Record<string, unknown>;
  for (const name of Object.getOwnPropertyNames(mongoose.Mongoose.prototype)) {
    const method = Object.getOwnPropertyDescriptor(mongoose.Mongoose.prototype, name)?.value as unknown;
    if (typeof method === 'function' && /^[a-z]/.test(name) && name !== 'constructor') plain[name] = method.bind(plain);
  }
  const opened = { connect: async () => plain, createConnection: () => connection, set: () => plain };
  return Object.assign(
    plain,
    { connection, Schema: schemaWithNext, default: plain },
    opened,
  ) as unknown as typeof mongoose;
}

type Code = (this: unknown, ...given: unknown[]) => unknown;

/** `mongoose.Schema`, whose middleware gets `next` as in Mongoose 8, the last release that passes it. */
const schemaWithNext = new Proxy(mongoose.Schema, {
  construct: (schema, given: unknown[]) => withNext(Reflect.construct(schema, given) as mongoose.Schema),
  apply(schema, self, given: unknown[]) {
    if (!(self instanceof mongoose.Schema)) return withNext(Reflect.construct(schema, given) as mongoose.Schema);
    // a class by `util.inherits`
    Reflect.apply(schema as unknown as Code, self, given);
    return withNext(self);
  },
});

function withNext(schema: mongoose.Schema): mongoose.Schema {
  const { pre } = schema as unknown as { pre: Code };
  const adapted: Code = function (name, ...given) {
    return pre.call(this, name, ...given.map((one) => (typeof one === 'function' ? callingNext(one as Code) : one)));
  };
  return Object.assign(schema, { pre: adapted });
}

/** Code for several versions, which tests for `next`, is left as it is. */
const callingNext = (code: Code): Code =>
  /^(?:async )?function \w* ?\((?:next|done)/.test(String(code)) && !/typeof next/.test(String(code))
    ? function () {
        return new Promise<void>((resolved, failed) => {
          const done = (error?: unknown): void =>
            error === undefined ? resolved() : failed(error instanceof Error ? error : new Error(String(error)));
          // parallel middleware ends with the second one
          const next =
            code.length > 1 ? (error?: unknown): void => (error === undefined ? undefined : done(error)) : done;
          const result = code.call(this, next, done);
          if (result instanceof Promise) result.then(() => done(), failed);
        });
      }
    : code;
