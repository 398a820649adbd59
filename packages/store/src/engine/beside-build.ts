/**
 * Builds indexes beside other commands: over a snapshot of the documents, then over what has changed since, in rounds, each
 * over the changes during the one before. The last round runs under the write lock, and is short. As in MongoDB, a unique
 * index is checked at the end: documents may have the same key in between.
 */
import type { Collection } from './collection.ts';
import { duplicateKey } from './duplicate-key.ts';
import { sameKeys } from './index-keys.ts';
import type { IndexSpec } from './index-spec.ts';
import { IndexTree } from './index-tree.ts';
import type { Index } from './new-index.ts';
import type { PageStore } from './pages/page-store.ts';
import { savePending } from './pending-merge.ts';
import type { RunningBuild } from './running-builds.ts';
import { type DocumentSnapshot, sameVersion, type StoredDocument } from './stored-document.ts';
import { TextTree } from './text-tree.ts';

/** Changes that a last round may have, and rounds after which it has more if they do not become fewer. */
const lastChanges = 256;
const maxRounds = 50;
/** Changes between two pauses. */
const sliceChanges = 32;
/** Documents with a key that another one has, which are kept to be checked again at the end. With more, a build fails at once. */
const maxSuspects = 1000;

/** What a build needs of the store. */
export interface BuildOptions {
  /** The trees on disk; undefined if everything stays in memory. */
  readonly pages: PageStore | undefined;
  /** Called between slices of work. */
  readonly pause: () => Promise<void>;
}

/** A document before and after a change. */
type Versions = readonly [before: StoredDocument | undefined, after: StoredDocument | undefined];

/** An index, and the documents that have a key of another one in it. */
interface Built {
  readonly index: Index;
  readonly suspects: Set<number>;
}

/** Indexes that are being built. */
export class BesideBuild {
  readonly #collection: Collection;
  readonly #running: RunningBuild;
  readonly #pages: PageStore | undefined;
  readonly #pause: () => Promise<void>;
  readonly #built: Built[] = [];
  /** Whether there were documents: no tree of an empty collection is written. */
  readonly #isFilled: boolean;
  /** The documents that the indexes contain. */
  #seen: DocumentSnapshot;

