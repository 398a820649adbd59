/**
 * Converts pre-middleware that calls `next`, which Mongoose passed until version 8, to middleware that returns a promise, as Mongoose 9
 * requires.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export type Middleware = (this: unknown, ...given: unknown[]) => unknown;

/** Middleware that Mongoose runs synchronously, without `next` in any version. */
export const synchronousHooks: ReadonlySet<unknown> = new Set(['init']);

/** The function that fails the running middleware, also in callbacks that it has registered. */
const failing = new AsyncLocalStorage<(error: unknown) => void>();

/**
 * Runs a callback of model code. An error fails the middleware that registered the callback; outside of middleware it is printed.
 */
function runCallback(callback: Middleware, ...given: unknown[]): void {
  try {
    callback(...given);
  } catch (error) {
    const fail = failing.getStore();
    if (fail === undefined) process.emitWarning(asError(error));
    else fail(error);
  }
}

/**
 * A function that also accepts a callback, `(error, result) => …`, as its last argument; without one it is unchanged. Functions that packages
 * put around it may pass parameters that their caller has left out, as undefined behind the callback.
 */
export const withCallback = (method: Middleware): Middleware =>
  function (...given) {
    const callback = given.findLast((one) => one !== undefined);
    if (typeof callback !== 'function') return method.apply(this, given);
    const work = new Promise((done) => done(method.apply(this, given.slice(0, given.lastIndexOf(callback)))));
    work.then(
      (result) => runCallback(callback as Middleware, null, result),
      (error: unknown) => runCallback(callback as Middleware, error),
    );
    return undefined;
  };

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/**
 * Middleware with parameters receives `next` as the first one. It ends when it calls `next`, or when the promise that it returns settles.
 * @param parallel whether it receives `next` and `done` and must call both: `schema.pre(name, true, …)`
 */
export function withoutNext(middleware: Middleware, parallel: boolean): Middleware {
  if (middleware.length === 0) return middleware;
  const waited: Middleware = function (...given) {
    return runWithNext(middleware, this, given, parallel);
  };
  Object.defineProperty(waited, 'name', { value: middleware.name });
  return waited;
}

/**
 * Passes `next` to middleware that takes it: its first parameter has a name for it and is used, or Mongoose passes no values that the
 * parameter could mean. Other middleware is returned as it is.
 */
export function adaptNext(middleware: Middleware): Middleware {
  if (middleware.length === 0) return middleware;
  const text = Function.prototype.toString.call(middleware);
  const first = firstParameter(text);
  // Mongoose 9 does not wait for a callback that is declared and never called, and needs none where the code can do without it
  if (!isUsed(text, first) || canDoWithout(text, first)) return middleware;
  if (callbackName.test(first)) return withoutNext(middleware, false);
  const adapted: Middleware = function (...given) {
    return given.length === 0 ? runWithNext(middleware, this, given, false) : middleware.apply(this, given);
  };
  Object.defineProperty(adapted, 'name', { value: middleware.name });
  return adapted;
}

/** The names that `next` usually has, and the one that Babel gives to the parameter of an asynchronous function. */
const callbackName = /^_?(next|done|cb|callback|_x)$/;

/** The name of the first parameter in the source of a function, as far as it is a plain name; else empty. */
function firstParameter(text: string): string {
  const [, single, first] = /^(?:async\s+)?(?:([\w$]+)\s*=>|[^(]*\(\s*([\w$]+)\s*[,)=])/.exec(text) ?? [];
  return single ?? first ?? '';
}

/** Whether a function uses a parameter, by its name or by `arguments`. */
const isUsed = (text: string, name: string): boolean =>
  name === '' || (text.match(/[\w$]+/g) ?? []).filter((word) => word === name || word === 'arguments').length > 1;

/**
 * Whether a function tests that a parameter is there, and can call it only before it returns: it has no function of its own to call it in
 * later, and passes it to none. Plug-ins for several versions of Mongoose may not call it in those that do not pass it.
 */
function canDoWithout(text: string, name: string): boolean {
  if ((text.match(/=>|\bfunction\b(?!['"`])/g) ?? []).length > 1) return false;
  const uses = [...text.matchAll(/(\btypeof\s*\(?\s*)?([\w$]+)(\s*\()?/g)]
    .filter(([, , word]) => word === name)
    .slice(1);
  return uses.some(([, test]) => test !== undefined) && uses.every(([, test, , call]) => (test ?? call) !== undefined);
}

function runWithNext(code: Middleware, self: unknown, given: readonly unknown[], parallel: boolean): Promise<void> {
  return new Promise<void>((done, failed) => {
    let left = parallel ? 2 : 1;
    const fail = (error: unknown): void => failed(asError(error));
    const once = (): ((error?: unknown) => void) => {
      let called = false;
      return (error) => {
        if (error !== undefined && error !== null) return fail(error);
        if (called) return;
        called = true;
        if (--left === 0) done();
      };
    };
    const callbacks = parallel ? [once(), once()] : [once()];
    const result = failing.run(fail, () => code.call(self, ...callbacks, ...given));
    if (isPromise(result)) Promise.resolve(result).then(() => done(), fail);
  });
}

/** Whether a value is a promise, of any library. */
export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
