/** The store: its collections and their persistence. No write is acknowledged before it is on disk. */
import { diskRefused, StoreError } from 'dossier-language/errors';
import { DiskFault, isFileFault } from '../storage/faults.ts';
import type { DiskSize, Storage } from '../storage/storage.ts';
import { type Amount, Capacity, type Share } from './capacity.ts';
import { Catalog } from './catalog.ts';
import { History } from './changes/history.ts';
import { Checkpoints } from './checkpoints.ts';
import { Collections } from './collections.ts';
import { Damage } from './damage.ts';
import { DiskSpace } from './disk-space.ts';
import { DiskState } from './disk-state.ts';
import { DocumentVersions } from './document-versions.ts';
import { GroupCommit, type GroupPart } from './group-commit.ts';
import type { Limits } from './limits.ts';
import { Loading } from './loading.ts';
import type { Index } from './new-index.ts';
import { PageStore } from './pages/page-store.ts';
import { memoryTrees, type TreeSpace } from './pages/tree-space.ts';
import type { Claimant, Step } from './view.ts';
import type { WriteBatch } from './write-batch.ts';
import { WriteLock } from './write-lock.ts';

/** Callbacks to the owner of a store. */
export interface Reports {
  readonly onWarning: (message: string) => void;
  readonly onFatal: (error: Error) => void;
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** The error of commands after a failure that has stopped the store. */
const stoppedBy = ({ message }: Error): StoreError =>
  new StoreError(91, `the store has stopped, because its data file is unusable: ${message}`);

/** The state that all commands share. */
export class Store {
  readonly limits: Limits;
  readonly catalog = new Catalog();
  readonly versions: DocumentVersions;
  readonly collections: Collections;
  readonly history: History;
  /** Allows one writing command at a time. */
  readonly writers = new WriteLock();
  /** Records of retryable writes by session, as loaded. */
  readonly retries = new Map<string, Uint8Array>();
  /** What open transactions have written, by key: two of them must not write the same document. */
  readonly claims = new Map<string, Claimant>();
  readonly startedAt = Date.now();
  /** Creates the trees of collections. */
  readonly space: TreeSpace;
  /** The collections that are refused, because pages of them cannot be read. */
  readonly damage: Damage;
  /** The trees on disk; undefined for a store in memory. */
  readonly pages: PageStore | undefined;
  readonly checkpoints: Checkpoints | undefined;
  readonly #storage: Storage;
  readonly #group: GroupCommit;
  readonly #reports: Reports;
  /** The free space of the disk; undefined for a store in memory. */
  readonly #space: DiskSpace | undefined;
  readonly #capacity: Capacity;
  readonly #openBatches = new Set<WriteBatch>();
  readonly #onRollback = new Set<() => void>();
  /** Whether the disk accepts writes. */
  readonly disk: DiskState;
  #failure: Error | undefined;
  #isClosed = false;

  constructor(storage: Storage, limits: Limits, reports: Reports) {
    this.limits = limits;
    this.versions = new DocumentVersions(limits.documentBytes);
    this.#storage = storage;
    this.#reports = reports;
    this.history = new History(limits, storage.events, (error) => this.#stop(asError(error)));
    this.damage = new Damage(() => this.catalog.all, reports.onWarning);
    this.pages =
      storage.pages &&
      new PageStore(storage.pages, limits, {
        page: (tree, fault) => this.damage.record(tree, fault),
        halfChanged: (error) => this.#stop(error),
      });
    this.space = this.pages ?? memoryTrees;
    this.collections = new Collections(this.catalog, this.space);
    const { diskSize } = storage;
    this.#space = diskSize && new DiskSpace(limits, diskSize, reports.onWarning);
    this.#capacity = new Capacity(limits, this.#space, reports.onWarning);
    this.disk = new DiskState({
      probe: () => storage.probe(),
      onWarning: reports.onWarning,
      onFatal: (error) => this.#stop(error),
    });
    this.#group = new GroupCommit({
      storage,
      oldestEvent: () => this.history.oldest,
      took: (parts, bytes) => this.#took(parts, bytes),
      failed: (parts, error) => this.#commitFailed(parts, error),
    });
    this.checkpoints = this.pages && this.#makeCheckpoints(this.pages);
  }

