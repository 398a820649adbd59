/**
 * The models that JXP's model files pass to each other. The server compiles each schema itself after all files are loaded. Until
 * then files receive a proxy, which finds the served model by any of its names.
 */
import mongoose, { type Schema } from 'mongoose';
import type { PreloadedModel } from '../models/preload.ts';

type AnyModel = Readonly<Record<PropertyKey, unknown>>;

/** Served models: by the name of `mongoose.model(name, …)`, by that in lower case, by the file's name. The first one counts. */
const served = new Map<string, AnyModel>();

const compile = mongoose.model.bind(mongoose) as (name: string, schema: Schema, collection?: string) => AnyModel;

/** The result of `JXPSchema.model` and `mongoose.model` in model files. */
export function modelFor(name: string, schema?: Schema, collection?: string): unknown {
  const compiled = schema === undefined ? undefined : compile(name, schema, collection);
  return standIn(() => {
    const model = served.get(name) ?? served.get(name.toLowerCase()) ?? compiled;
    if (model !== undefined) return model;
    const known = served.size === 0 ? 'the models are served once all files are loaded' : [...served.keys()].join(', ');
    throw new mongoose.Error(`no model is named ${JSON.stringify(name)} (${known})`);
  });
}

/** A proxy that looks up its model whenever it is used. */
function standIn(find: () => AnyModel): unknown {
  const given = function (): void {
    // the target of a proxy that can be called with `new`
  };
  return new Proxy(given, {
    get: (_given, key) => Reflect.get(find(), key),
    set: (_given, key, value) => Reflect.set(find(), key, value),
    has: (_given, key) => Reflect.has(find(), key),
    construct: (_given, values) => new (find() as unknown as Constructor)(...(values as unknown[])),
    getPrototypeOf: () => Reflect.getPrototypeOf(find()),
  });
}

type Constructor = new (...values: unknown[]) => object;

/** Makes all names refer to the models of a server. @param callerOf returns the value of `__user` of documents */
export function serve(all: readonly PreloadedModel[], callerOf: () => object | null): void {
  served.clear();
  // names that start with _ belong to the server's own models
  const models = all.filter(({ name }) => !name.startsWith('_'));
  const names = [
    ...models.flatMap(({ compiledAs, model }) => (compiledAs === undefined ? [] : [[compiledAs, model] as const])),
    ...models.flatMap(({ model }) => Object.entries((model as Kinds).discriminators ?? {})),
    ...models.flatMap(({ compiledAs = '', model }) => [[compiledAs.toLowerCase(), model] as const]),
    ...models.map(({ name, model }) => [name, model] as const),
  ];
  for (const [name, model] of names) if (name !== '' && !served.has(name)) served.set(name, model as AnyModel);
  for (const { model } of models) withCaller(model as { prototype: object }, callerOf);
}

interface Kinds {
  readonly discriminators?: Readonly<Record<string, object>>;
}

/** Adds `this.__user` to documents. It is not a field, so it is neither stored nor shown. */
function withCaller({ prototype }: { prototype: object }, callerOf: () => object | null): void {
  Object.defineProperty(prototype, '__user', {
    configurable: true,
    get: callerOf,
    set(this: object, value: unknown) {
      Object.defineProperty(this, '__user', { value, configurable: true, writable: true });
    },
  });
}
