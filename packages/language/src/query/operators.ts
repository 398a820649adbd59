/** The table of field conditions, `{ field: { $operator: operand } }`, and the parser of a field's conditions. */
import { BSONRegExp } from 'bson';
import { notSupported, unknownName } from '../errors.ts';
import { isDoc } from '../values/kind.ts';
import type { Doc, Value } from '../values/types.ts';
import { arrayOperators } from './arrays.ts';
import { bitOperators } from './bits.ts';
import { comparisonOperators, equalTo } from './comparison.ts';
import { both, type Condition, leaf, not } from './condition.ts';
import { badValue, type FilterContext, isConditions } from './context.ts';
import { elementOperators } from './element.ts';
import { checkOptions, readRegex, regexCondition } from './pattern.ts';

/** Parses an operator into a condition, or into none; `conditions` are all conditions of the field. */
type Reader = (operand: Value, context: FilterContext, conditions: Doc) => Condition | undefined;

const readNot: Reader = (operand, context) => {
  if (operand instanceof BSONRegExp) return not(regexCondition(operand, context));
  if (!isDoc(operand)) throw badValue('$not needs a regex or a document');
  if (Object.keys(operand).length === 0) throw badValue('$not cannot be empty');
  return not(context.read.conditions(operand, context));
};

/** Conditions that require a MongoDB server. */
export const unsupported: readonly string[] = [
  '$geoWithin',
  '$geoIntersects',
  '$near',
  '$nearSphere',
  '$within',
  '$geoNear',
  '$maxDistance',
  '$minDistance',
];

const refusals = unsupported.map((name): readonly [string, Reader] => [
  name,
  () => {
    throw notSupported(`the query operator ${name}`);
  },
]);

/** The field conditions by name. */
export const operators: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...comparisonOperators,
  ...elementOperators,
  ...arrayOperators,
  ...bitOperators,
  ['$not', readNot],
  ['$regex', (_operand, context, conditions) => readRegex(conditions, context)],
  ['$options', (_operand, _context, conditions) => void checkOptions(conditions)],
  ['$comment', () => undefined],
  ...refusals,
]);

/** Parses the value of a field in a filter: conditions, a regular expression, or a value to equal. */
export function readFieldCondition(value: Value, context: FilterContext): Condition {
  if (value instanceof BSONRegExp) return regexCondition(value, context);
  return isConditions(value) ? readConditions(value, context) : leaf(equalTo(value, context.collation));
}

/** Parses conditions, `{ $gt: 5, $lt: 8 }`. @throws StoreError 2 for an unknown operator */
export function readConditions(conditions: Doc, context: FilterContext): Condition {
  const found: Condition[] = [];
  for (const [name, operand] of Object.entries(conditions)) {
    const read = operators.get(name);
    if (read === undefined) throw unknownOperator(name);
    const condition = read(operand, context, conditions);
    if (condition !== undefined) found.push(condition);
  }
  return both(found);
}

function unknownOperator(name: string): Error {
  return name === '$where'
    ? badValue('$where cannot be applied to a field')
    : unknownName(2, `unknown operator: ${name}`);
}

/** Whether a name is a field condition. */
export const isFieldOperator = (name: string): boolean => operators.has(name);
