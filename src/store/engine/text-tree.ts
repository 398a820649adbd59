/** The text index of a collection: the words of its documents, and which documents a search finds. */
import { compileFilter, type Matcher, type TextQuery } from '../query/index.ts';
import { TextIndexData } from '../text/index.ts';
import type { IndexSpec } from './index-spec.ts';
import type { Stored } from './stored.ts';

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
  readonly #documents = new Map<string, Stored>();

  constructor(spec: IndexSpec) {
    this.spec = spec;
    this.#data = new TextIndexData(spec.shown);
    this.#partial = spec.partial && compileFilter(spec.partial);
  }

  /** Adds a document's words. */
  add(stored: Stored): void {
    if (this.#partial !== undefined && !this.#partial.matches(stored.doc)) return;
    const key = String(stored.sequence);
    this.#data.add(key, stored.doc);
    this.#documents.set(key, stored);
  }

  /** Takes a document's words away. */
  remove(stored: Stored): void {
    const key = String(stored.sequence);
    if (this.#documents.delete(key)) this.#data.remove(key);
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
