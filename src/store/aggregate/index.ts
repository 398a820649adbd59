/** The door of aggregation: stages become one step from documents to documents, compiled before any document is seen. */
import { StoreError } from '../errors.ts';
import { compileProjection } from '../project/index.ts';
import { isDoc } from '../values/kind.ts';
import type { Doc, Value } from '../values/types.ts';
import type { PipelineContext } from './context.ts';
import { compileExpression } from './expressions/compile.ts';
import { compileSet } from './set.ts';
import { stages as known } from './stages/index.ts';
import { limitOf, sorting } from './stages/order.ts';
import { exprOf } from './stages/shape.ts';
import type { Step } from './stages/stage.ts';

export type { MergeMode, PipelineContext } from './context.ts';
export { compileExpression } from './expressions/compile.ts';
export { Meter } from './meter.ts';
export { leadingOf, type Leading } from './leading.ts';

const mostStages = 1000;
const deepest = 20;

/** Compiles a pipeline, or what `leadingOf` left of one. @throws StoreError with MongoDB's code for what it does not know */
export function compilePipeline(stages: readonly Doc[], context: PipelineContext): Step {
  return compileStages([...stages], context, 0);
}

function compileStages(list: Value, context: PipelineContext, depth: number): Step {
  if (!Array.isArray(list)) throw new StoreError(14, "'pipeline' must be an array");
  if (depth > deepest || list.length > mostStages)
    throw new StoreError(40383, 'the pipeline is nested too deep or too long');
  const steps = list.map((stage, at) => {
    const step = compileStage(stage, context, depth, at === list.length - 1);
    return boundedSort(stage, list[at + 1], context) ?? step;
  });
  return (source) => steps.reduce((docs, step) => step(docs), source);
}

/** A sort before a limit keeps no more than the limit. */
function boundedSort(stage: Value, next: Value, context: PipelineContext): Step | undefined {
  if (!isDoc(stage) || !isDoc(next) || !Object.hasOwn(stage, '$sort') || !Object.hasOwn(next, '$limit'))
    return undefined;
  return sorting(stage['$sort'], limitOf(next['$limit']), context);
}

function compileStage(stage: Value, context: PipelineContext, depth: number, last: boolean): Step {
  if (!isDoc(stage) || Object.keys(stage).length !== 1)
    throw new StoreError(40323, 'A pipeline stage specification object must contain exactly one field.');
  const [name = '', operand] = Object.entries(stage)[0] ?? [];
  const make = known.get(name);
  if (make === undefined) throw new StoreError(40324, `Unrecognized pipeline stage name: '${name}'`);
  if ((name === '$out' || name === '$merge') && (!last || depth > 0))
    throw new StoreError(40601, `${name} can only be the final stage in the pipeline`);
  return make(operand, context, (inner, innerContext) => compileStages(inner, innerContext, depth + 1), name);
}

const updateStages: Readonly<Record<string, (operand: Value, context: PipelineContext) => (doc: Doc) => Doc>> = {
  $set: (operand, context) => compileSet(docOf(operand), context),
  $addFields: (operand, context) => compileSet(docOf(operand), context),
  $unset: (operand) =>
    compileProjection(
      Object.fromEntries((Array.isArray(operand) ? operand : [operand]).map((name) => [String(name as string), 0])),
      {},
    ),
  $project: (operand, context) => compileProjection(docOf(operand), { expr: exprOf(context) }),
  $replaceRoot: (operand, context) => replacing(docOf(operand)['newRoot'], context),
  $replaceWith: replacing,
};

function docOf(operand: Value): Doc {
  if (!isDoc(operand)) throw new StoreError(40272, 'the stage of an update needs an object');
  return operand;
}

function replacing(operand: Value, context: PipelineContext): (doc: Doc) => Doc {
  const evaluate = compileExpression(operand, context);
  return (doc) => docOf(evaluate(doc));
}

/** Compiles the pipeline of an update: a few stages, one document. @throws StoreError 72 for other stages */
export function compileDocumentPipeline(list: readonly Doc[], context: PipelineContext): (doc: Doc) => Doc {
  const steps = list.map((stage) => {
    const [name = '', operand] = Object.entries(stage)[0] ?? [];
    const make = Object.hasOwn(updateStages, name) ? updateStages[name] : undefined;
    if (make === undefined || Object.keys(stage).length !== 1)
      throw new StoreError(72, `${name} is not allowed to be used within an update`);
    return make(operand, context);
  });
  return (doc) => steps.reduce((changed, step) => step(changed), doc);
}
