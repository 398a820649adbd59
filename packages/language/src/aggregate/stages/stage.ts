/** The interface of stages: a step from documents to documents, in groups. */
import { StoreError, unknownName } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import type { Batches, Doc, Value } from '../../values/types.ts';
import type { PipelineContext } from '../context.ts';
import { typeName } from '../expressions/arguments.ts';
import type { Compiler } from '../expressions/compiler.ts';
import { type Frame, scopeOf } from '../expressions/scope.ts';
import { Memory } from '../memory.ts';

/** A step from one document to one document, or to none. */
export type Each = (doc: Doc, frame: Frame | undefined) => Doc | undefined;

/** A compiled stage. The frame has the variables of enclosing stages. */
export interface Stage {
  readonly run: (source: Batches, frame: Frame | undefined) => Batches;
  /** The step of a stage that handles one document at a time. */
  readonly each?: Each;
}

/** The enclosing stage of a pipeline, which determines the stages that are allowed in it. */
export type PipelineLevel = '$facet' | '$lookup' | '$unionWith' | 'top';

/** A compiled pipeline. */
export interface Pipeline {
  /** The filter that the source must apply; the pipeline does not apply it again. */
  readonly leadingFilter: Doc | undefined;
  readonly run: (source: Batches, frame: Frame | undefined) => Batches;
}

/** The tools of a stage's reader. */
export interface StageTools {
  readonly compiler: Compiler;
  /** The stages after this one, as given. */
  readonly following: readonly Doc[];
  /** Compiles a pipeline within the stage. */
  readonly nested: (stages: Value, compiler: Compiler, place: PipelineLevel) => Pipeline;
}

/** Parses the operand of a stage. */
export type StageReader = (operand: Value, tools: StageTools, name: string) => Stage;

/** Maximum documents of a group. */
export const batchSize = 128;

/** A stage that handles one document at a time. */
export const perDocument = (context: PipelineContext, each: Each): Stage => ({
  each,
  run: (source, frame) => mapped(source, (doc) => each(doc, frame), context),
});

/** Runs each document through a step. */
export async function* mapped(
  source: Batches,
  step: (doc: Doc) => Doc | undefined,
  context: PipelineContext,
): AsyncGenerator<readonly Doc[]> {
  for await (const batch of source) {
    const results: Doc[] = [];
    for (const doc of batch) {
      const result = step(doc);
      if (result !== undefined) results.push(result);
      if (context.due()) await context.yield();
    }
    if (results.length > 0) yield results;
  }
}

/** An expression of a stage, as a function of the document. */
export type DocExpression = (doc: Doc, frame: Frame | undefined) => Value;

/** Compiles an expression of a stage and meters its results. */
export function docExpression(expression: Value, compiler: Compiler): DocExpression {
  const evaluate = compiler.compile(expression);
  return (doc, frame) => evaluate(scopeOf(doc, frame));
}

/** Creates documents from collected data and returns them in groups. */
export async function* inBatches<T>(
  items: Iterable<T>,
  make: (item: T) => Doc,
  context: PipelineContext,
): AsyncGenerator<readonly Doc[]> {
  let batch: Doc[] = [];
  for (const item of items) {
    batch.push(make(item));
    if (context.due()) await context.yield();
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** All documents of a source. @throws StoreError if they exceed the memory limit of the stage */
export async function gather(source: Batches, context: PipelineContext, memory: Memory): Promise<Doc[]> {
  const docs: Doc[] = [];
  for await (const batch of source) {
    for (const doc of batch) {
      memory.keep(doc);
      docs.push(doc);
    }
    await context.yield();
  }
  return docs;
}

/** The memory of a stage. */
export const memoryFor = (context: PipelineContext, name: string, code?: number): Memory =>
  new Memory(context, name, code);

/** @throws StoreError with the given code if the value is not an object */
export function objectOf(operand: Value, code: number, what: string): Doc {
  if (!isDoc(operand)) throw new StoreError(code, `${what} must be an object, but got ${typeName(operand)}`);
  return operand;
}

/** @throws StoreError with the given code for an unknown option */
export function checkOptions(given: Doc, known: readonly string[], code: number, name: string): void {
  for (const option of Object.keys(given)) {
    if (!known.includes(option)) throw unknownName(code, `Unrecognized option to ${name}: ${option}`);
  }
}
