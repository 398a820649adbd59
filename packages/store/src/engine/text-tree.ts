/** The text index of a collection. */
import { indexBeingBuilt } from 'dossier-language/errors';
import { compileFilter, type Matcher, type TextQuery } from 'dossier-language/query';
import { type Hit, type TermScores, TextIndexData, type TextSearch } from 'dossier-language/text';
import type { IndexSpec } from './index-spec.ts';
import type { StoredDocument } from './stored-document.ts';
import { UniqueWords } from './unique-words.ts';

/** A document that a search found. */
export interface TextHit {
  readonly stored: StoredDocument;
  readonly score: number;
}

/** A text index. It keeps terms in memory, and only the sequence of each document. */
export class TextTree {
  readonly spec: IndexSpec;
  readonly #data: TextIndexData;
  readonly #partial: Matcher | undefined;
  readonly #unique: UniqueWords | undefined;
  /** Whether it contains all documents. Before that it accepts writes and refuses searches. */
  ready = false;

  constructor(spec: IndexSpec) {
    this.spec = spec;
    this.#data = new TextIndexData(spec.shown);
    this.#partial = spec.partial && compileFilter(spec.partial);
    this.#unique = spec.unique ? new UniqueWords(spec) : undefined;
  }

  /**
   * Reads the terms of a document before anything changes; undefined if the index omits the document.
   * @throws StoreError 17261 or 17262 for an unknown language, 11000 if another document has a unique key
   */
  read(stored: StoredDocument, ns: string): TermScores | undefined {
    const scores = this.#scoresOf(stored);
    if (scores !== undefined) this.#unique?.check(stored, scores, ns);
    return scores;
  }

  #scoresOf({ doc }: StoredDocument): TermScores | undefined {
    return this.#partial !== undefined && !this.#partial.matches(doc) ? undefined : this.#data.read(doc);
  }

  /** Adds a document with its terms, or reads them without a check. */
  add(stored: StoredDocument, scores = this.#scoresOf(stored)): void {
    if (scores === undefined) return;
    this.#data.add(stored.sequence, scores);
    this.#unique?.add(stored, scores);
  }

  /** Removes the terms of a document. */
  remove(stored: StoredDocument): void {
    const scores = this.#scoresOf(stored);
    if (scores === undefined) return;
    this.#unique?.remove(stored, scores);
    this.#data.remove(stored.sequence, scores);
  }

  /**
   * Searches the documents of a collection. A document that changes during the search is found in its version at the
   * time of its batch.
   * @throws StoreError 12587 while the index is being built
   */
  search(query: TextQuery, documents: Searched): TextSearch<TextHit> {
    if (!this.ready) throw indexBeingBuilt();
    const { hits, holds } = this.#data.search(query, documents.lastSequence);
    return { hits: resolved(hits, documents), holds };
  }
}

/** The searched collection. */
interface Searched {
  readonly lastSequence: number;
  bySequence(sequence: number): StoredDocument | undefined;
}

function* resolved(batches: Iterable<readonly Hit[]>, documents: Searched): Generator<readonly TextHit[]> {
  for (const batch of batches) {
    yield batch.flatMap(({ sequence, score }) => {
      const stored = documents.bySequence(sequence);
      return stored === undefined ? [] : [{ stored, score }];
    });
  }
}
