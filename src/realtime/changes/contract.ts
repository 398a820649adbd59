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
  /** The request had `_silence`: caches and sessions receive the change, subscribers do not. */
  readonly silent: boolean;
  /** The change was heard from the database: another server made it, or a function of a model. */
  readonly origin?: 'elsewhere';
}

/** Changes inside one server. */
export interface Bus {
  publish(changes: readonly Change[]): void;
  /** `hears` says whether the listener needs before-images of a model's documents. */
  subscribe(listener: (changes: readonly Change[]) => void, hears?: (model: ModelEntry) => boolean): () => void;
  /** Whether a listener needs before-images of a model's documents. */
  wantsBefore(model: ModelEntry): boolean;
  /** A function of a model has run: it may have written anything, and what it wrote is unknown. */
  touched(model: ModelEntry): void;
  onTouched(listener: (model: ModelEntry) => void): () => void;
}

/** A change with its position in the one order of all changes. */
export interface SequencedChange extends Change {
  readonly position: string;
}

/** Which changes are requested: those of a model, or of one document. */
export interface Scope {
  readonly model: ModelEntry;
  readonly id: string | undefined;
}

/** Changes in one order: as they happen, and as far back as they are known. */
export interface Feed {
  /** Whether the database reports what other servers write. */
  readonly shared: boolean;
  /** After this resolves, every change is delivered. */
  need(): Promise<void>;
  /** The position after the last delivered change. */
  position(): string;
  /** `missed` is called when changes have been lost. */
  listen(listener: { tell(change: SequencedChange): void; missed(): void }): () => void;
  /** @throws 410 when the position is unknown or the history does not reach back to it, 503 when too many ask */
  since(position: string, scope: Scope): Promise<Past>;
}

/** The changes after a position. */
export interface Past {
  /** Those delivered to listeners before this call: a listener that starts now misses none and receives none twice. @throws 410 */
  untilNow(): AsyncIterable<SequencedChange> | Iterable<SequencedChange>;
  close(): Promise<void>;
}
