/**
 * Recognises documents in the results of functions and routes: hydrated ones, what their `toObject` and `toJSON` give, lean ones, those in
 * answers of `api`, and the rows of aggregations. An object that a function makes itself is none of them.
 */
import type { Aggregate, Query, Schema } from 'mongoose';
import type { ModelEntry } from '../entry.ts';
import type { Model, Row } from '../mongoose.ts';
import { schemaParts } from './internals.ts';
import { ofServer } from './model-writes.ts';

/** Whose document an object is. */
export interface Origin {
  /** One model; of a row of an aggregation, all models that its pipeline reads. */
  readonly models: readonly ModelEntry[];
  /** Whether objects at any depth may be documents of these models. */
  readonly isAggregated: boolean;
  /** The document as it is stored, where the object is made of it. */
  readonly stored?: Row;
  /** The keys that the object had when it was read. A function may add others. */
  readonly keys?: ReadonlySet<string>;
  /** Of a document in an answer of `api`, which has what its reader has asked for: the names that its links may have in it. */
  readonly namesOfLinks?: readonly NameOfLink[];
  /** Of an answer of `api`: the principal that has read it, for whom it has left out already what they may not read. */
  readonly reader?: object;
}

/** A name under which a document shows others, and a path that callers must be able to read to see them. */
export interface NameOfLink {
  readonly as: string;
  /** The model that has the path. */
  readonly model: ModelEntry;
  readonly path: string;
}

const origins = new WeakMap<object, Origin>();
/** The entry of a hydrated document, as a property that its model's prototype has. */
const entryOf: unique symbol = Symbol('entry');

/** A hydrated document, as far as it is used here. */
interface Hydrated {
  readonly _doc: Row;
  readonly [entryOf]?: ModelEntry;
}
interface Subdocument {
  ownerDocument(): Hydrated;
  $__fullPath(): string;
}

const isSubdocument = (value: object): value is Subdocument =>
  '$isSubdocument' in value && value.$isSubdocument === true;

/** Whose document a value is; undefined if it is none. */
export function originOf(value: object): Origin | undefined {
  const { [entryOf]: entry, _doc: stored } = value as Partial<Hydrated>;
  if (entry !== undefined && stored !== undefined) return { models: [entry], isAggregated: false, stored };
  return origins.get(value);
}

/** The document that a hydrated nested document is a part of, and the path there; undefined for any other value. */
export function placeOf(value: object): { readonly owner: object; readonly path: string } | undefined {
  return isSubdocument(value) ? { owner: value.ownerDocument(), path: value.$__fullPath() } : undefined;
}

const reading = ['find', 'findOne', 'findOneAndUpdate', 'findOneAndReplace', 'findOneAndDelete'] as const;

/**
 * Marks the results of a schema's queries and aggregations.
 * @param inCollection the model of a collection, if there is one; called when an aggregation runs
 */
export function markResults(
  schema: Schema,
  entry: () => ModelEntry,
  inCollection: (name: string) => ModelEntry | undefined,
): void {
  const asDocuments = (result: unknown): void => mark(result, { models: [entry()], isAggregated: false });
  const aggregated = (aggregate: Aggregate<unknown[]>): Origin => {
    const others = collectionsIn(aggregate.pipeline()).flatMap((name) => inCollection(name) ?? []);
    return { models: [...new Set([entry(), ...others])], isAggregated: true };
  };
  schema.post(
    [...reading],
    ofServer(function (this: Query<unknown, unknown>, result: unknown) {
      asDocuments(result);
    }),
  );
  schema.post('insertMany', ofServer(asDocuments));
  schema.post(
    'aggregate',
    ofServer(function (this: Aggregate<unknown[]>, rows: unknown) {
      mark(rows, aggregated(this));
    }),
  );
  markRowsOfCursors(schema, aggregated);
  // before the middleware of the file, which may add to the results
  const { _posts: posts } = schemaParts(schema).s.hooks;
  for (const name of [...reading, 'insertMany', 'aggregate']) {
    const hooks = posts.get(name) ?? [];
    hooks.unshift(...hooks.splice(-1));
  }
}

/** Marks the rows of a cursor, which go through no post middleware. */
function markRowsOfCursors(schema: Schema, originIn: (aggregate: Aggregate<unknown[]>) => Origin): void {
  schema.pre(
    'aggregate',
    ofServer(function (this: Aggregate<unknown[]>) {
      const { cursor } = this.options as { cursor?: { transform?: (row: unknown) => unknown } };
      if (cursor === undefined) return;
      const { transform = (row: unknown): unknown => row } = cursor;
      const origin = originIn(this);
      cursor.transform = (row) => {
        mark(isStep(row) ? row.value : row, origin);
        return transform(row);
      };
    }),
  );
}

/** Whether a row is a step of an iteration: `for await` makes them before other transformations. */
const isStep = (row: unknown): row is IteratorResult<unknown> =>
  typeof row === 'object' && row !== null && Object.keys(row).sort().join() === 'done,value';

/** Marks a document in an answer of `api`. */
export const markAnswered = (document: object, origin: Origin): void => void origins.set(document, origin);

function mark(result: unknown, origin: Origin): void {
  if (Array.isArray(result)) for (const one of result) mark(one, origin);
  else if (typeof result === 'object' && result !== null) {
    const { _doc: stored, lastErrorObject, value } = result as Row;
    if (lastErrorObject !== undefined) mark(value, origin);
    else if (typeof stored === 'object' && stored !== null) origins.set(stored, origin);
    else origins.set(result, origin.isAggregated ? origin : { ...origin, keys: new Set(Object.keys(result)) });
  }
}

/** The names of the collections that a pipeline reads besides its own, and possibly other texts. */
export function collectionsIn(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(collectionsIn);
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    typeof value === 'string' && naming.has(key) ? [value] : collectionsIn(value),
  );
}

/** The keys of `$lookup`, `$graphLookup` and `$unionWith` that name a collection. */
const naming: ReadonlySet<string> = new Set(['from', 'coll', '$unionWith']);

type Conversion = (this: Hydrated, ...given: unknown[]) => unknown;

/** Makes the documents of a compiled model recognisable, and the objects that `toObject` and `toJSON` make of them. */
export function markConversions(model: Model<Row>, entry: ModelEntry): void {
  const prototype = model.prototype as Model<Row> & Record<string | symbol, unknown>;
  prototype[entryOf] = entry;
  for (const name of ['toObject', 'toJSON']) {
    const convert = prototype[name] as Conversion;
    prototype[name] = function (this: Hydrated, ...given: unknown[]): unknown {
      const converted = convert.apply(this, given);
      if (typeof converted === 'object' && converted !== null)
        origins.set(converted, { models: [entry], isAggregated: false, stored: this._doc });
      return converted;
    };
  }
}
