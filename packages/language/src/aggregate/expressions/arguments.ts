/** Operand readers for operators: a list of expressions, or an object of named expressions. */
import { StoreError, unknownName } from '../../errors.ts';
import { isDoc, kindOf } from '../../values/kind.ts';
import { exactLong } from '../../values/number.ts';
import type { Doc, Value } from '../../values/types.ts';
import type { Compiler, Operator } from './compiler.ts';
import type { Evaluate } from './scope.ts';

/** The evaluation context of an operator on values. */
export interface Call {
  readonly name: string;
  readonly compiler: Compiler;
}

/** Whether a value is null or missing. */
export const isNullish = (value: Value): value is null | undefined => value === null || value === undefined;

/** The type name of a value, as in error messages. */
export const typeName = (value: Value): string => kindOf(value).name;

/** The operands of an operator; a value that is not a list counts as a list of one. */
export function operandsOf(operand: Value, name: string, min: number, max: number): readonly Value[] {
  const operands = Array.isArray(operand) ? operand : [operand];
  if (operands.length >= min && operands.length <= max) return operands;
  const given = `${operands.length} were passed in.`;
  if (min === max) throw new StoreError(16020, `Expression ${name} takes exactly ${min} arguments. ${given}`);
  const bounds = max === Infinity ? `at least ${min} arguments` : `at least ${min} arguments, and at most ${max}`;
  throw new StoreError(28667, `Expression ${name} takes ${bounds}, but ${given}`);
}

/** An operator on a list of values. */
export function onValues(min: number, max: number, run: (values: readonly Value[], call: Call) => Value): Operator {
  return (operand, compiler, name) => {
    const parts = operandsOf(operand, name, min, max).map((part) => compiler.compile(part));
    const call: Call = { name, compiler };
    return once(parts, compiler, (scope) => {
      compiler.work.operands(parts.length);
      return run(
        parts.map((part) => part(scope)),
        call,
      );
    });
  };
}

/** An operator on one value. */
export function onOne(run: (value: Value, call: Call) => Value): Operator {
  return (operand, compiler, name) => {
    const [only] = operandsOf(operand, name, 1, 1);
    const part = compiler.compile(only);
    const call: Call = { name, compiler };
    return once([part], compiler, (scope) => run(part(scope), call));
  };
}

/** An operator on two values. */
export function onTwo(run: (a: Value, b: Value, call: Call) => Value): Operator {
  return (operand, compiler, name) => {
    const [first, second] = operandsOf(operand, name, 2, 2);
    const a = compiler.compile(first);
    const b = compiler.compile(second);
    const call: Call = { name, compiler };
    return once([a, b], compiler, (scope) => run(a(scope), b(scope), call));
  };
}

/** An operator on one value that is null for null and missing. */
export const onOneOrNull = (run: (value: NonNullable<Value>, call: Call) => Value): Operator =>
  onOne((value, call) => (isNullish(value) ? null : run(value, call)));

/** An operator on two values that is null if either is null or missing. */
export const onTwoOrNull = (run: (a: NonNullable<Value>, b: NonNullable<Value>, call: Call) => Value): Operator =>
  onTwo((a, b, call) => (isNullish(a) || isNullish(b) ? null : run(a, b, call)));

/** Evaluates an expression of constants once, on first use. */
function once(parts: readonly Evaluate[], compiler: Compiler, evaluate: Evaluate): Evaluate {
  if (!parts.every((part) => compiler.constantOf(part) !== undefined)) return evaluate;
  let known: { readonly value: Value } | undefined;
  return (scope) => {
    known ??= { value: evaluate(scope) };
    return known.value;
  };
}

/** The named operands of an operator, with its error codes. */
export interface Fields {
  /** The code for an operand that is not an object. */
  readonly notObject: number;
  readonly unknown: number;
  /** The codes for missing required operands. */
  readonly required: Readonly<Record<string, number>>;
  readonly optional?: readonly string[];
}

/** Reads the named operands of an operator. @throws StoreError with the given codes */
export function fieldsOf(operand: Value, name: string, fields: Fields): Doc {
  if (!isDoc(operand)) {
    throw new StoreError(fields.notObject, `${name} only supports an object as its argument, not ${typeName(operand)}`);
  }
  for (const key of Object.keys(operand)) {
    if (!Object.hasOwn(fields.required, key) && fields.optional?.includes(key) !== true) {
      throw unknownName(fields.unknown, `Unrecognized argument to ${name}: ${key}`);
    }
  }
  for (const [key, code] of Object.entries(fields.required)) {
    if (!Object.hasOwn(operand, key)) throw new StoreError(code, `Missing '${key}' parameter to ${name}`);
  }
  return operand;
}

/** Compiles an optional operand. */
export const optional = (operand: Value, compiler: Compiler): Evaluate | undefined =>
  operand === undefined ? undefined : compiler.compile(operand);

/** A number without a fraction that an int holds. */
export function intOf(value: Value, error: () => StoreError): number {
  const whole = exactLong(value);
  if (whole === undefined || BigInt.asIntN(32, whole) !== whole) throw error();
  return Number(whole);
}

/** Caches the result of a function of a string, for as many strings as are likely to be constants. */
export function memoized<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    if (known.size < 64) known.set(text, made);
    return made;
  };
}
