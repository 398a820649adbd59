/** Changes of documents, the bus that carries them inside one server, and the feed of all changes in one order. Interfaces only: any place may import them. */
import type { ModelEntry } from '../../models/entry.ts';

/** One change of one document, as the writers tell it. */
export interface Change {
  readonly event: 'post' | 'put' | 'del';
  readonly model: ModelEntry;
  readonly id: string;
  /** The document before and after, as stored; undefined where there is none or it was not read. */
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
  readonly user: string | undefined;
  /** Told as one change, though the document may have been written several times between `before` and `after`. */
  readonly joined?: true;
  /** `_silence` was asked for: caches and sessions hear of it, subscribers do not. */
  readonly silent: boolean;
  /** The change was heard from the database: another server made it, or a function of a model. */
  readonly origin?: 'elsewhere';
}

/** Changes inside one server. */
export interface Bus {
  publish(changes: readonly Change[]): void;
  /** `hears` tells whether the listener wants to know how the documents of a model were before. */
  subscribe(listener: (changes: readonly Change[]) => void, hears?: (model: ModelEntry) => boolean): () => void;
  /** Whether somebody wants to know how the documents of a model were before. */
  wantsBefore(model: ModelEntry): boolean;
  /** A function of a model has run: it may have written anything, and nobody knows what. */
  touched(model: ModelEntry): void;
  onTouched(listener: (model: ModelEntry) => void): () => void;
}

/** A change with its position: its place in the one order in which all changes are told. */
export interface SequencedChange extends Change {
  readonly position: string;
}

/** Which changes somebody asks for: those of a model, or of one document. */
export interface Scope {
  readonly model: ModelEntry;
  readonly id: string | undefined;
}

/** Changes in one order: as they happen, and as far back as they are known. */
export interface Feed {
  /** Whether the database tells of what other servers write. */
  readonly shared: boolean;
  /** From when this is done on everything is told. */
  need(): Promise<void>;
  /** The position behind everything that has been told. */
  position(): string;
  /** `missed` is told when changes have been lost. */
  listen(listener: { tell(change: SequencedChange): void; missed(): void }): () => void;
  /** @throws 410 when the position is unknown or the history does not reach back to it, 503 when too many ask */
  since(position: string, scope: Scope): Promise<Past>;
}

/** The changes after a position. */
export interface Past {
  /** Those that listeners have been told of before this call; whoever listens from now on misses none and hears none twice. @throws 410 */
  untilNow(): AsyncIterable<SequencedChange> | Iterable<SequencedChange>;
  close(): Promise<void>;
}
