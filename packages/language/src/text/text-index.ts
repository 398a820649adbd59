/** A text index over the terms of documents. */
import type { TextQuery } from '../query/index.ts';
import type { Doc } from '../values/types.ts';
import type { Flat } from './flat.ts';
import { MergedPostings } from './merged.ts';
import { pack, unpack } from './packed.ts';
import type { FrozenChanges, PendingPostings } from './pending.ts';
import { PostingBuilder } from './posting-builder.ts';
import { type BlockMap, Postings, type PostingSource } from './postings.ts';
import { ScoreCodes, scoreOf } from './scores.ts';
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

const noTerms: TermScores = new Map();

/** Minimum postings to read for one batch of hits. */
const minBatchWork = 1024;

/** The terms of a collection's documents. */
export class TextIndexData {
  readonly #spec: TextSpec;
  readonly #words = new Words();
  readonly #codes: ScoreCodes;
  readonly #blocks: BlockMap;
  /** What the blocks contain. */
  readonly #postings: Postings;
  readonly #pending: PendingPostings | undefined;

  /**
   * @param blocks the postings, in memory or on disk
   * @param pending takes changes until they are merged; default: changes are made in the blocks
   * @throws StoreError 67 for a definition that MongoDB refuses
   */
  constructor(definition: Doc, blocks: BlockMap, pending?: PendingPostings) {
    const spec = readTextSpec(definition);
    this.#spec = spec;
    this.#codes = new ScoreCodes([...spec.weights.values(), spec.everything ?? 1]);
    this.#blocks = blocks;
    this.#postings = new Postings({ blocks }, this.#codes);
    this.#pending = pending;
  }

  /** The terms of a document and their scores. @throws StoreError 17261 or 17262 for an unknown language */
  read(doc: Doc): TermScores {
    const scores = new Map<string, number>();
    for (const field of textsOf(doc, this.#spec)) addScores(scores, field, this.#words.of(field.text, field.language));
    return scores;
  }

  /** Whether two documents have the same texts, and so the same terms. */
  hasSameTexts(a: Doc, b: Doc): boolean {
    const [some, others] = [textsOf(a, this.#spec), textsOf(b, this.#spec)];
    return (
      some.length === others.length &&
      some.every(({ text, weight, language }, at) => {
        const other = others[at];
        return text === other?.text && weight === other.weight && language === other.language;
      })
    );
  }

  /** Changes the terms of a document, by its number. Doing it again has no effect. */
  put(sequence: number, terms: TermScores, before: TermScores = noTerms): void {
    const postings = this.#pending ?? this.#postings;
    for (const term of before.keys()) if (!terms.has(term)) postings.delete(term, sequence);
    for (const [term, score] of terms) if (before.get(term) !== score) postings.put(term, sequence, score);
  }

  /** Merges the frozen changes of a term into the blocks. Doing it again has no effect. */
  merge(term: string, frozen: FrozenChanges): void {
    this.#postings.merge(term, frozen.changesOf(term));
  }

  /** Fills the blocks of a new index. */
  builder(): PostingBuilder {
    return new PostingBuilder(this.#blocks, this.#codes);
  }

  /** Packs changes of a term. */
  pack(changes: Flat): Uint8Array {
    return pack(changes, this.#codes);
  }

  /** Unpacks changes of a term. */
  unpack(bytes: Uint8Array): Flat {
    return unpack(bytes, this.#codes);
  }

  /**
   * Searches the documents up to the last number.
   * @param source a snapshot of the postings; default: the current blocks, so that a search sees changes between its
   * batches
   * @throws StoreError 2 for an unknown language
   */
  search(query: TextQuery, last = Number.MAX_SAFE_INTEGER, source?: PostingSource): TextSearch {
    const search = readSearch(query, this.#words, this.#spec.language);
    const checksTexts = needsTexts(search);
    const postings = source === undefined ? this.#postings : new Postings(source, this.#codes);
    return {
      hits: hitsOf(postings, search, last),
      holds: checksTexts ? (doc) => this.#passes(doc, search) : () => true,
    };
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

/** Each batch reads the index as it is at that time. */
function* hitsOf(postings: Postings, search: Search, last: number): Generator<readonly Hit[]> {
  const wanted = new MergedPostings(postings.listsOf(search.terms));
  const excluded = new MergedPostings(postings.listsOf(isExact(search) ? [] : search.excludedTerms));
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

const isExact = ({ exactness }: Search): boolean => exactness.caseSensitive || exactness.diacriticSensitive;

const needsTexts = (search: Search): boolean =>
  isExact(search) || search.phrases.length + search.excludedPhrases.length > 0;

/** Adds the scores of the stems of one text. */
function addScores(scores: Map<string, number>, { text, weight }: FieldText, stems: readonly string[]): void {
  const counts = new Map<string, number>();
  for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const wholeText = text.toLowerCase();
  for (const [stem, count] of counts) {
    const score = scoreOf({ weight, count, length: stems.length, whole: wholeText === stem });
    scores.set(stem, (scores.get(stem) ?? 0) + score);
  }
}
