/** The arithmetic operators of updates: `$inc`, `$mul`, `$bit`. */
import { StoreError } from '../errors.ts';
import { add, asNumber, multiply, type NumberValue } from '../values/arithmetic.ts';
import { isDoc, isInt, kindOf } from '../values/kind.ts';
import { show } from '../values/show.ts';
import type { Value } from '../values/types.ts';
import { badValue, type ChangeReader, setting, type UpdateTarget } from './change.ts';

interface Calculation {
  readonly name: string;
  readonly verb: string;
  /** The result for a missing field. */
  readonly start: (operand: NumberValue) => NumberValue | undefined;
  readonly apply: (a: NumberValue, b: NumberValue) => NumberValue | undefined;
}

const calculation = ({ name, verb, start, apply }: Calculation): readonly [string, ChangeReader] => [
  name,
  (operand, path) => {
    const given = asNumber(operand);
    if (given === undefined)
      throw new StoreError(14, `Cannot ${verb} with non-numeric argument: {${path}: ${show(operand)}}`);
    return setting((old, place) => {
      if (old === undefined) return start(given);
      const number = asNumber(old);
      if (number === undefined) throw notNumeric(name, old, place);
      const result = apply(number, given);
      if (result === undefined) {
        throw badValue(
          `Failed to apply ${name} operations to current value (${show(old)}) for document {_id: ${show(place.id)}}`,
        );
      }
      return result;
    });
  },
];

function notNumeric(name: string, old: Value, { path, id }: UpdateTarget): StoreError {
  const field = path.split('.').at(-1) ?? path;
  return new StoreError(
    14,
    `Cannot apply ${name} to a value of non-numeric type. {_id: ${show(id)}} has the field '${field}' of non-numeric type ${kindOf(old).name}`,
  );
}

const bitOperations: ReadonlyMap<string, (a: bigint, b: bigint) => bigint> = new Map([
  ['and', (a: bigint, b: bigint) => a & b],
  ['or', (a: bigint, b: bigint) => a | b],
  ['xor', (a: bigint, b: bigint) => a ^ b],
]);

interface BitStep {
  readonly apply: (a: bigint, b: bigint) => bigint;
  readonly operand: Whole;
}

type Whole = number | bigint;

/** An int or a long; not a double, even without a fraction. */
function wholeOf(value: Value): Whole | undefined {
  return typeof value === 'bigint' || (typeof value === 'number' && isInt(value)) ? value : undefined;
}

const bit: ChangeReader = (operand, path) => {
  const steps = readBitSteps(operand, path);
  return setting((old, place) => {
    const start = old === undefined ? 0 : wholeOf(old);
    if (start === undefined) {
      throw badValue(
        `Cannot apply $bit to a value of non-integral type.{_id: ${show(place.id)}} has the field ${place.path} of non-integer type ${kindOf(old).name}`,
      );
    }
    return steps.reduce(bitResult, start);
  });
};

function bitResult(value: Whole, { apply, operand }: BitStep): Whole {
  const result = apply(BigInt(value), BigInt(operand));
  return typeof value === 'bigint' || typeof operand === 'bigint' ? result : Number(result);
}

function readBitSteps(operand: Value, path: string): readonly BitStep[] {
  if (!isDoc(operand)) {
    throw badValue(
      `The $bit modifier is not compatible with a ${kindOf(operand).name}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`,
    );
  }
  const entries = Object.entries(operand);
  if (entries.length === 0) {
    throw badValue(`You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}`);
  }
  return entries.map(([name, value]) => readBitStep(name, value, path));
}

function readBitStep(name: string, value: Value, path: string): BitStep {
  const apply = bitOperations.get(name);
  if (apply === undefined) {
    throw badValue(
      `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator: {${path}: ${show(value)}}`,
    );
  }
  const operand = wholeOf(value);
  if (operand === undefined) {
    throw badValue(
      `The $bit modifier field must be an Integer(32/64 bit); a '${kindOf(value).name}' is not supported here: {${name}: ${show(value)}}`,
    );
  }
  return { apply, operand };
}

/** The operators of this file. */
export const numberOperators: readonly (readonly [name: string, read: ChangeReader])[] = [
  calculation({ name: '$inc', verb: 'increment', start: (operand) => operand, apply: add }),
  calculation({ name: '$mul', verb: 'multiply', start: (operand) => multiply(0, operand), apply: multiply }),
  ['$bit', bit],
];
