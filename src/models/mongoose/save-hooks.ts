/** Finds the middleware of a model file, such as what runs only when a document is saved. */
import type { Schema } from 'mongoose';
import { packageOf } from '../author/registered-middleware.ts';
import { originalCode } from './bounded.ts';
import { type Hook, type InnerClass, innerOf, schemaParts } from './internals.ts';
import { placesOf, typesIn } from './schema-places.ts';

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
  /** The code of the model file. */
  readonly fn: object;
  /** The package that registers it for a function of other versions of Mongoose. */
  readonly registeredBy: string | undefined;
}

/** The middleware of one schema, without that of the schemas inside it. Mongoose marks its own by symbols. */
export function ownMiddleware(schema: Schema): readonly OwnMiddleware[] {
  const { _pres: pres, _posts: posts } = schemaParts(schema).s.hooks;
  return [['pre', pres] as const, ['post', posts] as const].flatMap(([when, all]) =>
    [...all].flatMap(([name, hooks]) =>
      hooks.filter(isOwn).map((hook) => {
        const contexts = contextsOf(name, hook);
        const isOfQueries = name === 'validate' && !contexts.ofDocuments;
        return {
          title: `${when}('${name}')${isOfQueries ? ' of queries' : ''}`,
          name,
          when,
          ...contexts,
          fn: codeOf(hook),
          registeredBy: packageOf(hook),
        };
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

/** The code of the model file, before its time was limited. */
const codeOf = ({ fn }: Hook): object => (fn as { readonly [originalCode]?: object })[originalCode] ?? fn;

const unreported = new WeakSet();

/** Marks middleware that the server adds to users and that runs as that of a model file does, so that no report names it. */
export function withoutReport<T extends object>(code: T): T {
  unreported.add(code);
  return code;
}

/** The middleware of one schema that its model file has. */
export const reportedMiddleware = (schema: Schema): readonly OwnMiddleware[] =>
  ownMiddleware(schema).filter(({ fn }) => !unreported.has(fn));

/** What is registered together: the same code for several functions, as by a list or a pattern of their names. */
export function registrationsOf(all: readonly OwnMiddleware[]): readonly (readonly OwnMiddleware[])[] {
  const found = new Map<object, Partial<Record<OwnMiddleware['when'], OwnMiddleware[]>>>();
  for (const one of all) {
    const ofCode = found.get(one.fn) ?? {};
    found.set(one.fn, ofCode);
    (ofCode[one.when] ??= []).push(one);
  }
  return [...found.values()].flatMap(({ pre, post }) => [pre, post].filter((same) => same !== undefined));
}

/** The functions that the pattern of most applications matches. */
const finds: readonly string[] = ['find', 'findOne', 'findOneAndDelete', 'findOneAndReplace', 'findOneAndUpdate'];

/** A registration as code: `pre('find')`, `pre(['find', 'findOne'])` or `pre(/^find/)`. */
export function titleOf(registration: readonly OwnMiddleware[]): string {
  const titles = new Set(registration.map(({ title }) => title));
  const [first, ...others] = titles;
  if (first === undefined || others.length === 0) return first ?? '';
  const names = [...new Set(registration.map(({ name }) => name))];
  const when = registration[0]?.when ?? 'pre';
  if ([...names].sort().join() === finds.join()) return `${when}(/^find/)`;
  return `${when}([${names.map((name) => `'${name}'`).join(', ')}])`;
}

const isOwn = ({ fn }: Hook): boolean => Object.getOwnPropertySymbols(fn).every((mark) => mark === originalCode);

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

/** Gives nested documents at any depth the middleware that their schemas have now. To be called before the model is compiled. */
export function renewMiddleware(schema: Schema): void {
  const types = placesOf(schema).flatMap(typesIn);
  for (const { type } of types) renew(innerOf(type).Constructor);
}

function renew(made: InnerClass | undefined): void {
  if (made?.schema === undefined) return;
  const { schema, _middleware: ofClass, prototype, discriminators } = made;
  const recent = schemaParts(schema)._getDocumentMiddleware(true);
  // wrappers of methods hold the objects themselves
  for (const middleware of [ofClass, prototype.$__middleware])
    if (middleware !== undefined) Object.assign(middleware, recent);
  for (const kind of Object.values(discriminators ?? {})) renew(kind);
}
