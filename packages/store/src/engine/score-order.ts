/** Puts the hits of a text search in order of their scores, without reading their documents. */
import { sortTooLarge } from 'dossier-language/sort';
import type { Hit } from 'dossier-language/text';
import type { Reorder } from './id-order.ts';

/** Estimated bytes of a hit, and of a score that no earlier hit has. */
const hitBytes = 8;
const scoreBytes = 200;
const batchLength = 128;

/**
 * The hits with the highest scores first. Most hits share few scores, so they are gathered by score, and the scores are
 * sorted. It yields an empty batch for each batch that it gathers.
 * @param ties the order of the hits of one score; by default their natural order
 * @throws StoreError 292 if the hits exceed the memory limit
 */
export function* inScoreOrder(
  batches: Iterable<readonly Hit[]>,
  maxBytes: number,
  ties: Reorder = inBatches,
): Generator<readonly Hit[]> {
  const byScore = new Map<number, number[]>();
  let bytes = 0;
  for (const batch of batches) {
    for (const { sequence, score } of batch) {
      const sequences = byScore.get(score);
      if (sequences === undefined) byScore.set(score, [sequence]);
      else sequences.push(sequence);
      bytes += sequences === undefined ? scoreBytes : hitBytes;
    }
    if (bytes > maxBytes) throw sortTooLarge(maxBytes);
    yield [];
  }
  for (const score of [...byScore.keys()].sort((a, b) => b - a))
    for (const batch of ties(byScore.get(score) ?? [])) yield batch.map((sequence) => ({ sequence, score }));
}

function* inBatches(sequences: readonly number[]): Generator<readonly number[]> {
  for (let at = 0; at < sequences.length; at += batchLength) yield sequences.slice(at, at + batchLength);
}
