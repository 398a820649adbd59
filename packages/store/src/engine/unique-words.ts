/**
 * The keys of a unique text index. As in MongoDB, a text index has one key for each word of a document: the word, its
 * score, and the other fields of the index. So two documents conflict if a word has the same score in both.
 */
import type { BlockMap, TermScores } from 'dossier-language/text';
import type { Doc, Value } from 'dossier-language/values';
import { keyOf } from 'dossier-language/values';
import { duplicateKey } from './duplicate-key.ts';
import { type DocumentKeys, keysFor } from './index-keys.ts';
import type { IndexSpec } from './index-spec.ts';
import type { StoredDocument } from './stored-document.ts';

/** The field names of a word and its score in the key of a text index. */
const wordField = '_fts';
const scoreField = '_ftsx';

const noBytes = new Uint8Array();
/** Marks a key among the terms of an index: no term has a space. */
const mark = ' ';

/** The document of each key, kept beside the terms of the index. */
export class UniqueWords {
  readonly #spec: IndexSpec;
  readonly #fields: readonly string[];
  readonly #othersOf: (doc: Doc) => DocumentKeys;
  readonly #blocks: BlockMap;

  constructor(spec: IndexSpec, blocks: BlockMap) {
    this.#spec = spec;
    this.#blocks = blocks;
    this.#fields = Object.keys(spec.key);
    this.#othersOf = keysFor({
      paths: this.#fields.filter((name) => name !== wordField && name !== scoreField),
      sparse: false,
    });
  }

  /** @throws StoreError 11000 if another document has one of the keys */
  check({ doc, sequence }: StoredDocument, scores: TermScores, ns: string): void {
    for (const values of this.#keysOf(doc, scores)) {
      const owner = this.#blocks.find(mark + keyOf(values), 0)?.bound;
      if (owner !== undefined && owner !== sequence) throw duplicateKey(ns, this.#spec, values);
    }
  }

  add({ doc, sequence }: StoredDocument, scores: TermScores): void {
    for (const values of this.#keysOf(doc, scores)) this.#blocks.set(mark + keyOf(values), sequence, noBytes);
  }

  remove({ doc, sequence }: StoredDocument, scores: TermScores): void {
    for (const values of this.#keysOf(doc, scores)) this.#blocks.delete(mark + keyOf(values), sequence);
  }

  #keysOf(doc: Doc, scores: TermScores): readonly Value[][] {
    const others = this.#othersOf(doc).keys;
    return [...scores].flatMap(([word, score]) => others.map((values) => this.#join(values, word, score)));
  }

  /** The values in the order of the index. */
  #join(others: readonly Value[], word: string, score: number): Value[] {
    const left = others.values();
    return this.#fields.map((name) => {
      if (name === wordField) return word;
      return name === scoreField ? score : left.next().value;
    });
  }
}
