/** The interface of accumulators. */
import { StoreError } from '../../errors.ts';
import type { Value } from '../../values/types.ts';
import type { PipelineContext } from '../context.ts';
import type { Compiler } from '../expressions/compiler.ts';
import type { Scope } from '../expressions/scope.ts';
import type { Memory } from '../memory.ts';

/** The running result of one group or window. */
export interface Gathering {
  add(scope: Scope): void;
  result(): Value;
}

/** Starts a running result, which counts its memory towards the stage's limit. */
export type Accumulator = (memory: Memory) => Gathering;

/** Parses the operand of an accumulator. */
export type AccumulatorReader = (operand: Value, compiler: Compiler, name: string) => Accumulator;

/** A running result over single values. */
interface ValueGathering {
  add(value: Value): void;
  result(): Value;
}

/** Starts a running result over single values. */
export type ValueAccumulator = (memory: Memory, context: PipelineContext) => ValueGathering;

/** An accumulator over the values of one expression. */
export const ofValues =
  (start: ValueAccumulator): AccumulatorReader =>
  (operand, compiler, name) => {
    if (Array.isArray(operand)) throw new StoreError(40237, `The ${name} accumulator is a unary operator`);
    const evaluate = compiler.compile(operand);
    return (memory) => {
      const gathering = start(memory, compiler.context);
      return {
        add: (scope) => gathering.add(evaluate(scope)),
        result: () => gathering.result(),
      };
    };
  };
