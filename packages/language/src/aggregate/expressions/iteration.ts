/** Expressions that bind variables: `$let`, and loops over arrays. */
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { truthy } from '../../values/number.ts';
import type { Value } from '../../values/types.ts';
import { type Fields, fieldsOf, intOf, isNullish, optional, typeName } from './arguments.ts';
import { arrayOf } from './arrays.ts';
import type { Operator } from './compiler.ts';
import { bind, type Evaluate, type Scope } from './scope.ts';
import { variableName } from './variables.ts';

const letFields: Fields = { notObject: 16874, unknown: 16875, required: { vars: 16876, in: 16877 } };

const letIn: Operator = (operand, compiler, name) => {
  const { vars, in: body } = fieldsOf(operand, name, letFields);
  if (!isDoc(vars))
    throw new StoreError(16876, `invalid parameter: expected an object (vars), found ${typeName(vars)}`);
  const parts = Object.entries(vars).map(([variable, value]) => ({
    variable: variableName(variable),
    evaluate: compiler.compile(value),
  }));
  const own = parts.filter(({ variable }) => variable !== 'CURRENT');
  const current = parts.find(({ variable }) => variable === 'CURRENT')?.evaluate;
  const inner = compiler.within(...own.map(({ variable }) => variable)).compile(body);
  return (scope) => {
    const bound = own.reduce<Scope>((made, { evaluate }) => bind(made, evaluate(scope)), scope);
    return inner(current === undefined ? bound : { ...bound, current: current(scope) });
  };
};

/** The members of an array, and the function to call for each. */
interface Loop {
  readonly input: Evaluate;
  readonly body: Evaluate;
}

const mapFields: Fields = { notObject: 16878, unknown: 16879, required: { input: 16880, in: 16882 }, optional: ['as'] };

const map: Operator = (operand, compiler, name) => {
  const { input, as = 'this', in: body } = fieldsOf(operand, name, mapFields);
  const loop: Loop = {
    input: compiler.compile(input),
    body: compiler.within(variableName(as)).compile(body),
  };
  return (scope) => {
    const value = loop.input(scope);
    if (isNullish(value)) return null;
    const members = arrayOf(value, 16883, (type) => `input to ${name} must be an array not ${type}`);
    return members.map((member) => {
      compiler.work.repeat();
      return loop.body(bind(scope, member)) ?? null;
    });
  };
};

const filterFields: Fields = {
  notObject: 28646,
  unknown: 28647,
  required: { input: 28648, cond: 28650 },
  optional: ['as', 'limit'],
};

const filter: Operator = (operand, compiler, name) => {
  const { input, as = 'this', cond, limit } = fieldsOf(operand, name, filterFields);
  const loop: Loop = {
    input: compiler.compile(input),
    body: compiler.within(variableName(as)).compile(cond),
  };
  const most = optional(limit, compiler);
  return (scope) => {
    const value = loop.input(scope);
    if (isNullish(value)) return null;
    const members = arrayOf(value, 28651, (type) => `input to ${name} must be an array not ${type}`);
    const wanted = limitOf(most?.(scope), name);
    const kept: Value[] = [];
    for (const member of members) {
      compiler.work.repeat();
      if (kept.length >= wanted) break;
      if (truthy(loop.body(bind(scope, member)))) kept.push(member);
    }
    return kept;
  };
};

function limitOf(value: Value, name: string): number {
  if (isNullish(value)) return Infinity;
  const limit = intOf(
    value,
    () => new StoreError(327391, `${name}: limit must be represented as a 32-bit integral value`),
  );
  if (limit < 1) throw new StoreError(327392, `${name}: limit must be greater than 0: ${limit}`);
  return limit;
}

const reduceFields: Fields = {
  notObject: 40075,
  unknown: 40076,
  required: { input: 40077, initialValue: 40078, in: 40079 },
};

const reduce: Operator = (operand, compiler, name) => {
  const given = fieldsOf(operand, name, reduceFields);
  const input = compiler.compile(given['input']);
  const initial = compiler.compile(given['initialValue']);
  const body = compiler.within('this', 'value').compile(given['in']);
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    const members = arrayOf(array, 40080, (type) => `${name} requires that 'input' be an array, found: ${type}`);
    let value = initial(scope);
    for (const member of members) {
      compiler.work.repeat();
      value = body(bind(bind(scope, member), value));
    }
    return value;
  };
};

/** The operators of this file. */
export const iterationOperators: readonly (readonly [string, Operator])[] = [
  ['$let', letIn],
  ['$map', map],
  ['$filter', filter],
  ['$reduce', reduce],
];
