/** The text index of a collection: the words of its documents, and which documents a search finds. */
import { indexBeingBuilt } from '../errors.ts';
import { compileFilter, type Matcher, type TextQuery } from '../query/index.ts';
import { TextIndexData, type TermScores } from '../text/index.ts';
import type { IndexSpec } from './index-spec.ts';
import type { Stored } from './stored.ts';
import { UniqueWords } from './unique-words.ts';

/** A document that a search found. */
export interface TextHit {
  readonly stored: Stored;
  readonly score: number;
}

/** A text index. Words are in memory; of a document only its number is kept. */
export class TextTree {
  readonly spec: IndexSpec;
  readonly #data: TextIndexData;
  readonly #partial: Matcher | undefined;
  readonly #unique: UniqueWords | undefined;
  /** All documents are in it. Before that it takes writes, and refuses searches. */
  ready = false;

  constructor(spec: IndexSpec) {
    this.spec = spec;
    this.#data = new TextIndexData(spec.shown);
    this.#partial = spec.partial && compileFilter(spec.partial);
    this.#unique = spec.unique ? new UniqueWords(spec) : undefined;
  }

  /**
   * Reads a document's words, before anything is changed; undefined when the index leaves the document out.
   * @throws StoreError 17261 or 17262 when it names a language that isn't known, 11000 when a unique key is another
   * document's already
   */
  read(stored: Stored, ns: string): TermScores | undefined {
    const scores = this.#scoresOf(stored);
    if (scores !== undefined) this.#unique?.check(stored, scores, ns);
    return scores;
  }

  #scoresOf({ doc }: Stored): TermScores | undefined {
    return this.#partial !== undefined && !this.#partial.matches(doc) ? undefined : this.#data.read(doc);
  }

  /** Adds a document with the words that were read, or reads them without a check. */
  add(stored: Stored, scores = this.#scoresOf(stored)): void {
    if (scores === undefined) return;
    this.#data.add(stored.sequence, scores);
    this.#unique?.add(stored, scores);
  }

  /** Takes a document's words away. */
  remove(stored: Stored): void {
    const scores = this.#scoresOf(stored);
    if (scores === undefined) return;
    this.#unique?.remove(stored, scores);
    this.#data.remove(stored.sequence, scores);
  }

  /**
   * The documents that a search finds, with their scores.
   * @param latest a document by its number; undefined when it is gone
   * @throws StoreError 12587 while the index is being built
   */
  search(query: TextQuery, latest: (sequence: number) => Stored | undefined): readonly TextHit[] {
    if (!this.ready) throw indexBeingBuilt();
    const hits: TextHit[] = [];
    for (const [sequence, score] of this.#data.search(query, (number) => latest(number)?.doc)) {
      const stored = latest(sequence);
      if (stored !== undefined) hits.push({ stored, score });
    }
    return hits;
  }
}
