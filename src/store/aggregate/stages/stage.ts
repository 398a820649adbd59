/** What a stage is: its operand → a step from documents to documents (types and small tools). */
import { isDoc } from '../../values/kind.ts';
import { StoreError } from '../../errors.ts';
import type { Batches, Doc, Value } from '../../values/types.ts';
import type { PipelineContext } from '../context.ts';
import { Memory } from '../meter.ts';

export type Step = (source: Batches) => Batches;

/** Compiles the stages of a pipeline inside a stage. */
export type CompileStages = (stages: Value, context: PipelineContext) => Step;

export type Stage = (operand: Value, context: PipelineContext, compile: CompileStages, name: string) => Step;

/** Documents in a group; between groups a long command gives way. */
export const groupSize = 500;

/** A step that makes one document, or none, of each. */
export function each(context: PipelineContext, change: (doc: Doc) => Doc | undefined): Step {
  return async function* (source) {
    for await (const group of source) {
      context.checkTime();
      const changed: Doc[] = [];
      for (const doc of group) {
        const next = change(doc);
        if (next !== undefined) changed.push(next);
        if (context.due()) await context.yield();
      }
      if (changed.length > 0) yield changed;
    }
  };
}

/** All documents of a source, within the memory that a command may use. */
export async function gather(source: Batches, context: PipelineContext, memory = new Memory(context)): Promise<Doc[]> {
  const docs: Doc[] = [];
  for await (const group of source) {
    context.checkTime();
    for (const doc of group) {
      memory.keep(doc);
      docs.push(doc);
      if (context.due()) await context.yield();
    }
  }
  return docs;
}

/** Documents as groups. */
export async function* inGroups(docs: readonly Doc[], context: PipelineContext): Batches {
  for (let at = 0; at < docs.length; at += groupSize) {
    yield docs.slice(at, at + groupSize);
    context.checkTime();
    await context.yield();
  }
}

/** The operand as an object. */
export function objectOf(operand: Value, name: string): Doc {
  if (!isDoc(operand)) throw new StoreError(15959, `the ${name} specification must be an object`);
  return operand;
}

/** A text that must be there. */
export function textOf(value: Value, what: string): string {
  if (typeof value !== 'string' || value === '') throw new StoreError(9, `${what} must be a text`);
  return value;
}
