/**
 * The models that model files get from Mongoose. The server compiles each schema itself after all files are loaded, so files get a
 * handle: a proxy that stands for the model which they have compiled, and later for the one that is served.
 */
import type { Connection, Model, Schema } from 'mongoose';
import mongoose from 'mongoose';

/** A Mongoose model, of any schema. */
export type AnyModel = Model<Record<string, unknown>>;

/** A model whose schema does not matter. */
export const anyModel = (model: unknown): AnyModel => model as AnyModel;

export interface Handle {
  /** What the code of models uses. */
  readonly model: AnyModel;
  /** The model that it stands for now. */
  readonly current: () => AnyModel;
  /** Makes it stand for another one, which gets the properties that files have set. */
  readonly standFor: (model: AnyModel) => void;
}

/** @param kindOf returns the handle of a discriminator that has been added to the model */
export function handleOf(compiled: AnyModel, kindOf: (name: string) => AnyModel): Handle {
  let current = compiled;
  const set = new Map<PropertyKey, unknown>();
  const addKind = (...given: Parameters<AnyModel['discriminator']>): AnyModel =>
    kindOf(current.discriminator(...given).modelName);
  const target = function (): void {
    // a function, so that the proxy can be called with and without `new`
  };
  const proxy: unknown = new Proxy(target, {
    get: (_target, key) => (key === 'discriminator' ? addKind : (Reflect.get(current, key) as unknown)),
    set(_target, key, value) {
      set.set(key, value);
      return Reflect.set(current, key, value);
    },
    has: (_target, key) => Reflect.has(current, key),
    apply: (_target, self, given) => Reflect.apply(current as unknown as () => unknown, self, given) as unknown,
    construct: (_target, given) => Reflect.construct(current, given as unknown[]) as object,
    getPrototypeOf: () => Reflect.getPrototypeOf(current),
  });
  return {
    model: anyModel(proxy),
    current: () => current,
    standFor(other) {
      current = other;
      for (const [key, value] of set) Reflect.set(other, key, value);
    },
  };
}

/** What `mongoose.model()` takes as a schema, as one. */
export const wholeSchema = (schema: Schema | object): Schema =>
  schema instanceof mongoose.Schema ? schema : new mongoose.Schema(schema);

/** @param find the model on the connection that answers to a name */
export function answerToNames(connection: Connection, find: (name: string) => AnyModel | undefined): void {
  const model = connection.model.bind(connection) as (name: unknown, ...given: unknown[]) => unknown;
  const answer = (name: unknown, ...given: unknown[]): unknown => {
    const isLookup = given.length === 0 && typeof name === 'string' && connection.models[name] === undefined;
    return (isLookup ? find(name) : undefined) ?? model(name, ...given);
  };
  Object.assign(connection, { model: answer });
}
