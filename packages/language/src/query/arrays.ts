/** The array conditions: `$all`, `$elemMatch`, `$size`. */
import { BSONRegExp } from 'bson';
import { isDoc, isNumber } from '../values/kind.ts';
import { exactLong } from '../values/number.ts';
import type { Doc, Value } from '../values/types.ts';
import { equalTo } from './comparison.ts';
import { both, type Condition, leaf, whole } from './condition.ts';
import { badValue, type FilterContext, isConditions, isReferenceName } from './context.ts';
import { regexCondition } from './pattern.ts';
import { longArray, type Test } from './walk.ts';

/** Steps of testing one member by several conditions. */
const testSteps = 2;

/** An array with a member that meets all conditions. */
function readElemMatch(operand: Value, context: FilterContext): Condition {
  if (!isDoc(operand)) throw badValue('$elemMatch needs an Object');
  const test = memberTest(operand, { ...context, wholeDocument: false });
  const membersOf = (value: Value): readonly Value[] | undefined => {
    if (!Array.isArray(value)) return undefined;
    if (value.length >= longArray) context.charge?.(value.length * testSteps);
    return value;
  };
  return whole(
    (value) => membersOf(value)?.some(test) === true,
    (value) => membersOf(value)?.findIndex(test),
  );
}

/** The test of a member: conditions on the member itself, `{ $gt: 5 }`, or a filter on its fields. */
function memberTest(operand: Doc, context: FilterContext): Test {
  const [first = ''] = Object.keys(operand);
  if (isConditions(operand) && !context.read.isDocumentOperator(first) && !isReferenceName(first)) {
    return context.read.conditions(operand, context).holds;
  }
  const matcher = context.read.filter(operand, context);
  return (member) => {
    if (isDoc(member)) return matcher.matches(member);
    return Array.isArray(member) && matcher.matches(Object.fromEntries(member.entries()));
  };
}

function readAll(operand: Value, context: FilterContext): Condition {
  if (!Array.isArray(operand)) throw badValue('$all needs an array');
  if (operand.length === 0) return leaf(() => false);
  if (isElemMatch(operand[0])) return both(operand.map((member) => readElemMatch(elemMatchIn(member), context)));
  return both(operand.map((member) => memberOf(member, context)));
}

const isElemMatch = (value: Value): boolean => isDoc(value) && Object.keys(value)[0] === '$elemMatch';

function elemMatchIn(member: Value): Value {
  if (!isDoc(member) || !isElemMatch(member) || Object.keys(member).length > 1) {
    throw badValue('$all/$elemMatch has to be consistent');
  }
  return member['$elemMatch'];
}

function memberOf(member: Value, context: FilterContext): Condition {
  if (member instanceof BSONRegExp) return regexCondition(member, context);
  if (isConditions(member)) throw badValue('no $ expressions in $all');
  return leaf(equalTo(member, context.collation));
}

function readSize(operand: Value): Condition {
  if (!isNumber(operand)) throw badValue('Failed to parse $size. Expected a number in: $size');
  const size = exactLong(operand);
  if (size === undefined) throw badValue('Failed to parse $size. Expected an integer: $size');
  if (size < 0n) throw badValue('Failed to parse $size. Expected a non-negative number in: $size');
  const wanted = Number(size);
  return whole((value) => Array.isArray(value) && value.length === wanted);
}

/** The operators of this file. */
export const arrayOperators: readonly (readonly [
  name: string,
  read: (operand: Value, context: FilterContext) => Condition,
])[] = [
  ['$all', readAll],
  ['$elemMatch', readElemMatch],
  ['$size', readSize],
];
