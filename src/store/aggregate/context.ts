/** What a pipeline is given of the store it runs in (types only). */
import type { Collation } from '../values/collation.ts';
import type { Batches, Doc, Value } from '../values/types.ts';
import type { Meter } from './meter.ts';

/** How `$merge` treats documents that the target has, and those that it has not. */
export interface MergeMode {
  readonly merge: {
    readonly on: readonly string[];
    readonly whenMatched: 'replace' | 'keepExisting' | 'merge' | 'fail';
    readonly whenNotMatched: 'insert' | 'discard' | 'fail';
  };
}

export interface PipelineContext {
  readonly db: string;
  readonly collection: string;
  /** The documents of a collection, by a snapshot; indexes are used. */
  readonly read: (collection: string, filter: Doc | undefined) => Batches;
  /** The documents of which a path has one of the values. */
  readonly lookupEqual?: (collection: string, path: string, values: readonly Value[]) => Promise<readonly Doc[]>;
  readonly write?: (
    target: { readonly db: string; readonly collection: string },
    mode: 'out' | MergeMode,
    docs: Batches,
  ) => Promise<void>;
  readonly now: Date;
  readonly collation?: Collation;
  readonly let?: Doc;
  /** The relevance of a document to the text that the pipeline began with. */
  readonly textScore?: (doc: Doc) => number;
  /** @throws StoreError 50 or 11601 when the command is over its time or killed */
  readonly checkTime: () => void;
  /** Gives way to other commands. */
  readonly yield: () => Promise<void>;
  /** Whether the command has worked long enough to give way. */
  readonly due: () => boolean;
  readonly meter: Meter;
  readonly memoryLimitBytes: number;
}
