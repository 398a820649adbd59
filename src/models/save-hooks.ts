/** Finds the middleware of a model file, such as what runs only when a document is saved. */
import type { Schema } from 'mongoose';
import { bounded } from './bounded.ts';
import { placesOf } from './schema-places.ts';

/** The undeclared properties of Mongoose's schemas. */
interface Hook {
  readonly fn: object;
  readonly document?: boolean | null;
  readonly query?: boolean | null;
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
  readonly when: 'pre' | 'post';
  /** Whether it runs for documents, and whether for queries, as Mongoose decides it by the function and the options. */
  readonly ofDocuments: boolean;
  readonly ofQueries: boolean;
  readonly fn: object;
}

/** The middleware of one schema, without that of the schemas inside it. Mongoose marks its own by symbols. */
export function ownMiddleware(schema: Schema): readonly OwnMiddleware[] {
  const { _pres: pres, _posts: posts } = (schema as unknown as Internals).s.hooks;
  return [['pre', pres] as const, ['post', posts] as const].flatMap(([when, all]) =>
    [...all].flatMap(([name, hooks]) =>
      hooks.filter(isOwn).map((hook) => {
        const contexts = contextsOf(name, hook);
        const isOfQueries = name === 'validate' && !contexts.ofDocuments;
        return { title: `${when}('${name}')${isOfQueries ? ' of queries' : ''}`, name, when, ...contexts, fn: hook.fn };
      }),
    ),
  );
}

/** The functions that documents and queries have; the middleware is that of queries unless its options say otherwise. */
const ofBoth: ReadonlySet<string> = new Set(['updateOne', 'deleteOne']);

function contextsOf(name: string, hook: Hook): Pick<OwnMiddleware, 'ofDocuments' | 'ofQueries'> {
  const { document = null, query = null } = hook;
  const isPlain = document === null && query === null;
  if (ofBoth.has(name)) return { ofDocuments: document === true, ofQueries: isPlain || query === true };
  if (name === 'validate') return { ofDocuments: document !== false, ofQueries: query === true };
  return { ofDocuments: document !== false, ofQueries: isPlain || query === true };
}

const isOwn = ({ fn }: Hook): boolean => Object.getOwnPropertySymbols(fn).every((mark) => mark === bounded);

/** The titles of middleware of documents for `save` and `validate`, at any depth, also of discriminators. */
export const ownSaveHooks = (schema: Schema): readonly string[] => titlesOf(schema, ['save', 'validate']);

/** Whether a schema has middleware of its own for one of these functions. */
export const hasOwnHooks = (schema: Schema, functions: readonly string[]): boolean =>
  placesOf(schema).some((place) => ownMiddleware(place.schema).some(({ name }) => functions.includes(name)));

/** The titles in a fixed order, whatever that of the registrations. */
function titlesOf(schema: Schema, functions: readonly string[]): readonly string[] {
  const found = placesOf(schema).flatMap((place) => ownMiddleware(place.schema));
  const titles = new Set(found.map(({ title }) => title));
  return ['pre', 'post']
    .flatMap((when) => functions.map((name) => `${when}('${name}')`))
    .filter((one) => titles.has(one));
}
