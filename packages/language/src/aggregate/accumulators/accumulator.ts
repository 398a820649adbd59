/** What an accumulator is: something that gathers from one document after the other. */
import type { Compiler } from '../expressions/compiler.ts';
import type { Scope } from '../expressions/scope.ts';
import type { Memory } from '../memory.ts';
import type { PipelineContext } from '../context.ts';
import { StoreError } from '../../errors.ts';
import type { Value } from '../../values/types.ts';

/** What was gathered for one group or window. */
export interface Gathering {
  add(scope: Scope): void;
  result(): Value;
}

/** Begins a gathering; what it holds is taken from the stage's memory. */
export type Accumulator = (memory: Memory) => Gathering;

/** Reads the operand of an accumulator. */
export type AccumulatorReader = (operand: Value, compiler: Compiler, name: string) => Accumulator;

/** A gathering of single values. */
export interface ValueGathering {
  add(value: Value): void;
  result(): Value;
}

/** Begins a gathering of values. */
export type ValueAccumulator = (memory: Memory, context: PipelineContext) => ValueGathering;

/** An accumulator of the values of one expression. */
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
