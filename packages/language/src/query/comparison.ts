/** The comparison conditions, such as `$eq`, `$gt` and `$in`. */
import { BSONRegExp, BSONSymbol, Decimal128, MaxKey, MinKey, ObjectId } from 'bson';
import type { Collation } from '../values/collation.ts';
import { rankOf } from '../values/kind.ts';
import { compare, keyOf } from '../values/order.ts';
import type { Value } from '../values/types.ts';
import { type Condition, leaf, not } from './condition.ts';
import { badValue, type FilterContext, isConditions } from './context.ts';
import { regexTest } from './pattern.ts';
import type { Test } from './walk.ts';

/** Whether a value equals the given one; null also equals a missing value. */
export function equalTo(given: Value, collation: Collation | undefined): Test {
  if (typeof given === 'string' && collation === undefined) {
    return (value) => value === given || (value instanceof BSONSymbol && value.value === given);
  }
  if (typeof given === 'boolean') return (value) => value === given;
  if (given instanceof ObjectId) return (value) => value instanceof ObjectId && value.equals(given);
  const rank = rankOf(given);
  if (typeof given === 'number') {
    return (value) =>
      typeof value === 'number'
        ? value === given || (value !== value && given !== given)
        : typeof value !== 'string' && rankOf(value) === rank && compare(value, given) === 0;
  }
  return (value) => value === given || (rankOf(value) === rank && compare(value, given, collation) === 0);
}

type Wanted = (order: number) => boolean;
const above: Wanted = (order) => order > 0;
const below: Wanted = (order) => order < 0;
const atLeast: Wanted = (order) => order >= 0;
const atMost: Wanted = (order) => order <= 0;

/** Values of other types are out of range. MinKey and MaxKey compare with all types. */
function inRange(given: Value, wanted: Wanted, collation: Collation | undefined): Test {
  if (given instanceof MinKey || given instanceof MaxKey) return (value) => wanted(rankOf(value) - rankOf(given));
  if (isNaNValue(given)) return (value) => wanted(0) && isNaNValue(value);
  const rank = rankOf(given);
  if (typeof given === 'number') return numbersInRange(given, wanted);
  if (given instanceof Date) return (value) => value instanceof Date && wanted(value.getTime() - given.getTime());
  return (value) => rankOf(value) === rank && !isNaNValue(value) && wanted(compare(value, given, collation));
}

function numbersInRange(given: number, wanted: Wanted): Test {
  const rank = rankOf(given);
  return (value) => {
    if (typeof value === 'number') return value === value && wanted(value === given ? 0 : value - given);
    return typeof value === 'string'
      ? false
      : rankOf(value) === rank && !isNaNValue(value) && wanted(compare(value, given));
  };
}

const isNaNValue = (value: Value): boolean =>
  Number.isNaN(value) || (value instanceof Decimal128 && value.toString() === 'NaN');

type Reader = (operand: Value, context: FilterContext) => Condition;

const range =
  (wanted: Wanted): Reader =>
  (operand, { collation }) => {
    if (operand instanceof BSONRegExp) throw badValue("Can't have RegEx as arg to predicate over field.");
    return leaf(inRange(operand, wanted, collation));
  };

const equality: Reader = (operand, { collation }) => leaf(equalTo(operand, collation));

const inequality: Reader = (operand, context) => {
  if (operand instanceof BSONRegExp) throw badValue("Can't have regex as arg to $ne.");
  return not(equality(operand, context));
};

/** Whether a value equals one of the given ones or matches one of the regular expressions among them. */
function among(operands: readonly Value[], { collation, charge }: FilterContext): Test {
  const patterns = operands.filter((operand) => operand instanceof BSONRegExp);
  const values = operands.filter((operand) => !(operand instanceof BSONRegExp));
  const isMember =
    collation === undefined ? keyed(values, charge) : anyTest(values.map((value) => equalTo(value, collation)));
  const tests = [isMember, ...patterns.map((pattern) => regexTest(pattern, charge))];
  return tests.length === 1 ? isMember : anyTest(tests);
}

const anyTest =
  (tests: readonly Test[]): Test =>
  (value) =>
    tests.some((test) => test(value));

/** Steps of the key of a value that is not a string. */
const keySteps = 12;

function keyed(values: readonly Value[], charge: FilterContext['charge']): Test {
  const strings = new Set(values.filter((value) => typeof value === 'string'));
  const keys = new Set(values.map(keyOf));
  const onlyStrings = strings.size === keys.size;
  return (value) => {
    charge?.(typeof value === 'string' ? 1 : keySteps);
    if (typeof value === 'string') return strings.has(value);
    if (onlyStrings) return value instanceof BSONSymbol && strings.has(value.value);
    return keys.has(keyOf(value));
  };
}

const membership =
  (name: string): Reader =>
  (operand, context) => {
    if (!Array.isArray(operand)) throw badValue(`${name} needs an array`);
    if (operand.some(isConditions)) throw badValue(`cannot nest $ under ${name}`);
    return leaf(among(operand, context));
  };

/** The operators of this file. */
export const comparisonOperators: readonly (readonly [name: string, read: Reader])[] = [
  ['$eq', equality],
  ['$ne', inequality],
  ['$gt', range(above)],
  ['$gte', range(atLeast)],
  ['$lt', range(below)],
  ['$lte', range(atMost)],
  ['$in', membership('$in')],
  ['$nin', (operand, context) => not(membership('$nin')(operand, context))],
];