  #makeCheckpoints(pages: PageStore): Checkpoints {
    return new Checkpoints({
      storage: this.#storage,
      pages,
      limits: this.limits,
      writers: this.writers,
      disk: this.disk,
      flush: () => this.#group.flush(),
      trees: () => this.catalog.all.flatMap(({ stored }) => stored),
      isDamaged: ({ tree }) => this.damage.isIn(tree.store?.id),
      state: () => ({ ...this.versions.state }),
      hasStopped: () => this.#failure !== undefined || this.#isClosed,
      onFatal: (error) => this.#stop(error),
    });
  }

  /** Whether the disk refuses writes, or so little of it is free that those that add data are refused. */
  get isReadOnly(): boolean {
    return this.disk.fault !== undefined || this.#space?.isFull === true;
  }

  /** Undefined for a store in memory, and for a disk that cannot say it. */
  get diskSize(): DiskSize | undefined {
    return this.#space?.size;
  }

  /** The disk has accepted a group. */
  #took(parts: readonly GroupPart[], bytes: number): void {
    this.disk.took();
    for (const { tree } of parts.flatMap(({ droppedTrees }) => droppedTrees)) {
      if (tree.store !== undefined) this.pages?.dropped(tree.store);
    }
    const { forms } = this.space;
    if (forms !== undefined)
      for (const { documents } of parts) for (const { after } of documents.values()) after?.logged(forms);
    this.checkpoints?.logged(bytes);
  }

  /** @throws StoreError 91 after the data file has become unusable */
  checkAlive(): void {
    if (this.#failure !== undefined) throw stoppedBy(this.#failure);
  }

  #stop(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#reports.onFatal(
      new Error(`The store has stopped, because its data file is unusable: ${error.message}`, { cause: error }),
    );
  }

  /** Rolls back in memory what the disk refused, and keeps running, so that memory equals the disk. */
  #commitFailed(parts: readonly GroupPart[], error: unknown): Error {
    const refusal = this.#refused(asError(error));
    if (this.#failure !== undefined) return refusal;
    for (const batch of this.#openBatches) this.rollBack(batch.fail(refusal));
    for (const { steps } of parts.toReversed()) this.rollBack(steps);
    this.history.cut(Math.min(...parts.map(({ firstEvent }) => firstEvent)));
    for (const callback of this.#onRollback) callback();
    return refusal;
  }

  /** The error for commands whose changes the disk refused. After any other failure the store stops. */
  #refused(failure: Error): Error {
    if (failure instanceof DiskFault) {
      this.disk.refused(failure);
      return diskRefused(failure.message);
    }
    this.#stop(failure);
    return stoppedBy(failure);
  }

  /** Rolls back changes in memory, first step first. The store stops if it cannot. */
  rollBack(steps: readonly Step[]): void {
    try {
      for (const step of steps.toReversed()) {
        if (typeof step === 'function') step();
        else step.collection.swap(step.after, step.before);
      }
    } catch (error) {
      // memory has changes that the disk refused
      this.#stop(asError(error));
    }
  }

  /** Subscribes to rollbacks of changes that other commands may have seen. */
  onRollback(callback: () => void): void {
    this.#onRollback.add(callback);
  }

  /** Registers the batch of a writing command: a rollback of earlier changes rolls it back too. */
  begin(batch: WriteBatch): void {
    this.#openBatches.add(batch);
  }

  /** Removes the batch of a finished command. */
  end(batch: WriteBatch): void {
    this.#openBatches.delete(batch);
  }

  /** Loads the data. The time it takes depends on the log and the number of collections, not on the documents. */
  load(): void {
    const loading = new Loading(this.space, this.pages);
    this.#storage.load(loading.target(this.retries));
    this.versions.continueFrom(loading.finish());
    this.checkpoints?.logged(loading.logBytes);
    this.history.load();
    for (const collection of loading.loaded) {
      this.collections.reserve(collection.id);
      this.catalog.add(collection);
    }
    for (const view of loading.views) {
      this.collections.reserve(view.id);
      this.catalog.addView(view);
    }
  }

  /**
   * The error of a command that writes pages itself: that the disk refuses them, or the error as it is. The store stops
   * if its data file has become unusable.
   */
  failureOf(error: unknown): Error {
    const failure = asError(error);
    return isFileFault(failure) ? this.#refused(failure) : failure;
  }

  /** Drops an index that no collection has, or no longer has because its command failed. */
  discard({ stored }: Index): void {
    this.pages?.discard(stored);
  }

  /**
   * Checks that a change fits, together with `besides`, documents outside of the catalogue.
   * @throws StoreError 14031 if the store is full
   */
  checkCapacity(more: Amount, share: Share, besides: Amount = { documents: 0, bytes: 0 }): void {
    const { documents, bytes } = this.catalog.amount;
    const held = { documents: documents + besides.documents, bytes: bytes + besides.bytes };
    this.#capacity.check(held, more, share);
  }

  /**
   * Submits the changes of a batch; resolves when they are on disk. An empty batch waits for the pending group too: the
   * command may report what that group contains, as a retried command does.
   */
  async submit(batch: WriteBatch): Promise<void> {
    // a command that was interrupted may have changed a part of the trees
    this.checkAlive();
    if (batch.failure !== undefined) {
      this.rollBack(batch.fail(batch.failure));
      throw batch.failure;
    }
    if (batch.empty) return this.#group.written;
    const part = batch.finish(this.history);
    const { next, now } = this.history;
    await this.#group.add(part);
    this.history.announce(next, now);
  }

  /** Writes pending changes and closes the storage. */
  close(): void {
    this.disk.close();
    this.#isClosed = true;
    if (this.#failure === undefined) this.#group.flush();
    this.#storage.close();
  }
}
