/** Puts documents with the same text score in the order of their `_id`, without reading all of them where they are many. */
import { sortTooLarge } from 'dossier-language/sort';
import type { Value } from 'dossier-language/values';
import { compare } from 'dossier-language/values';
import type { IndexTree } from './index-tree.ts';
import { mergeRuns } from './run-merge.ts';
import { SequenceSet } from './sequence-set.ts';
import { type DocumentSnapshot, readerOf } from './stored-document.ts';

/** Entries of the index that can be read in the time that a document takes. */
const entriesPerDocument = 16;
/** Sequences between two pauses. */
const batchLength = 128;
/** Reads the `_id` of a document. */
const idOf = readerOf(new Set(['_id']));
/** Ids that are sorted at once. */
const runLength = 8 * batchLength;
/** Estimated bytes of an id in memory. */
const idBytes = 100;

/** Yields sequences in another order, in batches; empty ones are pauses. */
export type Reorder = (sequences: readonly number[]) => Iterable<readonly number[]>;

interface Identified {
  readonly sequence: number;
  readonly id: Value;
}

/** The documents of a search, and the order of their ids. */
interface Ids {
  /** The `_id` index without a collation, in a version that later writes do not change. */
  readonly index: IndexTree;
  readonly documents: DocumentSnapshot;
  readonly backwards: boolean;
  /** Maximum bytes of ids. */
  readonly maxBytes: number;
}

/** Walks the index where that is faster than reading the documents, otherwise reads them. @throws StoreError 292 */
export const byId =
  (ids: Ids): Reorder =>
  (sequences) =>
    sequences.length * entriesPerDocument < ids.index.size ? sorted(sequences, ids) : walked(sequences, ids);

function* walked(sequences: readonly number[], { index, backwards }: Ids): Generator<readonly number[]> {
  const wanted = new SequenceSet();
  for (const [at, sequence] of sequences.entries()) {
    wanted.add(sequence);
    if (at % runLength === 0) yield [];
  }
  let left = sequences.length;
  for (const block of index.between({ low: [], high: [] }, { backwards })) {
    const found = block.filter((sequence) => wanted.has(sequence));
    yield found;
    left -= found.length;
    if (left === 0) return;
  }
}

function* sorted(sequences: readonly number[], { documents, backwards, maxBytes }: Ids): Generator<readonly number[]> {
  if (sequences.length * idBytes > maxBytes) throw sortTooLarge(maxBytes);
  const order = (a: Identified, b: Identified): number => (backwards ? compare(b.id, a.id) : compare(a.id, b.id));
  const runs: Identified[][] = [];
  for (let at = 0; at < sequences.length; at += batchLength) {
    if (at % runLength === 0) {
      runs.at(-1)?.sort(order);
      runs.push([]);
    }
    for (const sequence of sequences.slice(at, at + batchLength)) {
      const stored = documents.bySequence(sequence);
      if (stored !== undefined) runs.at(-1)?.push({ sequence, id: idOf(stored)['_id'] });
    }
    yield [];
  }
  runs.at(-1)?.sort(order);
  let batch: number[] = [];
  for (const { sequence } of mergeRuns(runs, order)) {
    batch.push(sequence);
    if (batch.length < batchLength) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
