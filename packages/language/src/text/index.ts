/** A text index: which documents have which words, and how well a search finds each. */
import type { TextQuery } from '../query/index.ts';
import type { Doc } from '../values/types.ts';
import { MergedPostings } from './merged.ts';
import { Postings } from './postings.ts';
export { weightsOf } from './spec.ts';
import { readSearch, type Search } from './search.ts';
import { readTextSpec, textsOf, type FieldText, type TextSpec } from './spec.ts';
import { folded, Words } from './words.ts';

/** The stems of a document, and how much each counts. */
export type TermScores = ReadonlyMap<string, number>;

/** A document that has words of a search and none that the search excludes. */
export interface Hit {
  /** The document's number. */
  readonly sequence: number;
  readonly score: number;
}

/** A search under way. */
export interface TextSearch {
  /** Documents by their numbers, a batch at a time; a batch may be empty. The index may change between two batches. */
  readonly hits: Iterable<readonly Hit[]>;
  /** Whether a document that is a hit also meets what its texts alone can tell, such as phrases. */
  readonly holds: (doc: Doc) => boolean;
}

/** Postings that are read for one batch of hits. */
const minBatchWork = 1024;

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
   * Searches. Documents that come after the last one are not found.
   * @throws StoreError 2 for a language that isn't known
   */
  search(query: TextQuery, last = Number.MAX_SAFE_INTEGER): TextSearch {
    const search = readSearch(query, this.#words, this.#spec.language);
    const checksTexts = needsTexts(search);
    return {
      hits: this.#hits(search, last),
      holds: checksTexts ? (doc) => this.#passes(doc, search) : () => true,
    };
  }

  /** Each batch is found by the index as it is when the batch is asked for. */
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

  /** Holds the texts of a document against what the index alone can't answer. */
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
