/**
 * Middleware that is registered as parallel: `schema.pre(name, true, …)`, which receives `next` and `done`. Mongoose 9 runs it as any other,
 * without callbacks, and drops the argument.
 */
import { Schema } from 'mongoose';

const parallel: unique symbol = Symbol('parallel');

type Pre = (this: Schema, name: unknown, ...given: unknown[]) => Schema;
const pre = Reflect.get(Schema.prototype, 'pre') as Pre;

/** Makes schemas keep the argument from now on, in the options of the middleware. */
export function keepParallel(): void {
  const keeping: Pre = function (name, ...given) {
    const [first, ...others] = given;
    return pre.call(this, name, ...(first === true ? [{ [parallel]: true }, ...others] : given));
  };
  Object.assign(Schema.prototype, { pre: keeping });
}

/** @param hook a middleware as a schema stores it */
export const isParallel = (hook: object): boolean => parallel in hook;
