/** The interfaces of reads and their cache. Any folder may import them. */
import type { ModelEntry } from '../models/entry.ts';
import type { EncodedJson } from '../policy/shaped.ts';
import type { Fields } from '../query/fields.ts';
import type { Filter } from '../query/filter.ts';

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

/** A search for documents, as the database received it: of a read, or of a write. */
export interface SeenRead {
  readonly model: ModelEntry;
  readonly filter: Filter;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  /** Undefined for a read to the end. */
  readonly limit: number | undefined;
  /** How many rows it returned; of a count, how many it counted; of a write, how many documents matched, or were made. */
  readonly returned: number;
  /** It has failed, or its caller has left: it might have returned more, so that only its time says something. */
  readonly isCut?: boolean;
  readonly pipeline?: SeenPipeline;
  /** The command of a write, such as `updateMany`; `insertOne` and `insertMany` search for nothing. */
  readonly write?: string;
}

interface SeenPipeline {
  /** The stages, without one that writes. */
  readonly stages: readonly object[];
  /** The names of those that follow the search for documents. */
  readonly following: readonly string[];
}

/** Receives how long reads and writes took. It must return at once. */
export interface ReadWatch {
  seen(read: SeenRead, ms: number): void;
}

/** Slow reads or writes of one shape. */
export interface SlowRead {
  readonly model: string;
  /** The paths and operators, without values. */
  readonly shape: string;
  readonly count: number;
  readonly total_ms: number;
  readonly max_ms: number;
  readonly first: Date;
  readonly last: Date;
  /** The stages of the plan. */
  readonly plan: string;
  readonly index: string | undefined;
  /** How many documents the last one that was judged examined; undefined where the plan does not show it. */
  readonly examined: number | undefined;
  readonly returned: number;
  /** The index that would serve it. */
  readonly advice: Readonly<Record<string, string | number>> | undefined;
  /** How many of the first paths of that index have given values. */
  readonly fixed: number;
}

/** Estimated sizes of collections, at most a second old. */
export interface Sizes {
  of(model: ModelEntry): Promise<number>;
}
