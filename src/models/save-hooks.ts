/** Finds the middleware of a model file, such as what runs only when a document is saved. */
import type { Schema } from 'mongoose';
import { bounded } from './bounded.ts';
import { placesOf } from './schema-places.ts';

/** The undeclared properties of Mongoose's schemas. */
interface Hook {
  readonly fn: object;
}
interface Internals {
  readonly s: { readonly hooks: { readonly _pres: Map<string, Hook[]>; readonly _posts: Map<string, Hook[]> } };
}

/** The names of such middleware, such as `pre('save')`, at any depth, also of discriminators. Mongoose marks its own middleware by symbols. */
export const ownSaveHooks = (schema: Schema): readonly string[] => ownHooks(schema, ['save', 'validate']);

/** Whether a schema has middleware of its own for one of these functions. */
export const hasOwnHooks = (schema: Schema, functions: readonly string[]): boolean =>
  ownHooks(schema, functions).length > 0;

function ownHooks(schema: Schema, functions: readonly string[]): readonly string[] {
  const found = placesOf(schema).flatMap((place) => {
    const { _pres: pres, _posts: posts } = (place.schema as unknown as Internals).s.hooks;
    return [['pre', pres] as const, ['post', posts] as const].flatMap(([when, all]) =>
      functions.filter((name) => all.get(name)?.some(isOwn)).map((name) => `${when}('${name}')`),
    );
  });
  return [...new Set(found)];
}

const isOwn = ({ fn }: Hook): boolean => Object.getOwnPropertySymbols(fn).every((mark) => mark === bounded);
