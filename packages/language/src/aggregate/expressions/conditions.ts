/** Boolean and conditional operators. They evaluate only what decides the result. */
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { truthy } from '../../values/number.ts';
import type { Value } from '../../values/types.ts';
import { fieldsOf, isNullish, onOne, operandsOf, typeName } from './arguments.ts';
import type { Compiler, Operator } from './compiler.ts';
import type { Evaluate } from './scope.ts';

const joining =
  (join: (parts: readonly Evaluate[]) => Evaluate): Operator =>
  (operand, compiler, name) =>
    counted(join(operandsOf(operand, name, 0, Infinity).map((part) => compiler.compile(part))), operand, compiler);

/** Counts the operands of an operator that may evaluate only some of them. */
const counted = (evaluate: Evaluate, operands: Value, { work }: Compiler): Evaluate => {
  const count = Array.isArray(operands) ? operands.length : 1;
  return (scope) => {
    work.operands(count / 2);
    return evaluate(scope);
  };
};

const and = joining((parts) => (scope) => parts.every((part) => truthy(part(scope))));
const or = joining((parts) => (scope) => parts.some((part) => truthy(part(scope))));

const ifNull: Operator = (operand, compiler) => {
  const operands = Array.isArray(operand) ? operand : [operand];
  if (operands.length < 2) {
    throw new StoreError(1257300, `$ifNull needs at least two arguments, had: ${operands.length}`);
  }
  const parts = operands.map((part) => compiler.compile(part));
  const last = parts.length - 1;
  const first: Evaluate = (scope) => {
    let value: Value;
    for (let at = 0; at <= last; at += 1) {
      value = parts[at]?.(scope);
      if (!isNullish(value)) return value;
    }
    return value;
  };
  return counted(first, operand, compiler);
};

const condFields = { notObject: 16020, unknown: 17083, required: { if: 17080, then: 17081, else: 17082 } };

const cond: Operator = (operand, compiler, name) => {
  const named = isDoc(operand) && !Object.keys(operand)[0]?.startsWith('$');
  const { if: condition, then: yes, else: no } = named ? fieldsOf(operand, name, condFields) : listed(operand, name);
  const [test, first, second] = [condition, yes, no].map((part) => compiler.compile(part)) as [
    Evaluate,
    Evaluate,
    Evaluate,
  ];
  return (scope) => (truthy(test(scope)) ? first(scope) : second(scope));
};

function listed(operand: Value, name: string): Readonly<Record<string, Value>> {
  const [condition, yes, no] = operandsOf(operand, name, 3, 3);
  return { if: condition, then: yes, else: no };
}

interface Branch {
  readonly test: Evaluate;
  readonly then: Evaluate;
}

const switchFields = { notObject: 40060, unknown: 40067, required: {}, optional: ['branches', 'default'] };
const branchFields = { notObject: 40062, unknown: 40063, required: { case: 40064, then: 40065 } };

const choose: Operator = (operand, compiler, name) => {
  const given = fieldsOf(operand, name, switchFields);
  const branches = branchesOf(given['branches'], compiler);
  const otherwise = Object.hasOwn(given, 'default') ? compiler.compile(given['default']) : undefined;
  const chosen: Evaluate = (scope) => {
    const found = branches.find(({ test }) => truthy(test(scope)))?.then ?? otherwise;
    if (found === undefined) {
      throw new StoreError(
        40066,
        '$switch could not find a matching branch for an input, and no default was specified.',
      );
    }
    return found(scope);
  };
  return counted(chosen, given['branches'], compiler);
};

function branchesOf(branches: Value, compiler: Compiler): readonly Branch[] {
  if (!Array.isArray(branches)) {
    throw new StoreError(40061, `$switch expected an array for 'branches', found: ${typeName(branches)}`);
  }
  if (branches.length === 0) throw new StoreError(40068, '$switch requires at least one branch.');
  return branches.map((branch) => {
    const given = fieldsOf(branch, '$switch', branchFields);
    return { test: compiler.compile(given['case']), then: compiler.compile(given['then']) };
  });
}

/** The operators of this file. */
export const conditionOperators: readonly (readonly [string, Operator])[] = [
  ['$and', and],
  ['$or', or],
  ['$not', onOne((value) => !truthy(value))],
  ['$ifNull', ifNull],
  ['$cond', cond],
  ['$switch', choose],
];
