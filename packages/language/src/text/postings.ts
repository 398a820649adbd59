/** The postings of all terms. */
import { ScoreTable } from './packed.ts';
import { PostingList } from './posting-list.ts';

/** The terms of many documents. */
export class Postings {
  readonly #byTerm = new Map<string, PostingList>();
  readonly #table = new ScoreTable();

  /** Sets the score of a term in a document. */
  put(term: string, sequence: number, score: number): void {
    let list = this.#byTerm.get(term);
    if (list === undefined) {
      list = new PostingList(this.#table);
      this.#byTerm.set(term, list);
    }
    list.put(sequence, score);
  }

  /** Removes a document from a term; does nothing if it is missing. */
  delete(term: string, sequence: number): void {
    const list = this.#byTerm.get(term);
    list?.delete(sequence);
    if (list?.empty === true) this.#byTerm.delete(term);
  }

  /** The lists of those terms that occur, in the order of the terms. */
  listsOf(terms: Iterable<string>): readonly PostingList[] {
    return [...terms].flatMap((term) => this.#byTerm.get(term) ?? []);
  }
}
