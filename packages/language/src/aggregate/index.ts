/** The door of aggregation: pipelines and expressions become functions, once, before any document is seen. */
import type { Batches, Doc, Value } from '../values/types.ts';
import type { PipelineContext } from './context.ts';
import { Compiler } from './expressions/compiler.ts';
import { operators } from './expressions/operators.ts';
import { readPipeline, rowOf } from './pipeline.ts';
import { docExpression } from './stages/stage.ts';
import { compileUpdateStages } from './stages/update-stages.ts';

export type { MergeMode, PipelineContext, Target } from './context.ts';
export { countAnswer, leadingOf, type Leading } from './leading.ts';
export { Meter } from './meter.ts';

/**
 * Makes the function of a pipeline, or of what `leadingOf` left of one.
 * @throws StoreError with MongoDB's code for what can't be read or isn't supported
 */
export function compilePipeline(stages: readonly Doc[], context: PipelineContext): (source: Batches) => Batches {
  const { run } = readPipeline([...stages], Compiler.create(operators, context), { place: 'top', depth: 0 });
  return (source) => run(source, undefined);
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
  for (const stage of stages) for (const name of Object.keys(stage)) rowOf(name);
  const change = compileUpdateStages(stages, Compiler.create(operators, context));
  return (doc) => change(doc, undefined) ?? doc;
}
