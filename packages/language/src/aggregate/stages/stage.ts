/** What a stage is: a step from documents to documents, a group of them at a time. */
import { StoreError, unknownName } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import type { Batches, Doc, Value } from '../../values/types.ts';
import type { PipelineContext } from '../context.ts';
import { typeName } from '../expressions/arguments.ts';
import type { Compiler } from '../expressions/compiler.ts';
import { scopeOf, type Frame } from '../expressions/scope.ts';
import { Memory } from '../memory.ts';

/** A step of one document: to one document, or to none. */
export type Each = (doc: Doc, frame: Frame | undefined) => Doc | undefined;

/** A stage, ready to run. The frame has the variables of the stages around the pipeline. */
export interface Stage {
  readonly run: (source: Batches, frame: Frame | undefined) => Batches;
  /** The same for a single document, of stages that look at each by itself. */
  readonly each?: Each;
}

/** Where a pipeline stands, which decides what may be in it. */
export type Place = '$facet' | '$lookup' | '$unionWith' | 'top';

/** A pipeline, ready to run. */
export interface Pipeline {
  /** What the documents of the source have to meet; the pipeline itself doesn't look at it again. */
  readonly leadingFilter: Doc | undefined;
  readonly run: (source: Batches, frame: Frame | undefined) => Batches;
}

/** What the reader of a stage may use. */
export interface StageTools {
  readonly compiler: Compiler;
  /** The stages after this one, as they are given. */
  readonly following: readonly Doc[];
  /** Reads a pipeline within the stage. */
  readonly nested: (stages: Value, compiler: Compiler, place: Place) => Pipeline;
}

/** Reads the operand of a stage. */
export type StageReader = (operand: Value, tools: StageTools, name: string) => Stage;

/** How many documents a step hands on at once. */
export const batchSize = 128;

/** A stage that looks at each document by itself. */
export const perDocument = (context: PipelineContext, each: Each): Stage => ({
  each,
  run: (source, frame) => mapped(source, (doc) => each(doc, frame), context),
});

/** Takes each document through a step. */
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

/** Compiles an expression of a stage; what it makes for one document is bounded. */
export function docExpression(expression: Value, compiler: Compiler): DocExpression {
  const evaluate = compiler.compile(expression);
  return (doc, frame) => evaluate(scopeOf(doc, frame));
}

/** Makes one document after the other from what was gathered, and hands them on in groups. */
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

/**
 * All documents of a source.
 * @throws StoreError when they take up more than a stage may hold
 */
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

/** @throws StoreError with the code given for what is no object */
export function objectOf(operand: Value, code: number, what: string): Doc {
  if (!isDoc(operand)) throw new StoreError(code, `${what} must be an object, but got ${typeName(operand)}`);
  return operand;
}

/** @throws StoreError with the code given for an option that there isn't */
export function checkOptions(given: Doc, known: readonly string[], code: number, name: string): void {
  for (const option of Object.keys(given)) {
    if (!known.includes(option)) throw unknownName(code, `Unrecognized option to ${name}: ${option}`);
  }
}
