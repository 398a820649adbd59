/** Puts the hits of a text search in order of their scores, without reading their documents. */
import { sortTooLarge } from 'dossier-language/sort';
import type { Hit } from 'dossier-language/text';

/** Estimated bytes of a hit, and of a score that no earlier hit has. */
const hitBytes = 8;
const scoreBytes = 200;
const batchLength = 128;

/**
 * The hits with the highest scores first, those of one score in natural order. Most hits share few scores, so they are
 * gathered by score, and the scores are sorted. It yields an empty batch for each batch that it gathers.
 * @throws StoreError 292 if the hits exceed the memory limit
 */
export function* inScoreOrder(batches: Iterable<readonly Hit[]>, maxBytes: number): Generator<readonly Hit[]> {
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
  for (const score of [...byScore.keys()].sort((a, b) => b - a)) {
    const sequences = byScore.get(score) ?? [];
    for (let at = 0; at < sequences.length; at += batchLength)
      yield sequences.slice(at, at + batchLength).map((sequence) => ({ sequence, score }));
  }
}
