/** The interfaces of reads and their cache. Any folder may import them. */
import type { ModelEntry } from '../models/entry.ts';
import type { EncodedJson } from '../policy/shaped.ts';
import type { Fields } from '../query/fields.ts';

/** The answer of a read: JSON as bytes, and headers. */
export interface EncodedAnswer {
  readonly body: EncodedJson;
  readonly headers: Readonly<Record<string, string>>;
}

/** A cache of answers, which are valid until one of their models changes. */
export interface AnswerCache {
  /** The cached answer of a key, otherwise the result of `make`; `x-cache` reports which. */
  through(key: string, models: readonly ModelEntry[], make: () => Promise<EncodedAnswer>): Promise<EncodedAnswer>;
  /** Hits, misses, cached answers, and bytes of keys and answers, of all workers together. */
  stats(): Promise<Record<'hits' | 'misses' | 'keys' | 'ksize' | 'vsize', number>>;
  /** Empties the cache, that of the other workers too. */
  clear(): void;
}

/** A document as it was at a time. */
export interface PastIntent {
  readonly id: string | undefined;
  readonly time: Date;
  readonly fields: Fields | undefined;
  readonly showDeleted: boolean;
}

/** Estimated sizes of collections, at most a second old. */
export interface Sizes {
  of(model: ModelEntry): Promise<number>;
}
