/** Loads the data file: the roots of the trees, the collections, and the changes since the last checkpoint. */
import { decode, type Doc } from 'dossier-language/values';
import type { LoadTarget, LogEntry } from '../storage/storage.ts';
import { stateTree } from './checkpoints.ts';
import { Collection } from './collection.ts';
import { readRecord } from './collection-record.ts';
import { idIndexName, readStoredSpec } from './index-spec.ts';
import { IndexTree } from './index-tree.ts';
import { makeIndex } from './new-index.ts';
import type { PageStore } from './pages/page-store.ts';
import type { TreeSpace } from './pages/tree-space.ts';
import { StoredDocument } from './stored-document.ts';
import { readView, type ViewDefinition } from './view-definition.ts';

/** The next numbers of documents and versions. */
interface Counters {
  readonly sequence: number;
  readonly version: number;
}

const numberOf = (doc: Doc, name: string): number => (typeof doc[name] === 'number' ? doc[name] : 0);

/** One load of a data file. */
export class Loading {
  readonly #space: TreeSpace;
  readonly #pages: PageStore | undefined;
  readonly #collections = new Map<number, Collection>();
  /** Trees that a collection has. */
  readonly #living = new Set<number>([stateTree]);
  #state: Doc = {};
  #sequence = 1;
  #version = 1;
  readonly views: ViewDefinition[] = [];
  /** Bytes of the repeated changes. */
  logBytes = 0;

  constructor(space: TreeSpace, pages: PageStore | undefined) {
    this.#space = space;
    this.#pages = pages;
  }

  /** The collections that were loaded. */
  get loaded(): readonly Collection[] {
    return [...this.#collections.values()];
  }

  /** The target that a storage fills. */
  target(retries: Map<string, Uint8Array>): LoadTarget {
    const checkpoint = (): number => numberOf(this.#state, 'logged');
    return {
      get checkpoint() {
        return checkpoint();
      },
      root: (tree, bytes) => {
        if (tree === stateTree) this.#state = decode(bytes);
        else this.#pages?.restoreRoot(tree, bytes);
      },
      garbage: (id, bytes) => this.#pages?.restoreGarbage(id, bytes),
      collection: (id, bytes) => this.#addCollection(id, bytes),
      change: (entry) => this.#repeat(entry),
      retry: (session, bytes) => retries.set(session, bytes),
    };
  }

  #addCollection(id: number, bytes: Uint8Array): void {
    const view = readView(id, decode(bytes));
    if (view !== undefined) {
      this.views.push(view);
      return;
    }
    const record = readRecord(id, bytes);
    const [documents = 0, byId = 0, ...others] = record.trees;
    const collection = Collection.make(record, this.#space, [documents, byId]);
    const specs = record.indexes.map(readStoredSpec).filter(({ name }) => name !== idIndexName);
    specs.forEach((spec, at) => {
      const index = makeIndex(spec, this.#space, others[at]);
      if (index instanceof IndexTree) index.renew((sequence) => collection.bySequence(sequence));
      collection.addIndex(index);
    });
    this.#collections.set(id, collection);
    for (const tree of record.trees) this.#living.add(tree);
  }

  /** Repeats a change of the log. Changes of a collection that was dropped later are obsolete. */
  #repeat({ collection: id, sequence, version, bytes }: LogEntry): void {
    this.#sequence = Math.max(this.#sequence, sequence + 1);
    this.#version = Math.max(this.#version, version + 1);
    this.logBytes += bytes?.length ?? 0;
    const collection = this.#collections.get(id);
    if (collection === undefined) return;
    const next = bytes && new StoredDocument({ sequence, version, size: bytes.length }, { bytes }, this.#space.forms);
    collection.swap(collection.bySequence(sequence), next);
  }

  /** Ends the load. */
  finish(): Counters {
    this.#pages?.loaded(this.#living);
    return {
      sequence: Math.max(this.#sequence, numberOf(this.#state, 'sequence')),
      version: Math.max(this.#version, numberOf(this.#state, 'version')),
    };
  }
}
