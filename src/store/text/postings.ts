/** Which documents have a word, and how much it counts in each: one flat list of numbers, as there are millions of them. */

/** Sequences in ascending order, each followed by its score. Both are numbers, so that V8 keeps them unboxed. */
type Flat = number[];

/** The place of a sequence, or where it belongs. */
function placeOf(flat: Flat, sequence: number): number {
  // new documents come last
  if ((flat[flat.length - 2] ?? -1) < sequence) return flat.length;
  let [low, high] = [0, flat.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((flat[middle * 2] ?? 0) < sequence) low = middle + 1;
    else high = middle;
  }
  return low * 2;
}

/** The words of many documents. */
export class Postings {
  readonly #byTerm = new Map<string, Flat>();

  /** Sets what a word counts in a document. */
  put(term: string, sequence: number, score: number): void {
    const flat = this.#byTerm.get(term);
    if (flat === undefined) {
      this.#byTerm.set(term, [sequence, score]);
      return;
    }
    const at = placeOf(flat, sequence);
    if (flat[at] === sequence) flat[at + 1] = score;
    else if (at === flat.length) flat.push(sequence, score);
    else flat.splice(at, 0, sequence, score);
  }

  /** Takes a document from a word; nothing happens when it is not there. */
  delete(term: string, sequence: number): void {
    const flat = this.#byTerm.get(term);
    if (flat === undefined) return;
    const at = placeOf(flat, sequence);
    if (flat[at] !== sequence) return;
    if (flat.length === 2) this.#byTerm.delete(term);
    else flat.splice(at, 2);
  }

  /** Goes through the documents of a word, by their sequences. */
  each(term: string, take: (sequence: number, score: number) => void): void {
    const flat = this.#byTerm.get(term) ?? [];
    for (let at = 0; at < flat.length; at += 2) take(flat[at] ?? 0, flat[at + 1] ?? 0);
  }
}
