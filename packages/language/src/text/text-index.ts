/** A text index over the terms of documents. */
import type { TextQuery } from '../query/index.ts';
import type { Doc } from '../values/types.ts';
import { MergedPostings } from './merged.ts';
import { Postings } from './postings.ts';
import { readSearch, type Search } from './search.ts';
import { type FieldText, readTextSpec, textsOf, type TextSpec } from './spec.ts';
import { folded, Words } from './words.ts';

/** The terms of a document and their scores. */
export type TermScores = ReadonlyMap<string, number>;

/** A document that has terms of a search and none that the search excludes. */
export interface Hit {
  /** The document's number. */
  readonly sequence: number;
  readonly score: number;
}

/** The result of a search; `Match` is a hit, or the document that its number stands for. */
export interface TextSearch<Match = Hit> {
  /** In natural order, in batches that may be empty. Each batch reads the index as it is at that time. */
  readonly hits: Iterable<readonly Match[]>;
  /** Whether a hit also meets the conditions that the index cannot answer, such as phrases. */
  readonly holds: (doc: Doc) => boolean;
}

/** Minimum postings to read for one batch of hits. */
const minBatchWork = 1024;

/** The terms of a collection's documents. */
export class TextIndexData {
  readonly #spec: TextSpec;
  readonly #words = new Words();
  readonly #postings = new Postings();

  /** @throws StoreError 67 for a definition that MongoDB refuses */
  constructor(definition: Doc) {
    this.#spec = readTextSpec(definition);
  }

  /** The terms of a document and their scores. @throws StoreError 17261 or 17262 for an unknown language */
  read(doc: Doc): TermScores {
    const scores = new Map<string, number>();
    for (const field of textsOf(doc, this.#spec)) addScores(scores, field, this.#words.of(field.text, field.language));
    return scores;
  }

  /** Adds a document by its number. Adding it again with the same terms has no effect. */
  add(sequence: number, terms: TermScores): void {
    for (const [term, score] of terms) this.#postings.put(term, sequence, score);
  }

  /** Removes a document that had these terms. */
  remove(sequence: number, terms: TermScores): void {
    for (const term of terms.keys()) this.#postings.delete(term, sequence);
  }

  /** Searches the documents up to the last number. @throws StoreError 2 for an unknown language */
  search(query: TextQuery, last = Number.MAX_SAFE_INTEGER): TextSearch {
    const search = readSearch(query, this.#words, this.#spec.language);
    const checksTexts = needsTexts(search);
    return {
      hits: this.#hits(search, last),
      holds: checksTexts ? (doc) => this.#passes(doc, search) : () => true,
    };
  }

  /** Each batch reads the index as it is at that time. */
  *#hits(search: Search, last: number): Generator<readonly Hit[]> {
    const wanted = new MergedPostings(this.#postings.listsOf(search.terms));
    const excluded = new MergedPostings(this.#postings.listsOf(isExact(search) ? [] : search.excludedTerms));
    const batchWork = Math.max(minBatchWork, wanted.size + excluded.size);
    for (let from = 0; from <= last; from += 1) {
      wanted.reload(from);
      excluded.reload(from);
      const hits: Hit[] = [];
      const end = wanted.work + excluded.work + batchWork;
      while (wanted.sequence <= last && wanted.work + excluded.work < end) {
        from = wanted.sequence;
        const score = wanted.takeScore();
        excluded.seek(from);
        if (excluded.sequence !== from) hits.push({ sequence: from, score });
      }
      if (hits.length > 0 || wanted.sequence <= last) yield hits;
      if (wanted.sequence > last) return;
    }
  }

  /** Tests the conditions that the index cannot answer against the texts of a document. */
  #passes(doc: Doc, search: Search): boolean {
    const texts = textsOf(doc, this.#spec);
    const { exactness } = search;
    if (isExact(search) && !this.#hasExactly(texts, search)) return false;
    const plain = texts.map(({ text }) => folded(text, exactness));
    const hasPhrase = (phrase: string): boolean => plain.some((text) => text.includes(folded(phrase, exactness)));
    return search.phrases.every(hasPhrase) && !search.excludedPhrases.some(hasPhrase);
  }

  #hasExactly(texts: readonly FieldText[], { exactness, exactTerms, excludedTerms }: Search): boolean {
    const stems = new Set(texts.flatMap(({ text, language }) => this.#words.of(text, language, exactness)));
    return [...exactTerms].some((term) => stems.has(term)) && ![...excludedTerms].some((term) => stems.has(term));
  }
}

const isExact = ({ exactness }: Search): boolean => exactness.caseSensitive || exactness.diacriticSensitive;

const needsTexts = (search: Search): boolean =>
  isExact(search) || search.phrases.length + search.excludedPhrases.length > 0;

interface Frequency {
  count: number;
  /** The sum of 1 for the first occurrence and half of the previous one for each further one. */
  worth: number;
}

/** Adds the scores of the stems of one text: higher in a short text, and if the stem is the whole text. */
function addScores(scores: Map<string, number>, { text, weight }: FieldText, stems: readonly string[]): void {
  const frequencies = new Map<string, Frequency>();
  for (const stem of stems) {
    const frequency = frequencies.get(stem) ?? { count: 0, worth: 0 };
    frequency.worth += 0.5 ** frequency.count;
    frequency.count += 1;
    frequencies.set(stem, frequency);
  }
  const whole = text.toLowerCase();
  for (const [stem, { count, worth }] of frequencies) {
    const share = (0.5 * count) / stems.length + 0.5;
    const bonus = whole === stem ? 1.1 : 1;
    scores.set(stem, (scores.get(stem) ?? 0) + weight * worth * share * bonus);
  }
}
