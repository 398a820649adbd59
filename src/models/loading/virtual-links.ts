/** Mongoose's virtuals with `ref`, `localField` and `foreignField`, which are served as reverse links. */
import type { Schema } from 'mongoose';
import type { ReverseLink } from '../entry.ts';
import { kindKeyOf, kindSchemasOf, kindsIn } from '../mongoose/schema-places.ts';
import { populatedVirtualsOf } from '../mongoose/virtuals.ts';
import { modelNameAt } from './links.ts';

/** The options of such a virtual (Mongoose's manual, "Populate Virtuals"). */
interface Options {
  readonly ref?: unknown;
  readonly localField?: unknown;
  readonly foreignField?: unknown;
  readonly justOne?: unknown;
  readonly count?: unknown;
  readonly match?: unknown;
  readonly options?: unknown;
  readonly perDocumentLimit?: unknown;
}

/** A virtual link, with the model as the schema names it. */
export interface DeclaredVirtual extends ReverseLink {
  /** Whether only the documents of a kind have it. */
  readonly isOfKind: boolean;
}

/**
 * The virtuals of a schema and its kinds that have a constant model and constant fields, and show all documents. One that kinds declare in
 * different ways is none.
 */
export const virtualLinksOf = (schema: Schema): readonly DeclaredVirtual[] =>
  [...virtualsByName(schema).values()].flatMap((link) => link ?? []);

/** The virtuals that only Mongoose's own `populate` fills. */
export const unservedVirtualsOf = (schema: Schema): readonly string[] =>
  [...virtualsByName(schema)].flatMap(([name, link]) => (link === undefined ? [name] : []));

/** The kinds that have a virtual, when they are compiled. */
export const kindsWithVirtual = (schema: Schema, name: string): ReverseLink['kinds'] => ({
  key: kindKeyOf(schema),
  values: new Set(kindsIn(schema).flatMap((kind) => (Object.hasOwn(kind.schema.virtuals, name) ? [kind.value] : []))),
});

function virtualsByName(schema: Schema): ReadonlyMap<string, DeclaredVirtual | undefined> {
  const found = new Map<string, DeclaredVirtual | undefined>();
  for (const as of populatedVirtualsOf(schema)) found.set(as, virtualLinkAt(schema, as, false));
  const own = new Set(found.keys());
  for (const kind of kindSchemasOf(schema))
    for (const as of populatedVirtualsOf(kind)) {
      const link = virtualLinkAt(kind, as, true);
      if (own.has(as)) continue;
      const isOther = found.has(as) && JSON.stringify(found.get(as)) !== JSON.stringify(link);
      found.set(as, isOther ? undefined : link);
    }
  return found;
}

function virtualLinkAt(schema: Schema, as: string, isOfKind: boolean): DeclaredVirtual | undefined {
  const { ref, localField: local, foreignField: path, ...options } = optionsOf(schema, as);
  const model = modelNameAt(ref);
  if (model === undefined || typeof local !== 'string' || typeof path !== 'string' || isNarrowed(options))
    return undefined;
  const shape = options.count === true ? 'count' : options.justOne === true ? 'one' : 'list';
  return { as, model, path, local, shape, isOfKind };
}

const optionsOf = (schema: Schema, name: string): Options =>
  (schema.virtuals as Readonly<Record<string, { readonly options: Options }>>)[name]?.options ?? {};

/** Whether not all documents are shown, or in an order of their own. */
const isNarrowed = ({ match, options, perDocumentLimit }: Options): boolean =>
  match !== undefined || options !== undefined || perDocumentLimit !== undefined;
