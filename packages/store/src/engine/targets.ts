/** Finds the documents that a write is meant for, before any of them is changed, and gives them one by one. */
import { StoreError } from 'dossier-language/errors';
import type { Matcher } from 'dossier-language/query';
import type { Collection } from './collection.ts';
import type { Surroundings } from './pipeline-context.ts';
import { prepareQuery, type Query } from './query.ts';
import { readGroups } from './read.ts';
import type { Stored } from './stored.ts';

/** The documents that a filter finds, and the compiled filter, which knows the position for `$`. */
export interface Targets {
  readonly found: readonly Stored[];
  readonly matcher: Matcher;
  readonly textScore: ReturnType<typeof prepareQuery>['textScore'];
}

/**
 * Finds all documents of a query. Others may write meanwhile where that is allowed: `oneByOne` gives each document as it is
 * then. Where one document alone is meant, or a new one is made when none is found, nobody may.
 */
export async function targetsOf(collection: Collection, query: Query, surroundings: Surroundings): Promise<Targets> {
  const { reading, matcher, textScore } = prepareQuery(collection, query, surroundings);
  const { clock, pass } = surroundings;
  const alone = query.limit === 1 || textScore !== undefined || pass === undefined;
  const paced = alone ? reading : { ...reading, clock: { operation: clock.operation, pass } };
  const found: Stored[] = [];
  for await (const group of readGroups(collection, paced)) found.push(...group);
  return { found, matcher, textScore };
}

/**
 * The documents of a write in their order. Between two of them others may read, and write where that is allowed: each is
 * given as it is when its turn comes, and left out when it is gone or the filter no longer holds.
 * @throws StoreError 175 when the collection was dropped or renamed in between
 */
export async function* oneByOne(
  collection: Collection,
  { found, matcher, textScore }: Targets,
  { clock, view, pass }: Surroundings,
): AsyncGenerator<Stored> {
  for (const [index, stored] of found.entries()) {
    if (clock.operation.due()) await clock.operation.giveWay();
    // the documents that hold a text are known only for the time of the search
    if (textScore === undefined && pass !== undefined) {
      if (index > 0) await pass();
      if (view.find(collection.db, collection.name) !== collection) throw gone(collection);
    }
    const latest = collection.latest(stored);
    if (latest === stored || (latest !== undefined && matcher.matches(latest.doc))) yield latest;
  }
}

const gone = ({ ns }: Collection): StoreError =>
  new StoreError(175, `the collection ${ns} was dropped or renamed while its documents were written`);
