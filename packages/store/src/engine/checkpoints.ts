/**
 * Checkpoints: the trees are written to pages, and the log of changes up to then becomes obsolete. Other commands run
 * meanwhile. A checkpoint begins when the log or the nodes that are only in memory exceed a limit, and before the store
 * closes.
 */
import { diskRefused } from 'dossier-language/errors';
import { type Doc, encode } from 'dossier-language/values';
import { SingleFlight } from '../single-flight.ts';
import { DiskFault } from '../storage/faults.ts';
import type { Storage } from '../storage/storage.ts';
import { isDamage } from './damage.ts';
import type { DiskState } from './disk-state.ts';
import type { Limits } from './limits.ts';
import type { PageStore } from './pages/page-store.ts';
import { writeTree } from './pages/writer.ts';
import { mergePending, savePending, treesToMerge } from './pending-merge.ts';
import type { PendingMerge, PendingSave, StoredTree } from './tree.ts';
import type { WriteLock } from './write-lock.ts';

/** The number of the tree whose root is the state of the store. */
export const stateTree = 0;
/** How many times its limits the unwritten data may take before writers wait. */
const hardFactor = 1.5;
/** Changes of the log that are deleted in one transaction. */
const logSlice = 1000;

/** What checkpoints need of the store. */
export interface CheckpointOptions {
  readonly storage: Storage;
  readonly pages: PageStore;
  readonly limits: Limits;
  readonly writers: WriteLock;
  readonly disk: DiskState;
  /** Writes the pending group of commands. */
  readonly flush: () => void;
  /** The trees to store. */
  readonly trees: () => readonly StoredTree[];
  /** Whether pages of a tree cannot be read: its pending changes are not merged. */
  readonly isDamaged: (tree: StoredTree) => boolean;
  /** The state of the store, without the position in the log. */
  readonly state: () => Doc;
  /** Whether the store has stopped. */
  readonly hasStopped: () => boolean;
  /** Called with an error that is not the disk's. */
  readonly onFatal: (error: Error) => void;
}

/** The trees and the state as of one moment in which every change was submitted. */
interface Snapshot {
  readonly trees: readonly FrozenTree[];
  readonly state: Doc;
  /** The last change in the log. */
  readonly logged: number;
  readonly unwritten: Unwritten;
}

type Root = ReturnType<StoredTree['tree']['freeze']>;

/** A tree as of one moment. */
interface FrozenTree {
  readonly stored: StoredTree;
  /** Changes to save with the tree. */
  readonly save: PendingSave | undefined;
  /** Changes to merge into the tree. Nothing else changes a tree with pending changes. */
  readonly merge: PendingMerge | undefined;
  readonly root: Root;
}

/** Bytes that the trees on disk do not contain. */
interface Unwritten {
  readonly nodes: number;
  readonly log: number;
}

const nothing: Unwritten = { nodes: 0, log: 0 };

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Writes checkpoints, one at a time. */
export class Checkpoints {
  readonly #options: CheckpointOptions;
  readonly #flight = new SingleFlight<void>();
  /** The part of the running checkpoints that runs now. */
  #part: Promise<unknown> | undefined;
  /** The part of a running checkpoint that does not need the write lock. */
  #writing: Promise<void> | undefined;
  /** What a running checkpoint writes. */
  #frozen = nothing;
  #logBytes = 0;
  #isClosing = false;

  constructor(options: CheckpointOptions) {
    this.#options = options;
  }

