/** The door of aggregation: pipelines and expressions become functions, once, before any document is seen. */
import { isDoc } from '../values/kind.ts';
import { toDouble } from '../values/number.ts';
import type { Batches, Doc, Value } from '../values/types.ts';
import type { PipelineContext } from './context.ts';
import { Compiler } from './expressions/compiler.ts';
import { operators } from './expressions/operators.ts';
import { readPipeline } from './pipeline.ts';
import { docExpression } from './stages/stage.ts';
import { wantedAfter } from './stages/sort.ts';
import { compileUpdateStages } from './stages/update-stages.ts';

export type { MergeMode, PipelineContext, Target } from './context.ts';

/** A pipeline, ready to run. */
export interface CompiledPipeline {
  readonly run: (source: Batches) => Batches;
  /** What the documents of the source have to meet; the pipeline itself doesn't look at it again. */
  readonly leadingFilter: Doc | undefined;
  /** The order that the pipeline asks for first; a source that has it already makes the sort a short one. */
  readonly leadingSort: LeadingSort | undefined;
}

/** A `$sort` at the beginning of a pipeline. */
export interface LeadingSort {
  readonly sort: Doc;
  /** How many documents pass what follows; Infinity when all do. */
  readonly wanted: number;
}

/**
 * Makes the function of a pipeline.
 * @throws StoreError with MongoDB's code for what can't be read or isn't supported
 */
export function compilePipeline(stages: readonly Doc[], context: PipelineContext): CompiledPipeline {
  const { run, leadingFilter } = readPipeline([...stages], Compiler.create(operators, context), {
    place: 'top',
    depth: 0,
  });
  return { run: (source) => run(source, undefined), leadingFilter, leadingSort: leadingSortOf(stages) };
}

function leadingSortOf(stages: readonly Doc[]): LeadingSort | undefined {
  const at = stages.findIndex((stage) => !Object.hasOwn(stage, '$match'));
  const sort = stages[at]?.['$sort'];
  if (!isDoc(sort) || !Object.values(sort).every((direction) => toDouble(direction) !== undefined)) return undefined;
  return { sort, wanted: wantedAfter(stages.slice(at + 1)) };
}

/**
 * Makes the function of an expression.
 * @throws StoreError with MongoDB's code for what can't be read or isn't supported
 */
export function compileExpression(expression: Value, context: PipelineContext): (doc: Doc) => Value {
  const evaluate = docExpression(expression, Compiler.create(operators, context));
  return (doc) => evaluate(doc, undefined);
}

/**
 * Makes the function of an update that is a pipeline.
 * @throws StoreError 72 for a stage that may not be in one, and others as pipelines do
 */
export function compileDocumentPipeline(stages: readonly Doc[], context: PipelineContext): (doc: Doc) => Doc {
  const change = compileUpdateStages(stages, Compiler.create(operators, context));
  return (doc) => change(doc, undefined) ?? doc;
}
