/** A stored number as a plain JavaScript number, for options such as limits and times. */
import { Decimal128, Double } from 'bson';
import type { Value } from '../values/types.ts';

/** The number that a value is, or undefined when it is none. */
export function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Double) return value.value;
  if (value instanceof Decimal128) return Number(value.toString());
  return undefined;
}
