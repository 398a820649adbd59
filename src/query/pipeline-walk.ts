/** The types that the readers of pipelines and stages share. */
import type { ExpressionReach, ExpressionReader } from './expressions.ts';
import type { Filter } from './filter.ts';
import type { Stage } from './pipeline-secrets.ts';
import type { SchemaView } from './schema-view.ts';

/** A collection that a pipeline reads, and the row filter of the caller. */
export interface Source {
  readonly collection: string;
  readonly view: SchemaView;
  readonly filter: Filter;
}

/** A collection that a pipeline writes to. */
interface Target {
  readonly collection: string;
  /** Undefined for a collection without a model. */
  readonly view: SchemaView | undefined;
}

/** The collections that a pipeline may access besides its source. */
export interface Reach extends ExpressionReach {
  /** The source of a join. @throws 400 for an unknown name, 403 for a model that the caller may not read */
  readonly join: (name: string) => Source;
  /**
   * The collection that a writing stage names, with the view of its model, if any.
   * @throws 403 for one that the stage may not write
   */
  readonly target: (stage: '$out' | '$merge', name: unknown) => Target;
}

/** Readers of the pipelines inside a stage. */
interface NestedReaders {
  /** Reads a pipeline over another source. */
  readonly over: (value: unknown, source: Source, walk: PipelineWalk) => Stage[];
  /** Reads a pipeline over the documents that reach the stage. */
  readonly stages: (value: unknown, walk: PipelineWalk) => Stage[];
}

/** The state of the reader at a point of a pipeline. */
export interface PipelineWalk {
  readonly reach: Reach;
  readonly expressions: ExpressionReader;
  readonly nesting: number;
  /** The readers of nested pipelines, which may contain any stage. */
  readonly nested: NestedReaders;
  /** The view of the documents at this point; free-form after a stage that changes them. */
  readonly view: SchemaView;
}