  /** Whether a checkpoint is due. */
  get #isDue(): boolean {
    const { limits, pages } = this.#options;
    return pages.dirtyBytes > limits.dirtyBytes || this.#logBytes > limits.logBytes;
  }

  /** Whether writers must wait. */
  get #isFull(): boolean {
    const { limits, pages, hasStopped } = this.#options;
    const nodes = pages.dirtyBytes + this.#frozen.nodes;
    const log = this.#logBytes + this.#frozen.log;
    return !hasStopped() && (nodes > limits.dirtyBytes * hardFactor || log > limits.logBytes * hardFactor);
  }

  /** Whether so much is unwritten that a merge should let its checkpoint end. The next one continues the merge. */
  get #mustStop(): boolean {
    const { limits, pages, hasStopped } = this.#options;
    const nodes = pages.dirtyBytes + this.#frozen.nodes;
    const log = this.#logBytes + this.#frozen.log;
    return this.#isClosing || hasStopped() || nodes > limits.dirtyBytes || log > limits.logBytes;
  }

  /** Counts bytes of the log; starts a checkpoint if one is due. */
  logged(bytes: number): void {
    this.#logBytes += bytes;
    if (this.#flight.running === undefined && this.#isDue && !this.#options.hasStopped())
      this.run().catch(() => undefined);
  }

  /**
   * Waits while too much is unwritten. A command calls it before it takes the write lock.
   * @throws StoreError if the disk refuses checkpoints
   */
  async room(): Promise<void> {
    while (this.#isFull) {
      // a merge may need many checkpoints
      this.run().catch(() => undefined);
      try {
        await this.#part;
      } catch (error) {
        throw error instanceof DiskFault ? diskRefused(error.message) : error;
      }
    }
  }

  /** As `room`, for a command that holds the write lock: it waits only for a checkpoint that needs the lock no more. */
  async roomUnderLock(): Promise<void> {
    if (this.#isFull) await this.#writing?.catch(() => undefined);
  }

  /** Writes a checkpoint, or waits for the one that is being written. @throws DiskFault if the disk refuses it */
  run(): Promise<void> {
    return this.#flight.run(() => this.#run());
  }

  /** Writes the last checkpoint. Obsolete pages stay in the file until the next start, since there may be gigabytes of them. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#flight.running?.catch(() => undefined);
    await this.run();
  }

  /**
   * Pending changes are merged by checkpoints of their own, after one that saves everything: a merge takes minutes in a large index, and
   * writers wait while too much is unwritten. So a checkpoint merges until that much has changed, and the next one
   * saves it and continues. A store closes without merging.
   */
  async #run(): Promise<void> {
    await this.#checkpoint(false);
    while (this.#isMergeDue) await this.#checkpoint(true);
  }

  get #isMergeDue(): boolean {
    const { trees, hasStopped } = this.#options;
    return !this.#isClosing && !hasStopped() && this.#toMerge(trees()).size > 0;
  }

  #toMerge(trees: readonly StoredTree[]): ReadonlySet<StoredTree> {
    const { limits, isDamaged } = this.#options;
    return treesToMerge(
      trees.filter((tree) => !isDamaged(tree)),
      limits.pendingBytes,
    );
  }

  async #checkpoint(isMerging: boolean): Promise<void> {
    const written = this.#writeCheckpoint(isMerging);
    this.#part = written;
    const cleaned = this.#cleanUp(await written);
    this.#part = cleaned;
    await cleaned;
  }

  /** @returns the last change of the log that is obsolete */
  async #writeCheckpoint(isMerging: boolean): Promise<number> {
    const snapshot = await this.#options.writers.run(() => this.#freeze(isMerging));
    this.#writing = this.#write(snapshot);
    await this.#writing;
    return snapshot.logged;
  }

  /** The caller holds the write lock, so no command has changes that it has not submitted. */
  #freeze(isMerging: boolean): Snapshot {
    const { flush, disk, hasStopped, storage, pages, trees, state } = this.#options;
    if (!hasStopped()) flush();
    if (hasStopped()) throw new Error('the store has stopped');
    if (disk.fault !== undefined) throw disk.fault;
    pages.garbage.seal();
    this.#frozen = { nodes: pages.dirtyBytes, log: this.#logBytes };
    pages.dirtyBytes = 0;
    this.#logBytes = 0;
    pages.isWriting = true;
    const stored = trees();
    const merged = isMerging ? this.#toMerge(stored) : new Set<StoredTree>();
    return {
      trees: stored.map((tree) => ({
        stored: tree,
        save: tree.pending?.unsaved(),
        merge: merged.has(tree) ? tree.pending?.merge() : undefined,
        root: tree.tree.freeze(),
      })),
      state: state(),
      logged: storage.logged,
      unwritten: this.#frozen,
    };
  }

  async #write(snapshot: Snapshot): Promise<void> {
    const { pages, disk, onFatal } = this.#options;
    try {
      await this.#writePages(snapshot);
      disk.took();
    } catch (error) {
      pages.dirtyBytes += snapshot.unwritten.nodes;
      this.#logBytes += snapshot.unwritten.log;
      if (error instanceof DiskFault) disk.refused(error);
      else if (!isDamage(error)) onFatal(error instanceof Error ? error : new Error(String(error)));
      throw error;
    } finally {
      this.#frozen = nothing;
      pages.isWriting = false;
      pages.garbage.settle();
    }
  }

  async #writePages({ trees, state, logged }: Snapshot): Promise<void> {
    const { pages } = this.#options;
    const merged: FrozenTree[] = [];
    for (const frozen of trees) {
      const root = await this.#writeTree(frozen);
      merged.push({ ...frozen, root });
    }
    pages.garbage.sealReplaced();
    // no other code runs from here to the end: roots of trees that are dropped meanwhile would not be removed
    const written = new Map(merged.map(({ stored, root }) => [stored.tree.store?.id ?? 0, root]));
    const roots = merged.flatMap(
      ({ stored, root }) => pages.rootOf(stored.tree.store?.id ?? 0, root, stored.extra) ?? [],
    );
    const garbage = pages.garbage.record();
    pages.file.flip({ roots: [...roots, { id: stateTree, bytes: encode({ ...state, logged }) }], garbage });
    pages.flipped(written);
  }

  /** Writes a tree. @returns its root */
  async #writeTree({ stored: { tree }, merge, save, root }: FrozenTree): Promise<Root> {
    const { pages } = this.#options;
    if (tree.store === undefined) return root;
    if (save !== undefined) await this.#save(save);
    if (merge !== undefined) await mergePending(pages, tree, merge, { pause, mustStop: () => this.#mustStop });
    const top = merge === undefined && save === undefined ? root : tree.freeze();
    await writeTree(pages, tree.store, top, pause);
    return top;
  }

  /** What cannot be saved would be lost with the log: damage is fatal here. */
  async #save(save: PendingSave): Promise<void> {
    try {
      await savePending(this.#options.pages, save, pause);
    } catch (error) {
      throw isDamage(error) ? new Error('changes of a text index could not be saved', { cause: error }) : error;
    }
  }

  /** Deletes what the new roots do not need, in slices. What is left at the end of the process is deleted at a later time. */
  async #cleanUp(logged: number): Promise<void> {
    const { pages, hasStopped } = this.#options;
    try {
      while (!hasStopped() && pages.file.trimLog(logged, logSlice)) await pause();
      while (!hasStopped() && !this.#isClosing && pages.deleteSome()) await pause();
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error;
    }
  }
}
