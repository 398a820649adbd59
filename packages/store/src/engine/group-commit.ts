/** Group commit: writes the changes of commands that arrive together in one transaction. Their replies wait for it. */
import type { Commit, Storage } from '../storage/storage.ts';
import type { StoredDocument } from './stored-document.ts';
import type { StoredTree } from './tree.ts';
import type { Step } from './view.ts';

/** A document that a command has changed. */
export interface ChangedDocument {
  readonly collection: number;
  /** The new version, or the removed one. */
  readonly version: number;
  /** Undefined if the document was removed. */
  readonly after: StoredDocument | undefined;
}

/** The part of a group that one command adds. */
export interface GroupPart {
  /** Changed documents by sequence. */
  readonly documents: ReadonlyMap<number, ChangedDocument>;
  readonly collections: Commit['collections'];
  readonly dropped: readonly number[];
  readonly droppedTrees: readonly StoredTree[];
  readonly events: Commit['events'];
  readonly retries: Commit['retries'];
  readonly removedRetries: readonly string[];
  /** The number of its first event. */
  readonly firstEvent: number;
  /** The steps to roll it back, first step first. */
  readonly steps: readonly Step[];
}

interface Group {
  readonly parts: GroupPart[];
  rows: number;
  bytes: number;
  readonly written: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Maximum rows and bytes of a group. SQLite writes a group synchronously, and no command runs meanwhile. */
const maxRows = 1000;
const maxBytes = 4 * 1024 * 1024;

/** Rows of the data file that a part writes; a part that only changes a session counts as one. */
const rowsOf = ({ documents, events }: GroupPart): number => 1 + documents.size + events.length;

function bytesOf({ documents, events }: GroupPart): number {
  let bytes = 0;
  for (const { after } of documents.values()) bytes += after?.size ?? 0;
  for (const event of events) bytes += event.bytes.length;
  return bytes;
}

/** The callbacks of a group commit. */
export interface GroupOptions {
  readonly storage: Storage;
  readonly oldestEvent: () => number;
  /** Called after a group was written. */
  readonly took: (parts: readonly GroupPart[], bytes: number) => void;
  /** Called after a group failed. Returns the error for its commands. */
  readonly failed: (parts: readonly GroupPart[], error: unknown) => Error;
}

/**
 * Writes changes in groups: all parts that arrive while the event loop is busy. A single part does not wait for others.
 */
export class GroupCommit {
  readonly #options: GroupOptions;
  #group: Group | undefined;

  constructor(options: GroupOptions) {
    this.#options = options;
  }

  /** Adds the changes of a command; resolves when they are on disk. */
  add(part: GroupPart): Promise<void> {
    const group = this.#group ?? this.#open();
    group.parts.push(part);
    group.rows += rowsOf(part);
    group.bytes += bytesOf(part);
    if (group.rows >= maxRows || group.bytes >= maxBytes) this.flush();
    return group.written;
  }

  /** Resolves when everything added so far is on disk. */
  get written(): Promise<void> {
    return this.#group?.written ?? Promise.resolve();
  }

  #open(): Group {
    let resolve: () => void = () => undefined;
    let reject: (error: Error) => void = () => undefined;
    const written = new Promise<void>((kept, broken) => {
      resolve = kept;
      reject = broken;
    });
    written.catch(() => undefined);
    const group: Group = { parts: [], rows: 0, bytes: 0, written, resolve, reject };
    this.#group = group;
    this.#gather(group, 0);
    return group;
  }

  /** Writes the group after one turn of the event loop adds no more parts. */
  #gather(group: Group, before: number): void {
    setImmediate(() => {
      const { length } = group.parts;
      if (this.#group !== group) return;
      if (length > before) this.#gather(group, length);
      else this.flush();
    });
  }

  /** Writes the pending group immediately. */
  flush(): void {
    const group = this.#group;
    if (group === undefined) return;
    this.#group = undefined;
    try {
      this.#options.storage.commit(this.#join(group.parts));
    } catch (error) {
      group.reject(this.#options.failed(group.parts, error));
      return;
    }
    this.#options.took(group.parts, group.bytes);
    group.resolve();
  }

  #join(parts: readonly GroupPart[]): Commit {
    const documents = new Map<number, ChangedDocument>();
    const collections = new Map<number, Uint8Array>();
    const dropped = new Set<number>();
    const retries = new Map<string, Uint8Array | null>();
    for (const part of parts) {
      for (const id of part.dropped) dropped.add(id);
      for (const [sequence, put] of part.documents) documents.set(sequence, put);
      for (const { id, bytes } of part.collections) collections.set(id, bytes);
      for (const { session, bytes } of part.retries) retries.set(session, bytes);
      for (const session of part.removedRetries) retries.set(session, null);
    }
    return {
      changes: [...documents]
        .filter(([, { collection }]) => !dropped.has(collection))
        .map(([sequence, { collection, version, after }]) => ({ collection, sequence, version, bytes: after?.bytes })),
      collections: [...collections].filter(([id]) => !dropped.has(id)).map(([id, bytes]) => ({ id, bytes })),
      dropped: [...dropped],
      droppedTrees: parts.flatMap((part) => part.droppedTrees).map(({ tree }) => tree.store?.id ?? 0),
      events: parts.flatMap((part) => part.events),
      oldestEvent: this.#options.oldestEvent(),
      retries: [...retries].flatMap(([session, bytes]) => (bytes === null ? [] : [{ session, bytes }])),
      removedRetries: [...retries].flatMap(([session, bytes]) => (bytes === null ? [session] : [])),
    };
  }
}
