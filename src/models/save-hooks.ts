/** Finds a model's middleware that runs only when a document is saved. */
import type { Schema } from 'mongoose';

/** The undeclared properties of Mongoose's schemas. */
interface Hook {
  readonly fn: object;
}
interface Internals {
  readonly s: { readonly hooks: { readonly _pres: Map<string, Hook[]>; readonly _posts: Map<string, Hook[]> } };
}

/** The names of such middleware, such as `pre('save')`, at any depth. Mongoose marks its own middleware by symbols. */
export function ownSaveHooks(schema: Schema): readonly string[] {
  const { hooks } = (schema as unknown as Internals).s;
  const found = [['pre', hooks._pres] as const, ['post', hooks._posts] as const].flatMap(([when, all]) =>
    ['save', 'validate'].filter((name) => all.get(name)?.some(isOwn)).map((name) => `${when}('${name}')`),
  );
  const inner = schema.childSchemas.flatMap((child) => ownSaveHooks(child.schema));
  return [...new Set([...found, ...inner])];
}

const isOwn = ({ fn }: Hook): boolean => Object.getOwnPropertySymbols(fn).length === 0;
