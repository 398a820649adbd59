/** What a pipeline is given of the store it runs in (types only). */
import type { Collation } from '../values/collation.ts';
import type { Batches, Doc, Value } from '../values/types.ts';
import type { Meter } from './meter.ts';

/** How `$merge` treats documents that the target has, and those that it has not. */
export interface MergeMode {
  readonly merge: {
    /** The fields by which documents are the same; the target needs a unique index on them. */
    readonly on: readonly string[];
    /** A function makes the document that the target's becomes; `fail` is an error with code 11000. */
    readonly whenMatched: 'replace' | 'keepExisting' | 'merge' | 'fail' | ((existing: Doc, incoming: Doc) => Doc);
    readonly whenNotMatched: 'insert' | 'discard' | 'fail';
  };
}

/** A collection of a database. */
export interface Target {
  readonly db: string;
  readonly collection: string;
}

/** What a pipeline may use. */
export interface PipelineContext {
  readonly db: string;
  readonly collection: string;
  /** The documents of a collection that a filter finds, by the command's snapshot; indexes are used. */
  readonly read: (collection: string, filter: Doc | undefined) => Batches;
  /** The documents of which a path has one of the values. */
  readonly lookupEqual?: (collection: string, path: string, values: readonly Value[]) => Promise<readonly Doc[]>;
  /** Writes the documents of a pipeline that ends in `$out` or `$merge`. */
  readonly write?: (target: Target, mode: 'out' | MergeMode, docs: Batches) => Promise<void>;
  readonly now: Date;
  readonly collation?: Collation;
  /** The command's own variables: constant expressions by name. */
  readonly let?: Doc;
  /** The relevance of a document to the text that the pipeline began with. */
  readonly textScore?: (doc: Doc) => number;
  /** @throws StoreError 50 or 11601 when the command is over its time or was ended */
  readonly checkTime: () => void;
  /** Gives way to other commands when it is due. */
  readonly yield: () => Promise<void>;
  /** Whether the command has worked long enough to give way. */
  readonly due: () => boolean;
  readonly meter: Meter;
  readonly memoryLimitBytes: number;
}
