/**
 * Limits the time of model code that the server waits for: middleware and validators. Code that never settles would block its
 * request, and the writes queued behind it, forever.
 */
import type { Schema, SchemaType } from 'mongoose';
import { adaptNext, isPromise, type Middleware, synchronousHooks, withoutNext } from '../../async/next-callback.ts';
import { withTimeout } from '../../async/timeout.ts';
import { internal, neverEnded } from '../../errors/errors.ts';
import { isParallel } from '../author/registered-middleware.ts';
import { type Hook, schemaParts, typeParts } from './internals.ts';
import { notingRefusals } from './model-code-errors.ts';
import { takesParameters } from './reads-document.ts';
import { placesOf } from './schema-places.ts';

/** Marks code whose time is limited, with the code of the model file. */
export const originalCode: unique symbol = Symbol('bounded');

/**
 * Makes all middleware and validators of a schema and its nested schemas fail if they do not end in time. Middleware that calls `next`
 * works as in earlier versions of Mongoose.
 * @param model the name that the log shows @param limit milliseconds
 */
export function boundModelCode(schema: Schema, model: string, limit: number): void {
  for (const one of new Set(placesOf(schema).map((place) => place.schema))) boundCodeOf(one, model, limit);
}

/** Bounds the code of one schema, without that of the schemas inside it. */
function boundCodeOf(schema: Schema, model: string, limit: number): void {
  const { s, subpaths } = schemaParts(schema);
  for (const [when, hooks] of [['pre', s.hooks._pres] as const, ['post', s.hooks._posts] as const])
    for (const [name, list] of hooks)
      for (const [at, hook] of list.entries()) {
        const late = (): Error => neverEnded(`${model}: ${when} ${name}${named(hook.fn)}`, limit);
        const fn = when === 'pre' && !synchronousHooks.has(name) ? adapted(hook) : hook.fn;
        const refusing = when === 'pre' && name === 'save' && !isMarked(fn) ? notingRefusals(fn) : fn;
        list[at] = { ...hook, fn: withLimit(refusing, late, limit, hook.fn) };
      }
  for (const [path, type] of Object.entries({ ...schema.paths, ...subpaths }))
    if (type !== 'nested') boundValidators(type, `${model}: validator of ${path}`, limit);
}

const named = ({ name }: Middleware): string => (name === '' ? '' : ` (${name})`);

function boundValidators(type: SchemaType, what: string, limit: number): void {
  const { validators } = typeParts(type);
  for (const [at, one] of validators.entries())
    if (one.type === 'user defined' && typeof one.validator === 'function')
      validators[at] = {
        ...one,
        validator: withLimit(one.validator as Middleware, () => neverEnded(what, limit), limit),
      };
}

/** Whether code is Mongoose's own, which it marks by symbols and which always ends, or already wrapped: a schema may be part of several models. */
const isMarked = (code: Middleware): boolean => Object.getOwnPropertySymbols(code).length > 0;

function adapted(hook: Hook): Middleware {
  const { fn } = hook;
  if (isMarked(fn)) return fn;
  return isParallel(hook) ? withoutNext(fn, takesParameters(fn, 2)) : adaptNext(fn);
}

/** Wraps code so that it fails if its promise or its callback takes too long. @param of the code of the model file that it wraps */
function withLimit(code: Middleware, late: () => Error, limit: number, of = code): Middleware {
  if (isMarked(code)) return code;
  const limited: Middleware = function (...given) {
    const next = given.at(-1);
    // as in Mongoose: middleware with one parameter more than there are values ends with that callback
    const called = typeof next === 'function' && given.length > 1 && code.length === given.length;
    if (!called) {
      const result = code.apply(this, given);
      return isPromise(result) ? withTimeout(limit, Promise.resolve(result), late) : result;
    }
    return withTimeout(limit, withCallback(this, code, given), late);
  };
  Object.defineProperty(limited, 'length', { value: code.length });
  Object.defineProperty(limited, 'name', { value: code.name });
  return Object.assign(limited, code, { [originalCode]: of });
}

/** Calls code that either returns a promise or calls back. */
function withCallback(self: unknown, code: Middleware, given: readonly unknown[]): Promise<unknown> {
  return new Promise((done, failed) => {
    const next = (error?: unknown): void => {
      if (error === undefined || error === null) done(undefined);
      else failed(error instanceof Error ? error : internal(new Error(String(error))));
    };
    const result = code.apply(self, [...given.slice(0, -1), next]);
    if (isPromise(result)) Promise.resolve(result).then(done, failed);
  });
}
