/** Answers of reads, and the cache that keeps them. Interfaces only: any place may import them. */
import type { ModelEntry } from '../models/entry.ts';
import type { EncodedJson } from '../policy/shaped.ts';

/** A read's answer: JSON as bytes, with the headers that belong to it. */
export interface Reading {
  readonly body: EncodedJson;
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers of reads, kept until a model that they were made of changes. */
export interface AnswerCache {
  /** The answer kept under a key, else the one that `make` makes; `x-cache` says which. */
  through(key: string, models: readonly ModelEntry[], make: () => Promise<Reading>): Promise<Reading>;
  /** Hits, misses, answers kept, and bytes of keys and answers. */
  stats(): Readonly<Record<'hits' | 'misses' | 'keys' | 'ksize' | 'vsize', number>>;
  clear(): void;
}

/** Estimated sizes of collections, at most a second old. */
export interface Sizes {
  of(model: ModelEntry): Promise<number>;
}
