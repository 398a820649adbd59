/** The interface between a pipeline and the store that runs it (types only). */
import type { Collation } from '../values/collation.ts';
import type { Batches, Doc } from '../values/types.ts';
import type { Meter } from './meter.ts';

/** How `$merge` treats documents with and without a match in the target. */
export interface MergeMode {
  readonly merge: {
    /** The fields that identify a document; the target needs a unique index on them. */
    readonly on: readonly string[];
    /** A function computes the merged document; `fail` is an error with code 11000. */
    readonly whenMatched: 'replace' | 'keepExisting' | 'merge' | 'fail' | ((existing: Doc, incoming: Doc) => Doc);
    readonly whenNotMatched: 'insert' | 'discard' | 'fail';
  };
}

/** A collection of a database. */
export interface Target {
  readonly db: string;
  readonly collection: string;
}

/** The services that a pipeline uses. */
export interface PipelineContext {
  readonly db: string;
  readonly collection: string;
  /** The documents of a collection that a filter matches, in the command's snapshot; indexes are used. */
  readonly read: (collection: string, filter: Doc | undefined) => Batches;
  /** Writes the documents of a pipeline that ends in `$out` or `$merge`. */
  readonly write?: (target: Target, mode: 'out' | MergeMode, docs: Batches) => Promise<void>;
  readonly now: Date;
  readonly collation?: Collation;
  /** The command's variables (`let`): constant expressions by name. */
  readonly let?: Doc;
  /** The text score of a document, if the pipeline starts with `$text`. */
  readonly textScore?: (doc: Doc) => number;
  /** @throws StoreError 50 after the time limit, 11601 after an interruption */
  readonly checkTime: () => void;
  /** Yields to other commands if the time slice is over. */
  readonly yield: () => Promise<void>;
  /** Whether the time slice is over. */
  readonly due: () => boolean;
  readonly meter: Meter;
  readonly memoryLimitBytes: number;
}
