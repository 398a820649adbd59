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

/** A middleware of a model file. */
export interface OwnMiddleware {
  /** As it is registered, such as `pre('save')`. */
  readonly title: string;
  /** The function of Mongoose, or of the model file, that it runs with. */
  readonly name: string;
  readonly fn: object;
}

/** The middleware of one schema, without that of the schemas inside it. Mongoose marks its own by symbols. */
export function ownMiddleware(schema: Schema): readonly OwnMiddleware[] {
  const { _pres: pres, _posts: posts } = (schema as unknown as Internals).s.hooks;
  return [['pre', pres] as const, ['post', posts] as const].flatMap(([when, all]) =>
    [...all].flatMap(([name, hooks]) =>
      hooks.filter(isOwn).map(({ fn }) => ({ title: `${when}('${name}')`, name, fn })),
    ),
  );
}

const isOwn = ({ fn }: Hook): boolean => Object.getOwnPropertySymbols(fn).every((mark) => mark === bounded);

/** The titles of middleware of `save` and `validate`, at any depth, also of discriminators. */
export const ownSaveHooks = (schema: Schema): readonly string[] => titlesOf(schema, ['save', 'validate']);

/** Whether a schema has middleware of its own for one of these functions. */
export const hasOwnHooks = (schema: Schema, functions: readonly string[]): boolean =>
  titlesOf(schema, functions).length > 0;

/** The titles in a fixed order, whatever that of the registrations. */
function titlesOf(schema: Schema, functions: readonly string[]): readonly string[] {
  const found = placesOf(schema).flatMap((place) => ownMiddleware(place.schema));
  const titles = new Set(found.filter(({ name }) => functions.includes(name)).map(({ title }) => title));
  return ['pre', 'post']
    .flatMap((when) => functions.map((name) => `${when}('${name}')`))
    .filter((one) => titles.has(one));
}
