/** Applies an update to the documents it is meant for, or inserts a new one where an upsert finds none. */
import { compileDocumentPipeline } from 'dossier-language/aggregate';
import { StoreError } from 'dossier-language/errors';
import type { Matcher } from 'dossier-language/query';
import { compileUpdate, seedOf } from 'dossier-language/update';
import { keyOf } from 'dossier-language/values';
import type { Doc, Value } from 'dossier-language/values';
import type { Collection } from './collection.ts';
import { chargeOf, pipelineContext, type Surroundings } from './pipeline-context.ts';
import type { Query } from './query.ts';
import type { Stored } from './stored.ts';
import { oneByOne, targetsOf } from './targets.ts';

/** One update. */
export interface Update {
  readonly query: Query;
  readonly change: Doc | readonly Doc[];
  readonly multi: boolean;
  readonly upsert: boolean;
  readonly arrayFilters: readonly Doc[] | undefined;
  /** Constants of a pipeline (`c`), as variables. */
  readonly constants: Doc | undefined;
}

/** What an update did. */
export interface Updated {
  matched: number;
  modified: number;
  /** The first document, before and after. */
  before: Stored | undefined;
  after: Stored | undefined;
  upserted: Stored | undefined;
}

type Compiled = ReturnType<typeof compileUpdate>;

/** Carries an update out. */
export async function applyUpdate(
  collection: Collection,
  update: Update,
  surroundings: Surroundings,
): Promise<Updated> {
  const { view } = surroundings;
  const query = update.multi ? update.query : { ...update.query, limit: 1 };
  const targets = await targetsOf(
    collection,
    query,
    update.upsert ? { ...surroundings, pass: undefined } : surroundings,
  );
  const { found } = targets;
  const compiled = compileChange(update, targets.matcher, surroundings);
  if (update.multi && compiled.isReplacement)
    throw new StoreError(9, 'multi update is not supported for replacement-style update');
  const result: Updated = {
    matched: 0,
    modified: 0,
    before: found[0],
    after: found[0],
    upserted: undefined,
  };
  for await (const stored of oneByOne(collection, targets, surroundings)) {
    result.matched += 1;
    const next = compiled.apply(stored.doc, false);
    if (next === stored.doc) continue;
    const after = view.replace(collection, stored, next, compiled.isReplacement);
    if (stored === found[0]) result.after = after;
    result.modified += 1;
  }
  if (found.length === 0 && update.upsert) result.upserted = upsert(collection, update, compiled, surroundings);
  return result;
}

function compileChange(update: Update, filter: Matcher, surroundings: Surroundings): Compiled {
  return compileUpdate(update.change, {
    filter,
    ...(update.arrayFilters ? { arrayFilters: update.arrayFilters } : {}),
    now: surroundings.now,
    collation: surroundings.collation,
    charge: chargeOf(surroundings),
    pipeline: (stages: readonly Doc[]) => compileUpdatePipeline(stages, update, surroundings),
  });
}

function compileUpdatePipeline(stages: readonly Doc[], update: Update, surroundings: Surroundings): (doc: Doc) => Doc {
  const variables = { ...surroundings.let, ...update.constants };
  return compileDocumentPipeline(stages, pipelineContext({ ...surroundings, let: variables }));
}

function upsert(collection: Collection, update: Update, compiled: Compiled, { view }: Surroundings): Stored {
  const seed = seedOf(update.query.filter);
  const doc = compiled.apply(compiled.isReplacement ? idOf(seed) : seed, true);
  if (Object.hasOwn(seed, '_id')) checkSameId(seed, doc);
  return view.insert(view.ensure(collection.db, collection.name), doc);
}

const idOf = (seed: Doc): Doc => (Object.hasOwn(seed, '_id') ? { _id: seed['_id'] } : {});

function checkSameId(before: Doc, after: Doc): void {
  const [old, next]: readonly Value[] = [before['_id'], after['_id']];
  if (old !== next && keyOf(old) !== keyOf(next)) {
    throw new StoreError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
  }
}
