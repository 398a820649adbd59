/** Reads the documents of a query in order, in groups. */
import { StoreError } from 'dossier-language/errors';
import type { Matcher } from 'dossier-language/query';
import { type Sort, type SortBounds, SortBuffer } from 'dossier-language/sort';
import type { Collation } from 'dossier-language/values';
import type { Doc, Value } from 'dossier-language/values';
import { compare } from 'dossier-language/values';
import { get } from 'dossier-language/values';
import type { SortField } from './bounds.ts';
import type { Collection } from './collection.ts';
import type { CursorWork } from './cursor-work.ts';
import type { Plan } from './planner.ts';
import { SequenceSet } from './sequence-set.ts';
import { keysToSkip, positionOf } from './skipping.ts';
import type { DocReader, StoredDocument } from './stored-document.ts';
import type { WalkOptions } from './tree.ts';

/** The numbers of keys and documents examined, for `explain`. */
export interface ExaminedCounts {
  keys: number;
  documents: number;
}

/** How the documents of a query are read: the plan of the query, its sort and its limits. */
export interface ReadPlan {
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
  readonly unmatched?: ReadPlan | 'none' | undefined;
  readonly limit: number;
  readonly work: CursorWork;
  /** Yields the write lock after each yield to other commands; undefined if the command must not. */
  readonly yieldLock?: () => Promise<void>;
  readonly counts: ExaminedCounts;
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
export async function* readGroups(collection: Collection, readPlan: ReadPlan): Groups {
  const { unmatched, skip, limit } = readPlan;
  if (unmatched === undefined || !isInOrder(readPlan)) {
    yield* sliced(ordered(collection, readPlan, { skip: 0, toRead: skip }), skip, limit);
  } else {
    const positions = unmatched === 'none' ? [] : await positionsOf(collection, readPlan, unmatched);
    yield* sliced(ordered(collection, readPlan, { skip: keysToSkip(skip, positions), toRead: 0 }), 0, limit);
  }
}

/** The positions of the keys of documents that a plan finds and its filter does not match. */
async function positionsOf(
  collection: Collection,
  { plan, counts }: ReadPlan,
  unmatched: ReadPlan,
): Promise<readonly number[]> {
  const positions: number[] = [];
  for await (const group of readGroups(collection, unmatched)) {
    counts.documents += group.length;
    for (const stored of group) positions.push(positionOf(collection, plan, stored) ?? Number.POSITIVE_INFINITY);
  }
  return positions;
}

/** The documents to skip: by keys, and those left to read. */
interface SkipCounts {
  readonly skip: number;
  readonly toRead: number;
}

function ordered(collection: Collection, readPlan: ReadPlan, { skip, toRead }: SkipCounts): Groups {
  const { sort, limit } = readPlan;
  const inOrder = isInOrder(readPlan);
  const size = inOrder && limit > 0 ? Math.min(groupSize, toRead + limit) : groupSize;
  const matching = matches(candidates(collection, readPlan, { skip, wanted: size }), size, readPlan);
  if (sort === undefined || inOrder) return matching;
  const leading = leadingOf(readPlan);
  return leading === undefined ? sortedWhole(matching, sort, readPlan) : sortedRuns(matching, sort, leading, readPlan);
}

/** Whether the plan finds the documents in the requested order. */
export function isInOrder({ plan, sort, sortFields }: ReadPlan): boolean {
  if (sort === undefined) return true;
  if (plan.kind === 'text') return plan.order === 'score and id' || (plan.order === 'score' && sortFields.length === 0);
  if (plan.kind === 'scan') return sortFields[0]?.path === '$natural';
  return sortFields.length > 0 && plan.use.sortedFields === sortFields.length;
}

/** The values of the leading sort fields in whose order the plan finds the documents; undefined if there are none. */
function leadingOf({ plan, sortFields, scoreOf }: ReadPlan): ((doc: Doc) => readonly Value[]) | undefined {
  if (plan.kind === 'text') return plan.order === 'score' && scoreOf ? (doc) => [scoreOf(doc)] : undefined;
  if (plan.kind === 'scan' || plan.use.sortedFields === 0) return undefined;
  const paths = sortFields.slice(0, plan.use.sortedFields).map(({ path }) => path);
  return (doc) => paths.map((path) => get(doc, path) ?? null);
}

function* candidates(
  collection: Collection,
  { plan, found, memoryBytes }: ReadPlan,
  { skip, wanted }: Pick<Required<WalkOptions>, 'skip' | 'wanted'>,
): Generator<readonly StoredDocument[]> {
  if (plan.kind === 'text') {
    if (found !== undefined) yield* found;
  } else if (plan.kind === 'scan') {
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
async function* matches(source: Iterable<readonly StoredDocument[]>, size: number, readPlan: ReadPlan): Groups {
  const { matcher, filterDoc, work, counts, plan } = readPlan;
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
      if (work.operation.due()) await yieldBoth(readPlan);
    }
    // a block of a text search may be empty
    if (work.operation.due()) await yieldBoth(readPlan);
  }
  if (group.length > 0) yield group;
}

async function yieldBoth({ work, yieldLock }: ReadPlan): Promise<void> {
  await work.operation.yieldNow();
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
async function* sortedWhole(source: Groups, sort: Sort, readPlan: ReadPlan): Groups {
  const buffer = new SortBuffer(sort, boundsOf(readPlan));
  for await (const group of source) for (const stored of group) buffer.add(stored);
  yield* groupsOf(await buffer.take());
}

const boundsOf = ({ limit, skip, memoryBytes, work, sortDoc }: ReadPlan): SortBounds<StoredDocument> => ({
  wanted: limit === 0 ? Number.POSITIVE_INFINITY : skip + limit,
  memoryBytes,
  docOf: sortDoc,
  sizeOf: ({ size }) => size,
  pause: () => work.operation.yield(),
});

/**
 * Sorts documents that the plan returns in the order of the leading sort fields: each run of equal values by itself.
 */
async function* sortedRuns(
  source: Groups,
  sort: Sort,
  leading: (doc: Doc) => readonly Value[],
  readPlan: ReadPlan,
): Groups {
  const buffer = new SortBuffer(sort, boundsOf(readPlan));
  let values: readonly Value[] = [];
  for await (const group of source) {
    const done: StoredDocument[] = [];
    for (const stored of group) {
      const next = leading(readPlan.sortDoc(stored));
      if (buffer.size > 0 && next.some((value, at) => compare(value, values[at], readPlan.collation) !== 0)) {
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
