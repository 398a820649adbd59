/** Finds the middleware of a model file, such as what runs only when a document is saved. */
import type { Schema } from 'mongoose';
import { bounded } from './bounded.ts';

/** The undeclared properties of Mongoose's schemas. */
interface Hook {
  readonly fn: object;
}
interface Internals {
  readonly s: { readonly hooks: { readonly _pres: Map<string, Hook[]>; readonly _posts: Map<string, Hook[]> } };
}

/** The names of such middleware, such as `pre('save')`, at any depth. Mongoose marks its own middleware by symbols. */
export const ownSaveHooks = (schema: Schema): readonly string[] => ownHooks(schema, ['save', 'validate']);

/** Whether a schema has middleware of its own for one of these functions. */
export const hasOwnHooks = (schema: Schema, functions: readonly string[]): boolean =>
  ownHooks(schema, functions).length > 0;

function ownHooks(schema: Schema, functions: readonly string[]): readonly string[] {
  const { hooks } = (schema as unknown as Internals).s;
  const found = [['pre', hooks._pres] as const, ['post', hooks._posts] as const].flatMap(([when, all]) =>
    functions.filter((name) => all.get(name)?.some(isOwn)).map((name) => `${when}('${name}')`),
  );
  const inner = schema.childSchemas.flatMap((child) => ownHooks(child.schema, functions));
  return [...new Set([...found, ...inner])];
}

const isOwn = ({ fn }: Hook): boolean => Object.getOwnPropertySymbols(fn).every((mark) => mark === bounded);
