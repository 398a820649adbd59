/** Which documents have which word, and the score of the word in each. */
import { ScoreTable } from './packed.ts';
import { PostingList } from './posting-list.ts';

/** The words of many documents. */
export class Postings {
  readonly #byTerm = new Map<string, PostingList>();
  readonly #table = new ScoreTable();

  /** Sets the score of a word in a document. */
  put(term: string, sequence: number, score: number): void {
    let list = this.#byTerm.get(term);
    if (list === undefined) {
      list = new PostingList(this.#table);
      this.#byTerm.set(term, list);
    }
    list.put(sequence, score);
  }

  /** Removes a document from a word; nothing happens when it is not there. */
  delete(term: string, sequence: number): void {
    const list = this.#byTerm.get(term);
    list?.delete(sequence);
    if (list?.empty === true) this.#byTerm.delete(term);
  }

  /** The documents of those words that occur, in the order of the words. */
  listsOf(terms: Iterable<string>): readonly PostingList[] {
    return [...terms].flatMap((term) => this.#byTerm.get(term) ?? []);
  }
}
