/** The text index of a collection. */
import { StoreError } from 'dossier-language/errors';
import { compileFilter, type Matcher, type TextQuery } from 'dossier-language/query';
import { type Hit, PendingPostings, type TermScores, TextIndexData, type TextSearch } from 'dossier-language/text';
import type { Reorder } from './id-order.ts';
import type { IndexSpec } from './index-spec.ts';
import type { TreeSpace } from './pages/tree-space.ts';
import { SavedChanges } from './saved-changes.ts';
import { inScoreOrder } from './score-order.ts';
import type { DocumentSnapshot, StoredDocument } from './stored-document.ts';
import { TextBlocks } from './text-blocks.ts';
import type { PendingMerge, PendingSave, PendingTree, StoredTree } from './tree.ts';
import { HalfDone } from './undoing.ts';
import { UniqueWords } from './unique-words.ts';

/** A document that a search found. */
export interface TextHit {
  readonly stored: StoredDocument;
  readonly score: number;
}

/** The terms of a document before and after a change. */
export interface TextChange {
  readonly before: TermScores;
  readonly after: TermScores;
}

const noTerms: TermScores = new Map();

/** A change of several blocks, which has no inverse. @throws HalfDone */
function unlessHalfDone(change: () => void): void {
  try {
    change();
  } catch (error) {
    throw new HalfDone('a text index was being changed', { cause: error });
  }
}

/** A text index: the terms of documents, which are identified by their sequences. */
export class TextTree {
  readonly spec: IndexSpec;
  readonly #blocks: TextBlocks;
  /** Changes that are not in the blocks yet; undefined for an index in memory and for a unique one. */
  readonly #pending: PendingPostings | undefined;
  readonly #data: TextIndexData;
  readonly #saved: SavedChanges;
  #isRestored = false;
  #merge: PendingMerge | undefined;
  readonly #partial: Matcher | undefined;
  readonly #unique: UniqueWords | undefined;

  private constructor(spec: IndexSpec, blocks: TextBlocks) {
    this.spec = spec;
    this.#blocks = blocks;
    const { store } = blocks;
    this.#pending =
      store === undefined || spec.unique ? undefined : new PendingPostings((bytes) => store.dirtied(bytes));
    this.#data = new TextIndexData(spec.shown, this.#blocks, this.#pending);
    this.#saved = new SavedChanges(this.#blocks, this.#data);
    this.#partial = spec.partial && compileFilter(spec.partial);
    this.#unique = spec.unique ? new UniqueWords(spec, this.#blocks) : undefined;
  }

  /** A new index, or the stored one whose tree has a number. */
  static make(spec: IndexSpec, space: TreeSpace, id?: number): TextTree {
    return new TextTree(spec, TextBlocks.make(space, id));
  }

