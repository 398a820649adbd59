/** Views in MongoDB's sense: pipelines over a collection, or over another view, that are read like a collection. */
import { Binary } from 'bson';
import { StoreError } from 'dossier-language/errors';
import { type Collation, type Doc, isDoc, readCollation, sameCollation } from 'dossier-language/values';

/** The definition of a view. */
export interface ViewDefinition {
  readonly id: number;
  readonly db: string;
  readonly name: string;
  readonly uuid: Uint8Array;
  /** The collection or view that it reads. */
  readonly on: string;
  readonly pipeline: readonly Doc[];
  /** The collation of all reads; without one, strings are compared as they are. */
  readonly collation: Collation | undefined;
}

/** What a read of a view is on a collection. */
export interface ResolvedView {
  /** The collection. */
  readonly on: string;
  /** The stages of the view before those of the read. */
  readonly stages: readonly Doc[];
  readonly collation: Collation | undefined;
}

/** Where definitions are found. */
interface Definitions {
  definition(db: string, name: string): ViewDefinition | undefined;
}

/** Views that one view may be nested in. */
const maxDepth = 20;

/**
 * Resolves a view to a collection; undefined for a name that no view has.
 * @throws StoreError 165 if too many views are nested
 */
export function resolveView(definitions: Definitions, db: string, name: string): ResolvedView | undefined {
  const first = definitions.definition(db, name);
  if (first === undefined) return undefined;
  const chain = [first];
  for (let next = definitions.definition(db, first.on); next !== undefined;) {
    if (chain.length >= maxDepth) throw new StoreError(165, `View depth limit exceeded; maximum depth is ${maxDepth}`);
    chain.push(next);
    next = definitions.definition(db, next.on);
  }
  const on = chain.at(-1)?.on ?? first.on;
  return { on, stages: chain.toReversed().flatMap(({ pipeline }) => pipeline), collation: first.collation };
}

/**
 * Checks what a new definition reads.
 * @throws StoreError 5 if it would read itself, 165 if too many views are nested, 167 for another collation than that of
 * the view that it reads
 */
export function checkDefinition(definitions: Definitions, { db, name, on, collation }: ViewDefinition): void {
  let depth = 1;
  for (let next: string | undefined = on; next !== undefined; depth += 1) {
    if (next === name) throw new StoreError(5, `View cycle detected: the view ${db}.${name} would read itself`);
    if (depth > maxDepth) throw new StoreError(165, `View depth limit exceeded; maximum depth is ${maxDepth}`);
    const inner: ViewDefinition | undefined = definitions.definition(db, next);
    if (inner !== undefined && !sameCollation(inner.collation, collation))
      throw new StoreError(167, `View ${db}.${name} has a collation that does not match that of ${db}.${next}`);
    next = inner?.on;
  }
}

/** The options of a view as `listCollections` shows them. */
export const viewOptions = ({
  on,
  pipeline,
  collation,
}: Pick<ViewDefinition, 'on' | 'pipeline' | 'collation'>): Doc => ({
  viewOn: on,
  pipeline: [...pipeline],
  ...(collation ? { collation: collation.shown } : {}),
});

/** The record of a view in the data file. */
export const viewRecord = (view: ViewDefinition): Doc => ({
  db: view.db,
  name: view.name,
  uuid: new Binary(view.uuid, Binary.SUBTYPE_UUID),
  view: viewOptions(view),
});

/** Reads a record; undefined for that of a collection. @throws Error for an invalid one */
export function readView(id: number, { db, name, uuid, view }: Doc): ViewDefinition | undefined {
  if (view === undefined) return undefined;
  const { viewOn: on, pipeline, collation } = isDoc(view) ? view : {};
  const isNamed = typeof db === 'string' && typeof name === 'string' && uuid instanceof Binary;
  if (!isNamed || typeof on !== 'string' || !Array.isArray(pipeline))
    throw new Error(`the record of view ${id} is invalid`);
  return {
    id,
    db,
    name,
    uuid: uuid.buffer,
    on,
    pipeline: pipeline.filter(isDoc),
    collation: isDoc(collation) ? readCollation(collation) : undefined,
  };
}

/** The refusal of a command that views do not support. */
export const notOnView = (db: string, name: string): StoreError =>
  new StoreError(166, `Namespace ${db}.${name} is a view, not a collection`);
