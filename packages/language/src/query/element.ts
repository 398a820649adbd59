/** The conditions on existence and type: `$exists`, `$type`, `$mod`. */
import { Double } from 'bson';
import { StoreError } from '../errors.ts';
import { isNumber, kindOf, kinds } from '../values/kind.ts';
import { toLong, truthy } from '../values/number.ts';
import type { Value } from '../values/types.ts';
import { type Condition, leaf, not } from './condition.ts';
import { badValue } from './context.ts';

const readExists = (operand: Value): Condition => {
  const exists = leaf((value) => value !== undefined);
  return truthy(operand) ? exists : not(exists);
};

const numberCodes: readonly number[] = [kinds.int.code, kinds.long.code, kinds.double.code, kinds.decimal.code];

/** The numbers of types by the names of `$type`, including those of types that are never stored. */
export const codesByName: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>([
  ...Object.values(kinds).map(({ name, code }) => [name, [code]] as const),
  ['undefined', [6]],
  ['number', numberCodes],
]);

const codes: ReadonlySet<number> = new Set([...codesByName.values()].flat().filter((code) => code !== 0));

function readType(operand: Value): Condition {
  const wanted = new Set((Array.isArray(operand) ? operand : [operand]).flatMap(codesOf));
  if (wanted.size === 0) throw new StoreError(9, '$type must match at least one type');
  return leaf((value) => wanted.has(kindOf(value).code));
}

/** The numbers of the types with a name. @throws StoreError 2 for an unknown name */
export function typeCodesOf(name: string): readonly number[] {
  const found = name === 'missing' ? undefined : codesByName.get(name);
  if (found === undefined) throw badValue(`Unknown type name alias: ${name}`);
  return found;
}

function codesOf(given: Value): readonly number[] {
  if (typeof given === 'string') return typeCodesOf(given);
  if (!isNumber(given)) throw new StoreError(14, 'type must be represented as a number or a string');
  const code = Number(given instanceof Double ? given.value : given.toString());
  if (!codes.has(code)) throw badValue(`Invalid numerical type code: ${code}`);
  return [code];
}

function readMod(operand: Value): Condition {
  if (!Array.isArray(operand)) throw badValue('malformed mod, needs to be an array');
  if (operand.length < 2) throw badValue('malformed mod, not enough elements');
  if (operand.length > 2) throw badValue('malformed mod, too many elements');
  const divisor = wholePart(operand[0], 'divisor');
  const remainder = wholePart(operand[1], 'remainder');
  if (divisor === 0n) throw badValue('divisor cannot be 0');
  const small = Number(divisor);
  const wanted = Number(remainder);
  const isSmall = Number.isSafeInteger(small) && Number.isSafeInteger(wanted);
  return leaf((value) => {
    if (isSmall && typeof value === 'number' && Number.isSafeInteger(value)) return value % small === wanted;
    const dividend = toLong(value);
    return dividend !== undefined && dividend % divisor === remainder;
  });
}

function wholePart(value: Value, what: string): bigint {
  if (!isNumber(value)) throw badValue(`malformed mod, ${what} not a number`);
  const whole = toLong(value);
  if (whole === undefined)
    throw badValue(`malformed mod, ${what} value is invalid :: caused by :: Out of bounds coercing to integral value`);
  return whole;
}

/** The operators of this file. */
export const elementOperators: readonly (readonly [name: string, read: (operand: Value) => Condition])[] = [
  ['$exists', readExists],
  ['$type', readType],
  ['$mod', readMod],
];
