/** The text index of a collection: the words of its documents, and which documents a search finds. */
import { indexBeingBuilt } from 'dossier-language/errors';
import { compileFilter, type Matcher, type TextQuery } from 'dossier-language/query';
import { TextIndexData, type Hit, type TermScores } from 'dossier-language/text';
import type { Doc } from 'dossier-language/values';
import type { IndexSpec } from './index-spec.ts';
import type { Stored } from './stored.ts';
import { UniqueWords } from './unique-words.ts';

/** A document that a search found. */
export interface TextHit {
  readonly stored: Stored;
  readonly score: number;
}

/** What a search finds. */
export interface TextHits {
  /** In natural order, a batch at a time; a batch may be empty. */
  readonly batches: Iterable<readonly TextHit[]>;
  /** Whether a document among them also meets what its texts alone can tell, such as phrases. */
  readonly holds: (doc: Doc) => boolean;
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
   * Searches the documents that a collection has now. A document that is changed while the search runs is found as it is
   * when its batch is asked for.
   * @throws StoreError 12587 while the index is being built
   */
  search(query: TextQuery, documents: Searched): TextHits {
    if (!this.ready) throw indexBeingBuilt();
    const { hits, holds } = this.#data.search(query, documents.lastSequence);
    return { batches: resolved(hits, documents), holds };
  }
}

/** The documents that are searched. */
interface Searched {
  readonly lastSequence: number;
  bySequence(sequence: number): Stored | undefined;
}

function* resolved(batches: Iterable<readonly Hit[]>, documents: Searched): Generator<readonly TextHit[]> {
  for (const batch of batches) {
    yield batch.flatMap(({ sequence, score }) => {
      const stored = documents.bySequence(sequence);
      return stored === undefined ? [] : [{ stored, score }];
    });
  }
}
