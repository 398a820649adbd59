/** Counts the documents that a query skips by the keys of its plan, without reading them. */
import type { Collation, Doc } from 'dossier-language/values';
import type { Collection } from './collection.ts';
import { differencesOf } from './differences.ts';
import { isExact } from './exact-ranges.ts';
import type { Plan } from './planner.ts';
import type { StoredDocument } from './stored-document.ts';

/** Whether a plan finds exactly the documents of a filter. */
const finds = (plan: Plan, filter: Doc, collation: Collation | undefined): boolean =>
  plan.kind === 'index'
    ? isExact(plan.use, filter, collation)
    : plan.kind === 'scan' && Object.keys(filter).length === 0;

/** A planned query that skips documents. */
export interface Skipping {
  readonly plan: Plan;
  readonly filter: Doc;
  readonly skip: number;
  readonly collation: Collation | undefined;
}

/**
 * The filter of the documents that a plan finds and a query does not match, if they are fewer than those that it skips; `'none'` if there
 * are none, undefined if the documents to skip must be read.
 */
export function unmatchedOf(
  collection: Collection,
  { plan, filter, skip, collation }: Skipping,
): Doc | 'none' | undefined {
  if (skip === 0 || plan.kind === 'text') return undefined;
  if (finds(plan, filter, collation)) return 'none';
  const rangeCount = plan.kind === 'index' ? plan.use.ranges.length : 1;
  return differencesOf(collection, filter, collation).find(
    ({ rest, maxExcluded }) => maxExcluded * rangeCount < skip && finds(plan, rest, collation),
  )?.excluded;
}

/** The number of keys until a number of documents that match is skipped. @param unmatched positions of the keys of other documents */
export function keysToSkip(skip: number, unmatched: readonly number[]): number {
  let keys = skip;
  for (const position of unmatched.toSorted((a, b) => a - b)) {
    if (position > keys) break;
    keys += 1;
  }
  return keys;
}

/** The number of keys that a plan finds before that of a document; undefined if it does not find it. */
export function positionOf(collection: Collection, plan: Plan, stored: StoredDocument): number | undefined {
  if (plan.kind === 'index') return plan.use.tree.keysBefore(stored, plan.use.ranges, plan.use.backwards);
  return plan.kind === 'scan' ? collection.documentsBefore(stored, plan.backwards) : undefined;
}
