/** Mongoose's virtuals with `ref`, `localField` and `foreignField`, which are served as reverse links. */
import type { Schema } from 'mongoose';
import type { ReverseLink } from './entry.ts';
import { modelNameAt } from './links.ts';
import { populatedVirtualsOf } from './virtuals.ts';

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

/** The virtuals that have a constant model and constant fields, and show all documents. The model is named as the schema names it. */
export const virtualLinksOf = (schema: Schema): readonly ReverseLink[] =>
  populatedVirtualsOf(schema).flatMap((as) => {
    const { ref, localField: local, foreignField: path, ...options } = optionsOf(schema, as);
    const model = modelNameAt(ref);
    if (model === undefined || typeof local !== 'string' || typeof path !== 'string' || isNarrowed(options)) return [];
    const shape = options.count === true ? 'count' : options.justOne === true ? 'one' : 'list';
    return [{ as, model, path, local, shape }];
  });

/** The virtuals that only Mongoose's own `populate` fills. */
export const unservedVirtualsOf = (schema: Schema): readonly string[] => {
  const served = new Set(virtualLinksOf(schema).map(({ as }) => as));
  return populatedVirtualsOf(schema).filter((name) => !served.has(name));
};

const optionsOf = (schema: Schema, name: string): Options =>
  (schema.virtuals as Readonly<Record<string, { readonly options: Options }>>)[name]?.options ?? {};

/** Whether not all documents are shown, or in an order of their own. */
const isNarrowed = ({ match, options, perDocumentLimit }: Options): boolean =>
  match !== undefined || options !== undefined || perDocumentLimit !== undefined;