  /**
   * Restores the pending changes that an earlier process has saved. Every search and every change of terms calls it first: a start does
   * not, because the changes of a large index take longer than all else that a start reads.
   */
  #restore(): void {
    if (this.#isRestored) return;
    this.#isRestored = true;
    if (this.#pending !== undefined) this.#saved.restore(this.#pending);
  }

  /** The tree to store. */
  get stored(): StoredTree {
    const { stored } = this.#blocks;
    return this.#pending === undefined ? stored : { ...stored, pending: this.#pendingTree(this.#pending) };
  }

  #pendingTree(pending: PendingPostings): PendingTree {
    return {
      bytes: pending.bytes,
      isMerging: this.#merge !== undefined,
      unsaved: () => this.#unsaved(pending),
      merge: () => (this.#merge ??= this.#newMerge(pending)),
    };
  }

  #newMerge(pending: PendingPostings): PendingMerge | undefined {
    const frozen = pending.freeze();
    if (frozen === undefined) return undefined;
    let later = 0;
    return {
      frozen,
      terms: undefined,
      merged: 0,
      begin: () => (later = this.#saved.next),
      merge: (term) => this.#data.merge(term, frozen),
      done: () => {
        this.#saved.removeBefore(later);
        pending.dropFrozen();
        this.#merge = undefined;
      },
    };
  }

  #unsaved(pending: PendingPostings): PendingSave | undefined {
    const unsaved = pending.unsaved();
    if (unsaved === undefined) return undefined;
    const blocks = this.#saved.encode(unsaved.changes);
    return { blocks, add: (block) => this.#saved.add(block), done: unsaved.done };
  }

  /**
   * The terms of a document before and after a change, read before anything changes; undefined if it changes none.
   * @throws StoreError 17261 or 17262 for an unknown language, 11000 if another document has a unique key
   */
  read(stored: StoredDocument, old: StoredDocument | undefined, ns: string): TextChange | undefined {
    if (old !== undefined && this.#hasSameTerms(stored, old)) return undefined;
    const change = { before: old === undefined ? noTerms : this.#termsOf(old), after: this.#termsOf(stored) };
    this.#unique?.check(stored, change.after, ns);
    return change;
  }

  /** Whether the index has the same terms for two versions. */
  #hasSameTerms({ doc }: StoredDocument, old: StoredDocument): boolean {
    if (this.#unique !== undefined || this.#partial !== undefined) return false;
    return this.#data.hasSameTexts(doc, old.doc);
  }

  /** The terms of a document; none if the index omits it. */
  #termsOf({ doc }: StoredDocument): TermScores {
    return this.#partial !== undefined && !this.#partial.matches(doc) ? noTerms : this.#data.read(doc);
  }

  /** The terms of a document; none if it cannot be in the index: it is an old version from before the index. */
  #knownTermsOf(stored: StoredDocument): TermScores {
    try {
      return this.#termsOf(stored);
    } catch (error) {
      if (error instanceof StoreError) return noTerms;
      throw error;
    }
  }

  /** Applies a change that was read. @throws HalfDone */
  change(stored: StoredDocument, { before, after }: TextChange, old?: StoredDocument): void {
    this.#restore();
    unlessHalfDone(() => {
      if (old !== undefined) this.#unique?.remove(old, before);
      this.#unique?.add(stored, after);
      this.#data.put(stored.sequence, after, before);
    });
  }

  /** The words that are collected in memory, each with its packed postings. They are dropped at the end. */
  *takeCollected(): Generator<readonly [term: string, packed: Uint8Array]> {
    const unsaved = this.#pending?.unsaved();
    for (const [term, changes] of unsaved?.changes ?? []) yield [term, this.#data.pack(changes)];
    this.#pending?.clear();
  }

  /** Fills the blocks of an empty index with packed postings, in order. */
  builder(): { readonly add: (term: string, packed: Uint8Array) => void; readonly end: () => void } {
    const builder = this.#data.builder();
    return { add: (term, packed) => builder.add(term, this.#data.unpack(packed)), end: () => builder.end() };
  }

  /** Adds a document without checks. */
  add(stored: StoredDocument): void {
    this.change(stored, { before: noTerms, after: this.#knownTermsOf(stored) });
  }

  /** Removes the terms of a document. @throws HalfDone */
  remove(stored: StoredDocument): void {
    const before = this.#knownTermsOf(stored);
    this.#restore();
    unlessHalfDone(() => {
      this.#unique?.remove(stored, before);
      this.#data.put(stored.sequence, noTerms, before);
    });
  }

  /** Searches the documents of a collection. Later changes of the index are not visible. */
  search(query: TextQuery, { documents, byScore, ties, memoryBytes }: TextSearchOptions): TextSearch<TextHit> {
    this.#restore();
    const source = { blocks: this.#blocks.clone(), pending: this.#pending?.snapshot() };
    const { hits, holds } = this.#data.search(query, documents.lastSequence, source);
    return { hits: resolved(byScore ? inScoreOrder(hits, memoryBytes, ties) : hits, documents), holds };
  }
}

/** The input of a search. */
export interface TextSearchOptions {
  /** The documents of the collection, at the time of the search. */
  readonly documents: DocumentSnapshot;
  /** Whether the best hits come first, rather than those of the first documents in natural order. */
  readonly byScore: boolean;
  /** The order of hits of one score; by default their natural order. */
  readonly ties?: Reorder | undefined;
  /** Maximum bytes of the hits while they are sorted. */
  readonly memoryBytes: number;
}

function* resolved(batches: Iterable<readonly Hit[]>, documents: DocumentSnapshot): Generator<readonly TextHit[]> {
  for (const batch of batches) {
    yield batch.flatMap(({ sequence, score }) => {
      const stored = documents.bySequence(sequence);
      return stored === undefined ? [] : [{ stored, score }];
    });
  }
}
