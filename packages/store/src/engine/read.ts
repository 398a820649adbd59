/** Reads the documents of a query in order, in groups. */
import type { Matcher } from 'dossier-language/query';
import { type Sort, type SortBounds, SortBuffer } from 'dossier-language/sort';
import type { Collation } from 'dossier-language/values';
import type { Doc, Value } from 'dossier-language/values';
import { compare } from 'dossier-language/values';
import { get } from 'dossier-language/values';
import type { SortField } from './bounds.ts';
import type { Clock } from './clock.ts';
import type { Collection } from './collection.ts';
import type { Plan } from './planner.ts';
import type { StoredDocument } from './stored-document.ts';

/** Counters for `explain`. */
export interface Counts {
  keys: number;
  documents: number;
}

/** The parameters of a read, besides the collection. */
export interface Reading {
  readonly plan: Plan;
  readonly matcher: Matcher;
  /** The requested sort; undefined for natural or index order. */
  readonly sort: Sort | undefined;
  readonly sortFields: readonly SortField[];
  readonly collation: Collation | undefined;
  readonly skip: number;
  readonly limit: number;
  readonly clock: Clock;
  readonly counts: Counts;
  /** Maximum bytes of a sort. */
  readonly memoryBytes: number;
  /** The documents of a text search, if the filter has `$text`; they can be read once. */
  readonly found?: Iterable<readonly StoredDocument[]>;
}

const groupSize = 128;

/** Documents in groups. */
export type Groups = AsyncGenerator<readonly StoredDocument[]>;

/** The documents of a query in groups that are not empty. */
export function readGroups(collection: Collection, reading: Reading): Groups {
  return sliced(ordered(collection, reading), reading.skip, reading.limit);
}

function ordered(collection: Collection, reading: Reading): Groups {
  const { plan, sort, sortFields, skip, limit } = reading;
  const sorted = plan.kind === 'index' ? plan.use.sorted : 0;
  const natural = plan.kind === 'all' && sortFields[0]?.path === '$natural';
  const inOrder = sort === undefined || natural || (sortFields.length > 0 && sorted === sortFields.length);
  const size = inOrder && limit > 0 ? Math.min(groupSize, skip + limit) : groupSize;
  const matching = matches(candidates(collection, reading), size, reading);
  if (sort === undefined || inOrder) return matching;
  return sorted > 0
    ? sortedRuns(matching, sort, sortFields.slice(0, sorted), reading)
    : sortedWhole(matching, sort, reading);
}

function* candidates(collection: Collection, { plan, found }: Reading): Generator<readonly StoredDocument[]> {
  if (plan.kind === 'text') {
    if (found !== undefined) yield* found;
  } else if (plan.kind === 'all') {
    yield* collection.scan(plan.backwards);
  } else {
    const { tree, ranges, backwards } = plan.use;
    const seen = tree.multikey ? new Set<number>() : undefined;
    for (const range of ranges)
      for (const block of collection.between(tree, range, backwards)) yield seen ? firstSeen(block, seen) : block;
  }
}

/** A document with an array has several keys, and is returned once. */
const firstSeen = (block: readonly StoredDocument[], seen: Set<number>): readonly StoredDocument[] =>
  block.filter(({ sequence }) => !seen.has(sequence) && seen.add(sequence));

/**
 * The documents that match the filter, in groups. Groups are small if few documents are wanted, to examine no more than
 * needed.
 */
async function* matches(source: Iterable<readonly StoredDocument[]>, size: number, reading: Reading): Groups {
  const { matcher, clock, counts, plan } = reading;
  let group: StoredDocument[] = [];
  for (const block of source) {
    for (const stored of block) {
      counts.documents += 1;
      if (plan.kind === 'index') counts.keys += 1;
      if (matcher.matches(stored.doc)) group.push(stored);
      if (group.length >= size) {
        yield group;
        group = [];
      }
      if (clock.operation.due()) await yieldBoth(clock);
    }
    // a block of a text search may be empty
    if (clock.operation.due()) await yieldBoth(clock);
  }
  if (group.length > 0) yield group;
}

async function yieldBoth({ operation, yieldLock }: Clock): Promise<void> {
  await operation.yieldNow();
  await yieldLock?.();
}

async function* sliced(source: Groups, skip: number, limit: number): Groups {
  let toSkip = skip;
  let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  for await (const group of source) {
    const part = group.slice(toSkip, toSkip + left);
    toSkip = Math.max(0, toSkip - group.length);
    left -= part.length;
    if (part.length > 0) yield part;
    if (left <= 0) return;
  }
}

/** Sorts all documents and keeps only the wanted number. */
async function* sortedWhole(source: Groups, sort: Sort, reading: Reading): Groups {
  const buffer = new SortBuffer(sort, boundsOf(reading));
  for await (const group of source) for (const stored of group) buffer.add(stored);
  yield* groupsOf(await buffer.take());
}

const boundsOf = ({ limit, skip, memoryBytes, clock }: Reading): SortBounds<StoredDocument> => ({
  wanted: limit === 0 ? Number.POSITIVE_INFINITY : skip + limit,
  memoryBytes,
  docOf: ({ doc }) => doc,
  sizeOf: ({ size }) => size,
  pause: () => clock.operation.yield(),
});

/**
 * Sorts documents that the index returns in the order of the leading sort fields: each run of equal values by itself.
 */
async function* sortedRuns(source: Groups, sort: Sort, fields: readonly SortField[], reading: Reading): Groups {
  const buffer = new SortBuffer(sort, boundsOf(reading));
  let values: readonly Value[] = [];
  for await (const group of source) {
    const done: StoredDocument[] = [];
    for (const stored of group) {
      const next = fields.map(({ path }) => get(stored.doc, path) ?? null);
      if (buffer.size > 0 && next.some((value, at) => compare(value, values[at], reading.collation) !== 0)) {
        done.push(...(await buffer.take()));
      }
      values = next;
      buffer.add(stored);
    }
    if (done.length > 0) yield done;
  }
  yield* groupsOf(await buffer.take());
}

function* groupsOf(documents: readonly StoredDocument[]): Generator<readonly StoredDocument[]> {
  for (let at = 0; at < documents.length; at += groupSize) yield documents.slice(at, at + groupSize);
}

/** The documents without their versions and sizes. */
export async function* documentsIn(groups: AsyncIterable<readonly StoredDocument[]>): AsyncGenerator<readonly Doc[]> {
  for await (const group of groups) yield group.map((stored) => stored.doc);
}

/** One group of documents in memory. */
export async function* oneGroup(docs: readonly Doc[]): AsyncGenerator<readonly Doc[]> {
  if (docs.length > 0) yield docs;
}
