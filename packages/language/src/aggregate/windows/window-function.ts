/** What a window function is: from the documents of a partition to a value for each of them. */
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

/** A window function, ready to be held against partitions. */
export type WindowFunction = (partition: Partition) => Promise<readonly Value[]>;

/** What the reader of a window function may use. */
export interface WindowTools {
  readonly compiler: Compiler;
  /** The order by one field. */
  readonly order: Order | undefined;
  readonly sortBy: Doc | undefined;
  readonly window: Window;
  readonly hasWindow: boolean;
}

/** Reads the operand of a window function. */
export type WindowReader = (operand: Value, tools: WindowTools, name: string) => WindowFunction;
