/**
 * The interfaces of changes of documents: the bus, which passes them on inside one server, and the feed, the ordered sequence of
 * all changes. Any folder may import them.
 */
import type { ModelEntry } from '../../models/entry.ts';

/** One change of one document, as its writer publishes it. */
export interface Change {
  readonly event: 'post' | 'put' | 'del';
  readonly model: ModelEntry;
  readonly id: string;
  /** The document before and after, as stored; undefined where there is none or it was not read. */
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
  readonly user: string | undefined;
  /** Published as one change, although the document may have been written several times between `before` and `after`. */
  readonly joined?: true | undefined;
  /** The paths that an update has set or removed, where the database reports them. */
  readonly updatedPaths?: readonly string[] | undefined;
  /** The revision after the change, where there is no image after it. */
  readonly version?: number | undefined;
  /** The request had `_silence`: caches and sessions receive the change, subscribers do not. */
  readonly silent: boolean;
  /**
   * `elsewhere`: the change was reported by the database: another server or a function of a model made it. `worker`: another worker of
   * this server made it.
   */
  readonly origin?: 'elsewhere' | 'worker';
}

/** Changes inside one server, all its workers included. */
export interface Bus {
  publish(changes: readonly Change[]): void;
  /** @param needsBefore whether the listener needs before-images of a model's documents */
  subscribe(listener: (changes: readonly Change[]) => void, needsBefore?: (model: ModelEntry) => boolean): () => void;
  /** Whether a listener needs before-images of a model's documents. */
  wantsBefore(model: ModelEntry): boolean;
  /** Reports that any document of a model may have changed, as after a function of it has run. */
  invalidate(model: ModelEntry): void;
  onInvalidated(listener: (model: ModelEntry) => void): () => void;
  /**
   * After this resolves, the changes of other workers arrive.
   * @param model whose changes arrive with their documents; without it, only revisions are needed
   */
  ensureDelivered(model?: ModelEntry): Promise<void>;
}

/** A change with its position in the feed. */
export interface SequencedChange extends Change {
  readonly position: string;
}

/** Which changes are requested: those of a model, or of one document. */
export interface Scope {
  readonly model: ModelEntry;
  readonly id: string | undefined;
}

/** All changes in one order: new ones as they occur, and past ones as far back as the history reaches. */
export interface Feed {
  /** Whether the database reports what other servers write. */
  readonly shared: boolean;
  /** After this resolves, every change is delivered, those of a model with their documents. */
  ensureDelivered(model?: ModelEntry): Promise<void>;
  /** The position after the last delivered change. */
  position(): string;
  /** `missed` is called when changes have been lost. */
  listen(listener: { deliver(change: SequencedChange): void; missed(): void }): () => void;
  /** @throws 410 when the position is unknown or the history does not reach back to it, 503 when too many readers wait */
  since(position: string, scope: Scope): Promise<History>;
  /**
   * Distinguishes changes made after this call from earlier ones that are delivered later.
   * @returns a test that is false for changes acknowledged before the call @throws 503
   */
  changedAfterNow(): Promise<(change: SequencedChange) => boolean>;
}

/** The changes after a position. */
export interface History {
  /**
   * The changes delivered to listeners before this call. A listener that starts now misses none and receives none twice.
   * @throws 410
   */
  untilNow(): AsyncIterable<SequencedChange> | Iterable<SequencedChange>;
  /**
   * The changes acknowledged before this call, silent ones too. What is read here is not read by `untilNow` again.
   * @throws 410
   */
  acknowledged(): AsyncIterable<SequencedChange> | Iterable<SequencedChange>;
  /** The position after all that `acknowledged` has returned, once it has ended. */
  position(): string;
  close(): Promise<void>;
}
