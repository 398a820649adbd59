/** The models of a folder as Mongoose itself compiles them, on a database of their own. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { fileLoader } from '../../../src/models/author/file-loader.ts';
import { modelNameOf } from '../../../src/models/loading/files.ts';

export type PlainModels = Readonly<Record<string, mongoose.Model<any>>>;

/** @returns the models by the names under which the application compiles them; schemas have the names of their files */
export async function plainModels(folder: string, connection: mongoose.Connection): Promise<PlainModels> {
  const plain = ownMongoose(connection);
  const load = fileLoader({}, plain);
  const files = (await readdir(folder, { withFileTypes: true })).filter(
    (entry) => entry.isFile() && !/^_/.test(entry.name),
  );
  // an application requires its files in the order of their needs
  const waiting = files.map(({ name }) => name).sort();
  for (let tries = waiting.length * 2; waiting.length > 0 && tries > 0; tries--) {
    const name = waiting.shift() as string;
    const exported = await load(join(folder, name)).catch((error: unknown) => {
      if (!(error instanceof mongoose.Error.MissingSchemaError)) throw error;
      waiting.push(name);
    });
    compileRest(plain, modelNameOf(name), exported);
  }
  // the embedded store has no geospatial indexes
  for (const model of Object.values(plain.models)) await model.createIndexes().catch(ifNotSupported);
  return plain.models as PlainModels;
}

function ifNotSupported(error: unknown): void {
  if (!/'2dsphere' is not supported/.test(String(error))) throw error;
}

function compileRest(plain: typeof mongoose, name: string, exported: unknown): void {
  const { default: inner = exported } = (exported ?? {}) as { readonly default?: unknown };
  const isFactory = typeof inner === 'function' && !('modelName' in inner);
  const made: unknown =
    isFactory && plain.models[name] === undefined ? (inner as (given: object) => unknown)(plain) : inner;
  const { schema } = (made ?? {}) as { readonly schema?: unknown };
  const found = [made, schema].find((one) => one instanceof mongoose.Schema);
  if (found instanceof mongoose.Schema && typeof made !== 'function') plain.model(name, found);
}

/** Mongoose with models of its own, whose functions can be destructured as those of the package. */
function ownMongoose(connection: mongoose.Connection): typeof mongoose {
  const plain = new mongoose.Mongoose() as unknown as Record<string, unknown>;
  for (const name of Object.getOwnPropertyNames(mongoose.Mongoose.prototype)) {
    const method = Object.getOwnPropertyDescriptor(mongoose.Mongoose.prototype, name)?.value as unknown;
    if (typeof method === 'function' && /^[a-z]/.test(name) && name !== 'constructor') plain[name] = method.bind(plain);
  }
  return Object.assign(plain, { connection, Schema: schemaWithNext, default: plain }) as unknown as typeof mongoose;
}

type Code = (this: unknown, ...given: unknown[]) => unknown;

/** `mongoose.Schema`, whose middleware gets `next` as in Mongoose 8, the last release that passes it. */
const schemaWithNext = new Proxy(mongoose.Schema, {
  construct: (schema, given: unknown[]) => withNext(Reflect.construct(schema, given) as mongoose.Schema),
  apply: (schema, _self, given: unknown[]) => withNext(Reflect.construct(schema, given) as mongoose.Schema),
});

function withNext(schema: mongoose.Schema): mongoose.Schema {
  const { pre } = schema as unknown as { pre: Code };
  const adapted: Code = function (name, ...given) {
    return pre.call(this, name, ...given.map((one) => (typeof one === 'function' ? callingNext(one as Code) : one)));
  };
  return Object.assign(schema, { pre: adapted });
}

const callingNext = (code: Code): Code =>
  /^(?:async )?function \w*\((?:next|done)/.test(String(code))
    ? function () {
        return new Promise<void>((done, failed) => {
          const next = (error?: unknown): void =>
            error === undefined ? done() : failed(error instanceof Error ? error : new Error(String(error)));
          Promise.resolve(code.call(this, next)).catch(failed);
        });
      }
    : code;
