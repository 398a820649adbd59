/** The bit conditions, such as `$bitsAllSet` and `$bitsAnyClear`. */
import { Binary } from 'bson';
import { StoreError } from '../errors.ts';
import { isNumber } from '../values/kind.ts';
import { exactLong } from '../values/number.ts';
import type { Value } from '../values/types.ts';
import { type Condition, leaf } from './condition.ts';
import { badValue, type FilterContext } from './context.ts';

/** The positions of the bits to test; the lowest bit is 0. */
type BitPositions = readonly number[];

const maxPosition = 2_147_483_647n;
/** Steps of reading the bits of a value; testing one of them is another step. */
const stepsToRead = 1;

function readPositions(name: string, operand: Value): BitPositions {
  if (Array.isArray(operand)) return operand.map(bitPosition);
  if (operand instanceof Binary) return positionsInBytes(operand.value());
  if (isNumber(operand)) return positionsInNumber(operand);
  throw badValue(`${name} takes an Array, a number, or a BinData but received: ${typeof operand}`);
}

function bitPosition(value: Value): number {
  const place = isNumber(value) ? exactLong(value) : undefined;
  if (place === undefined) throw badValue(`Failed to parse bit position. Expected a number in: ${String(value)}`);
  if (place > maxPosition) throw badValue('bit positions cannot be represented as a 32-bit signed integer');
  if (place < 0n) throw badValue(`Failed to parse bit position. Expected a non-negative number in: ${place}`);
  return Number(place);
}

function positionsInNumber(value: Value): BitPositions {
  const mask = exactLong(value);
  if (mask === undefined) throw new StoreError(9, `Expected an integer: ${String(value)}`);
  if (mask < 0n) throw new StoreError(9, `Expected a non-negative number in: ${mask}`);
  return placesOf(64, (place) => ((mask >> BigInt(place)) & 1n) === 1n);
}

const positionsInBytes = (bytes: Uint8Array): BitPositions =>
  placesOf(bytes.length * 8, (place) => bitIn(bytes, place));

function placesOf(count: number, isSet: (place: number) => boolean): BitPositions {
  return Array.from({ length: count }, (_, place) => place).filter(isSet);
}

const bitIn = (bytes: Uint8Array, place: number): boolean => (((bytes[place >> 3] ?? 0) >> (place & 7)) & 1) === 1;

/**
 * Looks up the bits of a value; undefined for values without bits. Numbers are sign-extended, bytes are zero-extended.
 */
function bitsOf(value: Value): ((place: number) => boolean) | undefined {
  if (value instanceof Binary) {
    const bytes = value.value();
    return (place) => bitIn(bytes, place);
  }
  const number = exactLong(value);
  return number === undefined ? undefined : (place) => ((number >> BigInt(Math.min(place, 63))) & 1n) === 1n;
}

type Judgement = (places: BitPositions, isSet: (place: number) => boolean) => boolean;

const bitTest = (name: string, judge: Judgement) => {
  const read = (operand: Value, { charge }: FilterContext): Condition => {
    const places = readPositions(name, operand);
    const steps = stepsToRead + places.length;
    return leaf((value) => {
      charge?.(steps);
      const isSet = bitsOf(value);
      return isSet !== undefined && judge(places, isSet);
    });
  };
  return [name, read] as const;
};

/** The operators of this file. */
export const bitOperators: readonly (readonly [
  name: string,
  read: (operand: Value, context: FilterContext) => Condition,
])[] = [
  bitTest('$bitsAllSet', (places, isSet) => places.every(isSet)),
  bitTest('$bitsAllClear', (places, isSet) => !places.some(isSet)),
  bitTest('$bitsAnySet', (places, isSet) => places.some(isSet)),
  bitTest('$bitsAnyClear', (places, isSet) => !places.every(isSet)),
];
