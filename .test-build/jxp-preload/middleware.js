/** Middleware that calls `next` (Mongoose 6 and earlier) as middleware that returns a promise, which is all that Mongoose 9 waits for. */ import { AsyncLocalStorage } from 'node:async_hooks';
/** How the middleware that is running fails; also in the callbacks that it has left. */ const failing = new AsyncLocalStorage();
/** Runs a callback of model code. An error fails the middleware that left the callback; without one it is only printed. */ export function runCallback(callback, ...given) {
    try {
        callback(...given);
    } catch (error) {
        const fail = failing.getStore();
        if (fail === undefined) process.emitWarning(asError(error));
        else fail(error);
    }
}
const asError = (error)=>error instanceof Error ? error : new Error(String(error));
/**
 * Middleware with parameters gets `next` as the first one, whatever its name, as in Mongoose 6. It ends when it calls `next`, or when
 * the promise that it returns is settled.
 * @param parallel it gets `next` and `done`, and ends with both: `schema.pre(name, true, …)`
 */ export function withoutNext(middleware, parallel) {
    if (middleware.length === 0) return middleware;
    const waited = function(...given) {
        return new Promise((done, failed)=>{
            let left = parallel ? 2 : 1;
            const fail = (error)=>failed(asError(error));
            const once = ()=>{
                let called = false;
                return (error)=>{
                    if (error !== undefined && error !== null) return fail(error);
                    if (called) return;
                    called = true;
                    if (--left === 0) done();
                };
            };
            const callbacks = parallel ? [
                once(),
                once()
            ] : [
                once()
            ];
            const result = failing.run(fail, ()=>middleware.call(this, ...callbacks, ...given));
            if (result instanceof Promise) result.then(()=>done(), fail);
        });
    };
    Object.defineProperty(waited, 'name', {
        value: middleware.name
    });
    return waited;
}
