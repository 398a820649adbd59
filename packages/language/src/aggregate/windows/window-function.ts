/** The interface of window functions: from the documents of a partition to a value for each. */
import type { Doc, Value } from '../../values/types.ts';
import type { Compiler } from '../expressions/compiler.ts';
import type { Frame } from '../expressions/scope.ts';
import type { Memory } from '../memory.ts';
import type { Order } from './order.ts';
import type { Window } from './window.ts';

/** The documents of a partition, in order. */
export interface Partition {
  readonly docs: readonly Doc[];
  readonly frame: Frame | undefined;
  readonly memory: Memory;
}

/** A compiled window function. */
export type WindowFunction = (partition: Partition) => Promise<readonly Value[]>;

/** The tools of a window function's reader. */
export interface WindowTools {
  readonly compiler: Compiler;
  /** The order by one field. */
  readonly order: Order | undefined;
  readonly sortBy: Doc | undefined;
  readonly window: Window;
  readonly hasWindow: boolean;
}

/** Parses the operand of a window function. */
export type WindowReader = (operand: Value, tools: WindowTools, name: string) => WindowFunction;
