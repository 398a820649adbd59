/** Reads the documents of a query in order, in groups. */
import { StoreError } from 'dossier-language/errors';
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
import { SequenceSet } from './sequence-set.ts';
import { keysToSkip, positionOf } from './skipping.ts';
import type { DocReader, StoredDocument } from './stored-document.ts';
import type { WalkOptions } from './tree.ts';

/** Counters for `explain`. */
export interface Counts {
  keys: number;
  documents: number;
}

/** The parameters of a read, besides the collection. */
export interface Reading {
  readonly plan: Plan;
  readonly matcher: Matcher;
  /** Reads the fields of a document that the filter needs, and those that the sort needs. */
  readonly filterDoc: DocReader;
  readonly sortDoc: DocReader;
  /** The requested sort; undefined for natural or index order. */
  readonly sort: Sort | undefined;
  readonly sortFields: readonly SortField[];
  readonly collation: Collation | undefined;
  readonly skip: number;
  /** What the plan finds and the filter does not match, if it is known, so that documents to skip are counted by their keys. */
  readonly unmatched?: Reading | 'none' | undefined;
  readonly limit: number;
  readonly clock: Clock;
  readonly counts: Counts;
  /** Maximum bytes of a sort. */
  readonly memoryBytes: number;
  /** The documents of a text search, if the filter has `$text`; they can be read once. */
  readonly found?: Iterable<readonly StoredDocument[]>;
  /** The text score of a document. */
  readonly scoreOf?: (doc: Doc) => number;
}

const groupSize = 128;

/** Documents in groups. */
export type Groups = AsyncGenerator<readonly StoredDocument[]>;

/** The documents of a query in groups that are not empty. */
export async function* readGroups(collection: Collection, reading: Reading): Groups {
  const { unmatched, skip, limit } = reading;
  if (unmatched === undefined || !isInOrder(reading)) {
    yield* sliced(ordered(collection, reading, { skip: 0, left: skip }), skip, limit);
  } else {
    const positions = unmatched === 'none' ? [] : await positionsOf(collection, reading, unmatched);
    yield* sliced(ordered(collection, reading, { skip: keysToSkip(skip, positions), left: 0 }), 0, limit);
  }
}

/** The positions of the keys of documents that the plan of a reading finds and its filter does not match. */
async function positionsOf(
  collection: Collection,
  { plan, counts }: Reading,
  unmatched: Reading,
): Promise<readonly number[]> {
  const positions: number[] = [];
  for await (const group of readGroups(collection, unmatched)) {
    counts.documents += group.length;
    for (const stored of group) positions.push(positionOf(collection, plan, stored) ?? Number.POSITIVE_INFINITY);
  }
  return positions;
}

/** The documents to skip: by keys, and those left to read. */
interface Skips {
  readonly skip: number;
  readonly left: number;
}

function ordered(collection: Collection, reading: Reading, { skip, left }: Skips): Groups {
  const { sort, limit } = reading;
  const inOrder = isInOrder(reading);
  const size = inOrder && limit > 0 ? Math.min(groupSize, left + limit) : groupSize;
  const matching = matches(candidates(collection, reading, { skip, wanted: size }), size, reading);
  if (sort === undefined || inOrder) return matching;
  const leading = leadingOf(reading);
  return leading === undefined ? sortedWhole(matching, sort, reading) : sortedRuns(matching, sort, leading, reading);
}

/** Whether the plan finds the documents in the requested order. */
export function isInOrder({ plan, sort, sortFields }: Reading): boolean {
  if (sort === undefined) return true;
  if (plan.kind === 'text') return plan.order === 'score and id' || (plan.order === 'score' && sortFields.length === 0);
  if (plan.kind === 'all') return sortFields[0]?.path === '$natural';
  return sortFields.length > 0 && plan.use.sorted === sortFields.length;
}

/** The values of the leading sort fields in whose order the plan finds the documents; undefined if there are none. */
function leadingOf({ plan, sortFields, scoreOf }: Reading): ((doc: Doc) => readonly Value[]) | undefined {
  if (plan.kind === 'text') return plan.order === 'score' && scoreOf ? (doc) => [scoreOf(doc)] : undefined;
  if (plan.kind === 'all' || plan.use.sorted === 0) return undefined;
  const paths = sortFields.slice(0, plan.use.sorted).map(({ path }) => path);
  return (doc) => paths.map((path) => get(doc, path) ?? null);
}

function* candidates(
  collection: Collection,
  { plan, found, memoryBytes }: Reading,
  { skip, wanted }: Pick<Required<WalkOptions>, 'skip' | 'wanted'>,
): Generator<readonly StoredDocument[]> {
  if (plan.kind === 'text') {
    if (found !== undefined) yield* found;
  } else if (plan.kind === 'all') {
    yield* collection.scan({ backwards: plan.backwards, skip, wanted });
  } else {
    const { tree, ranges, backwards } = plan.use;
    const seen = tree.multikey ? new SequenceSet() : undefined;
    let toSkip = skip;
    for (const range of ranges) {
      const options = { backwards, skip: toSkip, wanted };
      toSkip = toSkip === 0 ? 0 : Math.max(0, toSkip - tree.countIn(range));
      for (const block of collection.between(tree, range, options))
        yield seen ? firstSeen(block, seen, memoryBytes) : block;
    }
  }
}

/** A document with an array has several keys, and is returned once. */
function firstSeen(
  block: readonly StoredDocument[],
  seen: SequenceSet,
  memoryBytes: number,
): readonly StoredDocument[] {
  if (seen.bytes > memoryBytes)
    throw new StoreError(
      146,
      `the query needs more than ${memoryBytes} bytes to return each document of an index once`,
    );
  return block.filter(({ sequence }) => seen.add(sequence));
}

/**
 * The documents that match the filter, in groups. Groups are small if few documents are wanted, to examine no more than
 * needed.
 */
async function* matches(source: Iterable<readonly StoredDocument[]>, size: number, reading: Reading): Groups {
  const { matcher, filterDoc, clock, counts, plan } = reading;
  let group: StoredDocument[] = [];
  for (const block of source) {
    for (const stored of block) {
      counts.documents += 1;
      if (plan.kind === 'index') counts.keys += 1;
      if (matcher.matches(filterDoc(stored))) group.push(stored);
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

const boundsOf = ({ limit, skip, memoryBytes, clock, sortDoc }: Reading): SortBounds<StoredDocument> => ({
  wanted: limit === 0 ? Number.POSITIVE_INFINITY : skip + limit,
  memoryBytes,
  docOf: sortDoc,
  sizeOf: ({ size }) => size,
  pause: () => clock.operation.yield(),
});

/**
 * Sorts documents that the plan returns in the order of the leading sort fields: each run of equal values by itself.
 */
async function* sortedRuns(
  source: Groups,
  sort: Sort,
  leading: (doc: Doc) => readonly Value[],
  reading: Reading,
): Groups {
  const buffer = new SortBuffer(sort, boundsOf(reading));
  let values: readonly Value[] = [];
  for await (const group of source) {
    const done: StoredDocument[] = [];
    for (const stored of group) {
      const next = leading(reading.sortDoc(stored));
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

/** The documents as values. */
export async function* documentsIn(
  groups: AsyncIterable<readonly StoredDocument[]>,
  docOf: DocReader,
): AsyncGenerator<readonly Doc[]> {
  for await (const group of groups) yield group.map(docOf);
}

/** One group of documents in memory. */
export async function* oneGroup(docs: readonly Doc[]): AsyncGenerator<readonly Doc[]> {
  if (docs.length > 0) yield docs;
}
