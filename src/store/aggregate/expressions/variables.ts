/** Literals, variables, and what works with one variable at a time over a list. */
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { toLong, truthy } from '../../values/number.ts';
import type { Doc, Value } from '../../values/types.ts';
import { isNullish, type Compiler, type Evaluate, type Operator, type Scope } from './scope.ts';

/** The operand as an object of known fields. */
export function options(
  operand: Value,
  name: string,
  known: readonly string[],
  needed: readonly string[] = known,
): Doc {
  if (!isDoc(operand)) throw new StoreError(9, `${name} takes an object`);
  for (const key of Object.keys(operand))
    if (!known.includes(key)) throw new StoreError(9, `Unrecognized argument to ${name}: ${key}`);
  for (const key of needed)
    if (!Object.hasOwn(operand, key)) throw new StoreError(9, `Missing '${key}' parameter to ${name}`);
  return operand;
}

function variableName(value: Value, fallback: string): string {
  if (value === undefined) return fallback;
  if (typeof value !== 'string' || !/^[a-z][A-Za-z0-9_]*$/.test(value))
    throw new StoreError(9, `${JSON.stringify(value)} is no name of a variable`);
  return value;
}

const bound = (scope: Scope, variables: Readonly<Record<string, Value>>): Scope => ({
  root: scope.root,
  variables: { ...scope.variables, ...variables },
});

const noList: ReadonlyMap<string, number> = new Map([
  ['$map', 16883],
  ['$filter', 28651],
  ['$reduce', 40080],
]);

/** A list to go over; null for null. */
function members(value: Value, name: string): readonly Value[] | null {
  if (isNullish(value)) return null;
  if (!Array.isArray(value)) throw new StoreError(noList.get(name) ?? 28651, `input to ${name} must be an array`);
  return value;
}

function letIn(operand: Value, { compile }: Compiler): Evaluate {
  const { vars, in: body } = options(operand, '$let', ['vars', 'in']);
  const parts = Object.entries(options(vars, '$let', Object.keys((vars ?? {}) as Doc), [])).map(
    ([name, value]) => [variableName(name, ''), compile(value)] as const,
  );
  const inner = compile(body);
  return (scope) => inner(bound(scope, Object.fromEntries(parts.map(([name, part]) => [name, part(scope)]))));
}

function map(operand: Value, { compile, context }: Compiler): Evaluate {
  const { input, as, in: body } = options(operand, '$map', ['input', 'as', 'in'], ['input', 'in']);
  const [list, inner, name] = [compile(input), compile(body), variableName(as, 'this')];
  return (scope) => {
    context.checkTime();
    const found = members(list(scope), '$map');
    return (
      found?.map((member) => {
        context.meter.charge(2);
        return inner(bound(scope, { [name]: member })) ?? null;
      }) ?? null
    );
  };
}

function filter(operand: Value, { compile, context }: Compiler): Evaluate {
  const { input, as, cond, limit } = options(operand, '$filter', ['input', 'as', 'cond', 'limit'], ['input', 'cond']);
  const [list, condition, name] = [compile(input), compile(cond), variableName(as, 'this')];
  const most = compile(limit);
  return (scope) => {
    context.checkTime();
    const found = members(list(scope), '$filter');
    if (found === null) return null;
    const count = most(scope);
    const kept = found.filter((member) => {
      context.meter.charge(2);
      return truthy(condition(bound(scope, { [name]: member })));
    });
    return isNullish(count) ? kept : kept.slice(0, Number(toLong(count) ?? 0));
  };
}

function reduce(operand: Value, { compile, context }: Compiler): Evaluate {
  const { input, initialValue, in: body } = options(operand, '$reduce', ['input', 'initialValue', 'in']);
  const [list, initial, inner] = [compile(input), compile(initialValue), compile(body)];
  return (scope) => {
    const found = members(list(scope), '$reduce');
    if (found === null) return null;
    let value = initial(scope);
    for (const member of found) {
      context.meter.charge(2);
      value = context.meter.made(inner(bound(scope, { value, this: member })));
    }
    return value;
  };
}

export const variables: Readonly<Record<string, Operator>> = {
  $literal: (operand) => () => operand,
  $expr: (operand, { compile }) => compile(operand),
  $let: letIn,
  $map: map,
  $filter: filter,
  $reduce: reduce,
  $meta: (operand, { context }) => {
    if (operand !== 'textScore') throw new StoreError(17308, `Unsupported argument to $meta: ${String(operand)}`);
    return ({ root }) => context.textScore?.(root);
  },
};
