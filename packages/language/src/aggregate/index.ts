/** Compiles pipelines and expressions to functions. */
import type { Batches, Doc, Value } from '../values/types.ts';
import type { PipelineContext } from './context.ts';
import { Compiler } from './expressions/compiler.ts';
import { operators } from './expressions/operators.ts';
import { readPipeline, rowOf } from './pipeline.ts';
import { docExpression } from './stages/stage.ts';
import { compileUpdateStages } from './stages/update-stages.ts';

export type { MergeMode, PipelineContext, Target } from './context.ts';
export { countAnswer, splitPushdown, type Pushdown } from './pushdown.ts';
export { type FieldNames, fieldsOfFilter, fieldsOfInclusion, fieldsOfPaths, fieldsOfPipeline } from './fields.ts';
export { Meter } from './meter.ts';

/**
 * Compiles a pipeline, or the rest of one after `splitPushdown`.
 * @throws StoreError with MongoDB's code if it is invalid or unsupported
 */
export function compilePipeline(stages: readonly Doc[], context: PipelineContext): (source: Batches) => Batches {
  const { run } = readPipeline([...stages], Compiler.create(operators, context), { place: 'top', depth: 0 });
  return (source) => run(source, undefined);
}

/** Compiles an expression. @throws StoreError with MongoDB's code if it is invalid or unsupported */
export function compileExpression(expression: Value, context: PipelineContext): (doc: Doc) => Value {
  const evaluate = docExpression(expression, Compiler.create(operators, context));
  return (doc) => evaluate(doc, undefined);
}

/**
 * Compiles an update given as a pipeline.
 * @throws StoreError 72 for a stage that an update cannot have; errors of pipelines
 */
export function compileDocumentPipeline(stages: readonly Doc[], context: PipelineContext): (doc: Doc) => Doc {
  for (const stage of stages) for (const name of Object.keys(stage)) rowOf(name);
  const change = compileUpdateStages(stages, Compiler.create(operators, context));
  return (doc) => change(doc, undefined) ?? doc;
}
