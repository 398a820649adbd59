/** What the readers of pipelines and of their stages share (types only). */
import type { Caller, ExpressionReader } from './expressions.ts';
import type { Filter } from './filter.ts';
import type { Stage } from './pipeline-secrets.ts';
import type { SchemaView } from './schema-view.ts';

/** A collection that a pipeline reads, and the rows of it that the caller may see. */
export interface Source {
  readonly collection: string;
  readonly view: SchemaView;
  readonly filter: Filter;
}

/** A collection that a pipeline writes to. */
interface Target {
  readonly collection: string;
  /** Undefined for a collection that no model has. */
  readonly view: SchemaView | undefined;
}

/** What a pipeline may reach besides its own source. */
export interface Reach {
  readonly caller: Caller;
  readonly now: Date;
  /** The source of a join. @throws 400 for none of this name, 403 for one that the caller may not read as a whole */
  readonly join: (name: string) => Source;
  /** The collection that a writing stage names, with the view of its model where it has one. @throws 403 for one that may not be written so */
  readonly target: (stage: '$out' | '$merge', name: unknown) => Target;
}

/** Readers of the pipelines inside a stage. */
interface NestedReaders {
  /** A pipeline over a source of its own. */
  readonly over: (value: unknown, source: Source, walk: PipelineWalk) => Stage[];
  /** A pipeline over the documents that arrive at the stage. */
  readonly stages: (value: unknown, walk: PipelineWalk) => Stage[];
}

/** What the walk knows at a place in a pipeline. */
export interface PipelineWalk {
  readonly reach: Reach;
  readonly expressions: ExpressionReader;
  readonly nesting: number;
  /** Reads nested pipelines, which may hold any stage in turn. */
  readonly nested: NestedReaders;
  /** The view of the documents that arrive here: a free one once a stage has changed them. */
  readonly view: SchemaView;
}
