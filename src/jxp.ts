/**
 * A preload for model files that were written for JXP: `JXPSchema`, `ObjectId` and `Mixed` as globals.
 * Use, once built: `node --import ./dist/jxp.js dist/main.js`; see docs/migrating.md.
 */
import mongoose, { Schema, type SchemaOptions } from 'mongoose';

/** A schema whose `_perms` counts as `perms`, and whose `model` gives the schema back: the server compiles it itself. */
class JXPSchema extends Schema {
  constructor(definition: Record<string, unknown>, options: Record<string, unknown> = {}) {
    const { _perms: fields, ...paths } = definition;
    const { _perms: option, ...others } = options;
    const perms = others['perms'] ?? option ?? fields;
    super(paths, { ...others, ...(perms === undefined ? {} : { perms }) } as SchemaOptions as never);
  }

  /** The collection keeps the name that Mongoose has always given it: the plural of the model's. */
  static model(name: string, schema: Schema): Schema {
    if (schema.get('collection') === undefined) schema.set('collection', mongoose.pluralize()?.(name) ?? name);
    return schema;
  }
}

type Middleware = (this: unknown, ...given: unknown[]) => unknown;

const takesNext = (given: unknown): given is Middleware =>
  typeof given === 'function' &&
  /^(?:async\s+)?(?:function\b[^(]*)?\(?\s*(?:next|done|cb|callback)\b/.test(String(given));

/** Middleware that calls `next`, which earlier releases of Mongoose gave it, as middleware that is waited for. */
const withoutNext = (middleware: Middleware): Middleware =>
  function (...given) {
    return new Promise<void>((done, failed) => {
      const next = (error?: unknown): void =>
        error === undefined || error === null
          ? done()
          : failed(error instanceof Error ? error : new Error(String(error)));
      const result = middleware.call(this, next, ...given);
      if (result instanceof Promise) result.then(() => done(), failed);
    });
  };

const { pre } = Schema.prototype as { pre: Middleware };
Object.assign(JXPSchema.prototype, {
  pre(this: JXPSchema, ...given: unknown[]) {
    return pre.apply(
      this,
      given.map((one) => (takesNext(one) ? withoutNext(one) : one)),
    );
  },
});

Object.assign(globalThis, { JXPSchema, ObjectId: mongoose.Schema.Types.ObjectId, Mixed: mongoose.Schema.Types.Mixed });
