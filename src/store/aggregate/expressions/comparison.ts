/** Comparing, joining conditions, and choosing. */
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { truthy } from '../../values/number.ts';
import { compare } from '../../values/order.ts';
import type { Value } from '../../values/types.ts';
import { anyNumber, isNullish, over, type Compiler, type Evaluate, type Operator } from './scope.ts';

/** Missing comes before null, and so before everything but MinKey; `compare` holds them equal. */
function order(a: Value, b: Value): number {
  const both = compare(a, b);
  return both === 0 ? Number(b === undefined) - Number(a === undefined) : both;
}

const compares = (holds: (order: number) => boolean): Operator => over(2, 2, ([a, b]) => holds(order(a, b)));

export const comparison: Readonly<Record<string, Operator>> = {
  $eq: compares((sign) => sign === 0),
  $ne: compares((sign) => sign !== 0),
  $gt: compares((sign) => sign > 0),
  $gte: compares((sign) => sign >= 0),
  $lt: compares((sign) => sign < 0),
  $lte: compares((sign) => sign <= 0),
  $cmp: over(2, 2, ([a, b]) => Math.sign(order(a, b))),
  $and: lazily((parts) => (scope) => parts.every((part) => truthy(part(scope)))),
  $or: lazily((parts) => (scope) => parts.some((part) => truthy(part(scope)))),
  $not: over(1, 1, ([value]) => !truthy(value)),
  $cond: choice,
  $switch: branches,
  $ifNull: lazily(
    (parts) => (scope) => {
      for (const part of parts.slice(0, -1)) {
        const value = part(scope);
        if (!isNullish(value)) return value;
      }
      return parts.at(-1)?.(scope);
    },
    2,
  ),
};

/** An operator that evaluates only as many of its operands as it needs. */
function lazily(make: (parts: readonly Evaluate[]) => Evaluate, least = 0): Operator {
  return (operand, { compile }, name) => {
    const expressions = Array.isArray(operand) ? operand : [operand];
    if (expressions.length < least || expressions.length > anyNumber)
      throw new StoreError(1257300, `${name} needs at least ${least} arguments, had: ${expressions.length}`);
    return make(expressions.map((expression) => compile(expression)));
  };
}

function choice(operand: Value, { compile }: Compiler): Evaluate {
  const parts = Array.isArray(operand) ? operand : fields(operand, '$cond', ['if', 'then', 'else']);
  if (parts.length !== 3)
    throw new StoreError(16020, `Expression $cond takes exactly 3 arguments. ${parts.length} were passed in.`);
  const [condition, yes, no] = parts.map((part) => compile(part));
  return (scope) => (truthy(condition?.(scope)) ? yes?.(scope) : no?.(scope));
}

/** The named fields of an operand, all of which must be there and no others. */
function fields(operand: Value, name: string, names: readonly string[]): readonly Value[] {
  if (!isDoc(operand)) throw new StoreError(17080, `${name} takes an object or a list`);
  for (const key of Object.keys(operand))
    if (!names.includes(key)) throw new StoreError(17083, `Unrecognized parameter to ${name}: ${key}`);
  return names.map((key) => {
    if (!Object.hasOwn(operand, key)) throw new StoreError(17080, `Missing '${key}' parameter to ${name}`);
    return operand[key];
  });
}

function branches(operand: Value, { compile }: Compiler): Evaluate {
  if (!isDoc(operand) || !Array.isArray(operand['branches']))
    throw new StoreError(40060, '$switch requires an object with branches');
  const cases = operand['branches'].map((branch) =>
    fields(branch, '$switch', ['case', 'then']).map((part) => compile(part)),
  );
  const otherwise = Object.hasOwn(operand, 'default') ? compile(operand['default']) : undefined;
  return (scope) => {
    for (const [condition, then] of cases) if (truthy(condition?.(scope))) return then?.(scope);
    if (otherwise === undefined)
      throw new StoreError(40066, '$switch could not find a matching branch, and no default was specified');
    return otherwise(scope);
  };
}
