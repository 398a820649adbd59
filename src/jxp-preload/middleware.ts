/**
 * Converts middleware that calls `next` (Mongoose 6 and earlier) to middleware that returns a promise, as Mongoose 9 requires.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export type Middleware = (this: unknown, ...given: unknown[]) => unknown;

/** The function that fails the running middleware, also in callbacks that it has registered. */
const failing = new AsyncLocalStorage<(error: unknown) => void>();

/**
 * Runs a callback of model code. An error fails the middleware that registered the callback; outside of middleware it is printed.
 */
export function runCallback(callback: Middleware, ...given: unknown[]): void {
  try {
    callback(...given);
  } catch (error) {
    const fail = failing.getStore();
    if (fail === undefined) process.emitWarning(asError(error));
    else fail(error);
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/**
 * Middleware with parameters receives `next` as the first one, as in Mongoose 6. It ends when it calls `next`, or when the
 * promise that it returns settles.
 * @param parallel whether it receives `next` and `done` and must call both: `schema.pre(name, true, …)`
 */
export function withoutNext(middleware: Middleware, parallel: boolean): Middleware {
  if (middleware.length === 0) return middleware;
  const waited: Middleware = function (...given) {
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
      const result = failing.run(fail, () => middleware.call(this, ...callbacks, ...given));
      if (result instanceof Promise) result.then(() => done(), fail);
    });
  };
  Object.defineProperty(waited, 'name', { value: middleware.name });
  return waited;
}
