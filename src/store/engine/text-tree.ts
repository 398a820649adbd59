/** The text index of a collection: the words of its documents, and which documents a search finds. */
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

/** A text index. */
export class TextTree {
  readonly spec: IndexSpec;
  readonly #data: TextIndexData;
  readonly #partial: Matcher | undefined;
  readonly #unique: UniqueWords | undefined;
  readonly #documents = new Map<string, Stored>();

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
    if (this.#partial !== undefined && !this.#partial.matches(stored.doc)) return undefined;
    const scores = this.#data.read(stored.doc);
    this.#unique?.check(stored, scores, ns);
    return scores;
  }

  /** Adds a document with the words that were read. */
  add(stored: Stored, scores: TermScores | undefined): void {
    if (scores === undefined) return;
    const key = String(stored.sequence);
    this.#data.add(key, stored.doc, scores);
    this.#unique?.add(stored, scores);
    this.#documents.set(key, stored);
  }

  /** Takes a document's words away. */
  remove(stored: Stored): void {
    const key = String(stored.sequence);
    if (!this.#documents.delete(key)) return;
    this.#unique?.remove(stored, this.#data.read(stored.doc));
    this.#data.remove(key);
  }

  /** The documents that a search finds, with their scores. */
  search(query: TextQuery): readonly TextHit[] {
    const hits: TextHit[] = [];
    for (const [key, score] of this.#data.search(query)) {
      const stored = this.#documents.get(key);
      if (stored !== undefined) hits.push({ stored, score });
    }
    return hits;
  }
}