  /** Begins to note changes of the collection. `end` must follow. */
  constructor(collection: Collection, specs: readonly IndexSpec[], { pages, pause }: BuildOptions) {
    this.#collection = collection;
    this.#running = collection.builds.begin(specs);
    this.#pages = pages;
    this.#pause = async () => {
      await pause();
      this.#running.check();
    };
    this.#isFilled = collection.size > 0;
    this.#seen = collection.snapshot();
  }

  /** The indexes so far. */
  get indexes(): readonly Index[] {
    return this.#built.map(({ index }) => index);
  }

  /** Builds until few changes are left. @throws StoreError 171, 276, 11000, 17261 or 17262 */
  async run(): Promise<void> {
    for (const spec of this.#running.specs) {
      const suspects = new Set<number>();
      const duplicate = (values: Parameters<typeof duplicateKey>[2], sequence: number): void => {
        suspects.add(sequence);
        if (suspects.size > maxSuspects) throw duplicateKey(this.#collection.ns, spec, values);
      };
      const index = await this.#collection.build(spec, this.#pause, { documents: this.#seen.scan(), duplicate });
      this.#built.push({ index, suspects });
      if (this.#isFilled) await this.#write(index);
    }
    for (let rounds = 0; rounds < maxRounds && this.#running.changes > lastChanges; rounds += 1) await this.#round();
  }

  /**
   * Builds the rest and writes the indexes to disk. The caller holds the write lock, and everything that was submitted is on disk: a start
   * repeats the log since then.
   * @returns complete indexes
   * @throws StoreError as `run` does
   */
  async finish(): Promise<readonly Index[]> {
    this.#running.check();
    await this.#round();
    for (const built of this.#built) this.#checkUnique(built);
    if (this.#isFilled) for (const { index } of this.#built) await this.#persist(index);
    // the last moment at which the command can be killed
    await this.#pause();
    return this.indexes;
  }

  /** Notes no more changes. */
  end(): void {
    this.#collection.builds.end(this.#running);
  }

  /** Adds the changes since the last round. */
  async #round(): Promise<void> {
    const [changed, before, after] = [this.#running.takeChanged(), this.#seen, this.#collection.snapshot()];
    const changes = [...changed]
      .map((sequence): Versions => [before.bySequence(sequence), after.bySequence(sequence)])
      .filter(([old, next]) => !sameVersion(old, next));
    this.#seen = after;
    if (changes.length > 0) await this.#add(changes);
  }

  async #add(changes: readonly Versions[]): Promise<void> {
    for (const built of this.#built) {
      await this.#apply(built.index, changes);
      if (built.index.spec.unique) await this.#suspect(built, changes);
    }
  }

  async #apply(index: Index, changes: readonly Versions[]): Promise<void> {
    const steps = stepsOf(index, changes, this.#collection.ns);
    for (let done = false; !done;) {
      this.#changing(() => {
        for (let left = sliceChanges; left > 0 && !done; left -= 1) done = steps.next().done === true;
      });
      await this.#pause();
    }
    await this.#write(index);
  }

  /** Writes the nodes of an index, so that few are left at the end. */
  async #write({ stored }: Index): Promise<void> {
    this.#pages?.draft(stored);
    await this.#pages?.writeAhead(stored, this.#pause);
  }

  #changing(change: () => void): void {
    if (this.#pages === undefined) change();
    else this.#pages.writingChanges(change);
  }

  /** Keeps the documents whose new keys another one has. */
  async #suspect({ index, suspects }: Built, changes: readonly Versions[]): Promise<void> {
    for (const [at, [, stored]] of changes.entries()) {
      if (at % sliceChanges === 0) await this.#pause();
      const values = stored && duplicateOf(index, stored);
      if (stored === undefined || values === undefined) continue;
      suspects.add(stored.sequence);
      if (suspects.size > maxSuspects) throw duplicateKey(this.#collection.ns, index.spec, values);
    }
  }

  /** @throws StoreError 11000 if a document still has a key of another one */
  #checkUnique({ index, suspects }: Built): void {
    for (const sequence of suspects) {
      const stored = this.#seen.bySequence(sequence);
      const values = stored && duplicateOf(index, stored);
      if (values !== undefined) throw duplicateKey(this.#collection.ns, index.spec, values);
    }
  }

  /** Writes an index before any record mentions it. What a text index has only in memory may no longer be in the log: it is saved, too. */
  async #persist({ stored }: Index): Promise<void> {
    const save = stored.pending?.unsaved();
    if (this.#pages !== undefined && save !== undefined) await savePending(this.#pages, save, this.#pause);
    await this.#pages?.persist(stored, this.#pause);
  }
}

/** Changes an index step by step. */
function* stepsOf(index: Index, changes: readonly Versions[], ns: string): Generator<void> {
  const isUniqueText = index instanceof TextTree && index.spec.unique;
  // words of documents that exchange them would be duplicates in between
  if (isUniqueText) for (const [old] of changes) yield old && index.remove(old);
  for (const [old, next] of changes) {
    if (index instanceof IndexTree) yield changeKeys(index, [old, next]);
    else yield changeWords(index, [isUniqueText ? undefined : old, next], ns);
  }
}

function changeKeys(index: IndexTree, [old, next]: Versions): void {
  const before = old && index.knownKeysOf(old.doc);
  const after = next && index.keysOf(next.doc);
  if (before !== undefined && after !== undefined && sameKeys(before, after)) return;
  if (old !== undefined && before !== undefined) index.remove(before, old.sequence, []);
  if (next !== undefined && after !== undefined) index.add(after, next.sequence, []);
}

function changeWords(index: TextTree, [old, next]: Versions, ns: string): void {
  if (next === undefined) {
    if (old !== undefined) index.remove(old);
    return;
  }
  const change = index.read(next, old, ns);
  if (change !== undefined) index.change(next, change, old);
}

/** A key of a document that another document has, too. */
function duplicateOf(index: Index, { doc, sequence }: StoredDocument): Parameters<typeof duplicateKey>[2] | undefined {
  if (!(index instanceof IndexTree)) return undefined;
  return index
    .keysOf(doc)
    .keys.find((values) =>
      [...index.between({ low: values, high: values }, { backwards: false, wanted: 2 })]
        .flat()
        .some((other) => other !== sequence),
    );
}
