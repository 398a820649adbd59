/**
 * What Mongoose 9 does not keep of a registration of middleware: that it is parallel (`schema.pre(name, true, …)`, which receives `next` and
 * `done`; Mongoose runs it as any other, without callbacks), and the package that registers it for a function of earlier versions.
 */
import { Schema } from 'mongoose';
import { framesOf, packageNameOf } from '../../adapters/stack.ts';

const parallel: unique symbol = Symbol('parallel');
const registrant: unique symbol = Symbol('registrant');

type Register = (this: Schema, name: unknown, ...given: unknown[]) => Schema;

/** What Mongoose 9 has no middleware of, and others register some for. All other registrations need no look at the stack. */
const former: ReadonlySet<unknown> = new Set([
  ...['remove', 'update', 'count', 'create', 'exists', 'findById', 'findByIdAndUpdate', 'findByIdAndDelete'],
  ...['findByIdAndRemove', 'findOneAndRemove'],
]);

/** Makes schemas keep both from now on, in the options of the middleware. */
export function keepRegistrations(): void {
  for (const when of ['pre', 'post'] as const) {
    const register = Reflect.get(Schema.prototype, when) as Register;
    if (registers.has(register)) continue;
    const keeping: Register = function (name, ...given) {
      const [first, ...others] = given;
      const noted = first === true ? { [parallel]: true } : former.has(name) ? registration() : {};
      if (Object.getOwnPropertySymbols(noted).length === 0) return register.call(this, name, ...given);
      if (first === true) return register.call(this, name, noted, ...others);
      return typeof first === 'function'
        ? register.call(this, name, noted, ...given)
        : register.call(this, name, { ...(first as object), ...noted }, ...others);
    };
    registers.add(keeping);
    Object.assign(Schema.prototype, { [when]: keeping });
  }
}

const registers = new WeakSet<Register>();

/** The innermost code besides that of the server and of Mongoose registers it. */
function registration(): object {
  const names = framesOf(new Error('registered')).flatMap((frame) =>
    frame.owner === 'server' ? [] : [frame.owner === 'package' ? packageNameOf(frame) : undefined],
  );
  const by = names.find((name) => name !== 'mongoose');
  return by === undefined ? {} : { [registrant]: by };
}

/** @param hook a middleware as a schema stores it */
export const isParallel = (hook: object): boolean => parallel in hook;

/** The name of the package that registers a middleware for a function of earlier versions of Mongoose. */
export const packageOf = (hook: object): string | undefined => (hook as { readonly [registrant]?: string })[registrant];
