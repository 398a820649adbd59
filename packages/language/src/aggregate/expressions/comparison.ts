/** Comparison operators in BSON order; a missing value sorts before null. */
import type { Value } from '../../values/types.ts';
import { orderIn } from '../comparing.ts';
import type { PipelineContext } from '../context.ts';
import { onTwo } from './arguments.ts';
import type { Operator } from './compiler.ts';

/** Compares two values of expressions. Unlike in a sort, a missing value is not null. */
function orderOf(a: Value, b: Value, context: PipelineContext): number {
  const order = orderIn(context)(a, b);
  return order === 0 ? Number(b === undefined) - Number(a === undefined) : order;
}

const comparing = (name: string, result: (order: number) => Value): readonly [string, Operator] => [
  name,
  onTwo((a, b, { compiler }) => result(orderOf(a, b, compiler.context))),
];

/** The operators of this file. */
export const comparisonOperators: readonly (readonly [string, Operator])[] = [
  comparing('$cmp', (order) => Math.sign(order)),
  comparing('$eq', (order) => order === 0),
  comparing('$ne', (order) => order !== 0),
  comparing('$gt', (order) => order > 0),
  comparing('$gte', (order) => order >= 0),
  comparing('$lt', (order) => order < 0),
  comparing('$lte', (order) => order <= 0),
];
