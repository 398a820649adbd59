/** Code of a project that writes documents by Mongoose itself, as far as its text shows: such writes are none of a request. */
import type { ModelEntry } from '../entry.ts';
import { modelOf } from '../mongoose.ts';
import { ownMiddleware } from '../mongoose/save-hooks.ts';

/** The functions of Mongoose's models that write documents (its manual, "Model"). */
const writing = [
  ...['create', 'insertOne', 'insertMany', 'bulkWrite', 'bulkSave', 'updateOne', 'updateMany', 'replaceOne'],
  ...['findOneAndUpdate', 'findOneAndReplace', 'findOneAndDelete', 'findByIdAndUpdate', 'findByIdAndDelete'],
  ...['deleteOne', 'deleteMany'],
].join('|');

/** In code of the model itself: `this.updateMany(…)` of a static, `this.constructor.updateMany(…)` of a method or middleware. */
const byItself = new RegExp(String.raw`\bthis(?:\s*\.\s*constructor)?\s*\.\s*(?:${writing})\s*\(`);

/** Code that writes documents of a model, and how. */
export interface MongooseWrite {
  /** Such as `the static close`. */
  readonly code: string;
  /** Such as `this.updateMany`. */
  readonly call: string;
}

/** What writes documents of a model in the statics, methods and middleware of all. */
export const mongooseWrites = (model: ModelEntry, all: readonly ModelEntry[]): readonly MongooseWrite[] =>
  all.flatMap((owner) =>
    codeOf(owner).flatMap(({ code, fn }) => {
      const text = Function.prototype.toString.call(fn);
      const call = (owner === model ? callIn(text, byItself) : undefined) ?? findNamedWrite(text, model);
      return call === undefined ? [] : [{ code: owner === model ? code : `${code} of ${owner.name}`, call }];
    }),
  );

/** How a text writes documents of a model that it names: `Order.updateMany(…)`, or `mongoose.model('order').updateMany(…)` but not by `api`. */
export function findNamedWrite(
  text: string,
  { name, compiledAs }: Pick<ModelEntry, 'name' | 'compiledAs'>,
): string | undefined {
  const own = escaped(compiledAs ?? name.charAt(0).toUpperCase() + name.slice(1));
  const looked = String.raw`(?<!\bapi\s*\.\s*|\)\s*\.\s*)\bmodel\(\s*['"\`](?:${own}|${escaped(name)})['"\`]\s*\)`;
  return callIn(text, new RegExp(String.raw`(?:\b${own}|${looked})\s*\.\s*(?:${writing})\s*\(`));
}

/** A name as a pattern: a model may have any. */
const escaped = (name: string): string => name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

const callIn = (text: string, pattern: RegExp): string | undefined =>
  pattern
    .exec(text)?.[0]
    .replace(/\s*\($/, '')
    .replaceAll(/\s+/g, '');

function codeOf(owner: ModelEntry): readonly { readonly code: string; readonly fn: object }[] {
  const { schema } = modelOf(owner);
  const named = (what: string, functions: object): readonly { readonly code: string; readonly fn: object }[] =>
    Object.entries(functions).flatMap(([name, fn]: readonly [string, unknown]) =>
      typeof fn === 'function' ? [{ code: `the ${what} ${name}`, fn }] : [],
    );
  return [
    ...named('static', schema.statics),
    ...named('method', schema.methods),
    ...ownMiddleware(schema).map(({ title, fn }) => ({ code: title, fn })),
  ];
}
