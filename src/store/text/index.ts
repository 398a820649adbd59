/** A text index: which documents have which words, and how well a search finds each. */
import type { TextQuery } from '../query/index.ts';
import type { Doc } from '../values/types.ts';
import { Postings } from './postings.ts';
import { readSearch, type Search } from './search.ts';
import { readTextSpec, textsOf, type FieldText, type TextSpec } from './spec.ts';
import { folded, Words } from './words.ts';

/** The stems of a document, and how much each counts. */
export type TermScores = ReadonlyMap<string, number>;

/** The words of a collection's documents. */
export class TextIndexData {
  readonly #spec: TextSpec;
  readonly #words = new Words();
  readonly #postings = new Postings();

  /** @throws StoreError 67 for a definition that MongoDB would refuse */
  constructor(definition: Doc) {
    this.#spec = readTextSpec(definition);
  }

  /**
   * The stems of a document, with what each counts.
   * @throws StoreError 17261 or 17262 when it names a language that isn't known
   */
  read(doc: Doc): TermScores {
    const scores = new Map<string, number>();
    for (const field of textsOf(doc, this.#spec)) addScores(scores, field, this.#words.of(field.text, field.language));
    return scores;
  }

  /** Adds a document by its number. A document that is there already with the same words stays as it is. */
  add(sequence: number, terms: TermScores): void {
    for (const [term, score] of terms) this.#postings.put(term, sequence, score);
  }

  /** Takes a document away, which had these words. */
  remove(sequence: number, terms: TermScores): void {
    for (const term of terms.keys()) this.#postings.delete(term, sequence);
  }

  /**
   * The numbers of the documents that a search finds, with their scores.
   * @param docOf a document by its number; undefined when it is gone
   */
  search(query: TextQuery, docOf: (sequence: number) => Doc | undefined): Map<number, number> {
    const search = readSearch(query, this.#words, this.#spec.language);
    const found = new Map<number, number>();
    for (const term of search.terms) {
      this.#postings.each(term, (sequence, score) => found.set(sequence, (found.get(sequence) ?? 0) + score));
    }
    if (!isExact(search)) this.#exclude(search.excludedTerms, found);
    if (!needsTexts(search)) return found;
    for (const sequence of found.keys()) if (!this.#passes(docOf(sequence), search)) found.delete(sequence);
    return found;
  }

  #exclude(terms: ReadonlySet<string>, found: Map<number, number>): void {
    for (const term of terms) this.#postings.each(term, (sequence) => found.delete(sequence));
  }

  /** Holds the texts of a document against what the index alone can't answer. */
  #passes(doc: Doc | undefined, search: Search): boolean {
    if (doc === undefined) return false;
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
  /** 1 for the first time, half as much for each further one. */
  worth: number;
}

/** Adds what each stem of one text counts: more in a short text, and more when it is the whole text. */
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
