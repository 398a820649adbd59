/** Finds the documents that a write is meant for, before any of them is changed. */
import type { Matcher } from '../query/index.ts';
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

/** Finds all documents of a query. */
export async function targetsOf(collection: Collection, query: Query, surroundings: Surroundings): Promise<Targets> {
  const { reading, matcher, textScore } = prepareQuery(collection, query, surroundings);
  const found: Stored[] = [];
  for await (const group of readGroups(collection, reading)) found.push(...group);
  return { found, matcher, textScore };
}
