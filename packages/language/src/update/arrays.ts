/** The array operators of updates except `$push`: `$addToSet`, `$pop`, `$pull`, `$pullAll`. */
import { BSONRegExp } from 'bson';
import { StoreError } from '../errors.ts';
import { type Charge, compileFilter, isFieldOperator } from '../query/index.ts';
import { distinctOf } from '../values/distinct.ts';
import { isDoc, isNumber, kindOf } from '../values/kind.ts';
import { exactLong } from '../values/number.ts';
import { equal } from '../values/order.ts';
import { show } from '../values/show.ts';
import type { Value } from '../values/types.ts';
import { badValue, type ChangeReader, changing, setting, type UpdateContext } from './change.ts';
import { among } from './members.ts';
import { push } from './push.ts';

/** Members that are copied in one step. */
const membersPerStep = 16;
/** Steps of the key of a member, and of testing one. */
const keySteps = 7;
const testSteps = 5;

const addToSet: ChangeReader = (operand, path, { collation, charge }) => {
  const values = valuesToAdd(operand);
  const distinct = distinctOf(values, collation);
  const change = setting((old) => {
    if (old !== undefined && !Array.isArray(old)) {
      throw badValue(
        `Cannot apply $addToSet to non-array field. Field named '${path.split('.').at(-1) ?? path}' has non-array type ${kindOf(old).name}`,
      );
    }
    charge(((old?.length ?? 0) + distinct.length) * keySteps);
    const known = among(old ?? [], collation);
    return [...(old ?? []), ...distinct.filter((value) => !known(value))];
  });
  return { ...change, values: distinct.length };
};

function valuesToAdd(operand: Value): readonly Value[] {
  if (!isDoc(operand) || Object.keys(operand)[0] !== '$each') return [operand];
  const { $each: each } = operand;
  if (!Array.isArray(each)) {
    throw new StoreError(
      14,
      `The argument to $each in $addToSet must be an array but it was of type ${kindOf(each).name}`,
    );
  }
  const [, second] = Object.keys(operand);
  if (second !== undefined) throw badValue(`Found unexpected fields after $each in $addToSet: ${show(operand)}`);
  return each;
}

const pop: ChangeReader = (operand, path, { charge }) => {
  const side = isNumber(operand) ? exactLong(operand) : undefined;
  if (side !== 1n && side !== -1n) throw new StoreError(9, `$pop expects 1 or -1, found: ${show(operand)}`);
  return changing((old) => {
    if (!Array.isArray(old))
      throw new StoreError(14, `Path '${path}' contains an element of non-array type '${kindOf(old).name}'`);
    charge(old.length / membersPerStep);
    return side === 1n ? old.slice(0, -1) : old.slice(1);
  });
};

/** Creates a change that removes the members that pass a test. */
const removing = (name: string, charge: Charge, test: (member: Value) => boolean) =>
  changing((old) => {
    if (!Array.isArray(old)) throw badValue(`Cannot apply ${name} to a non-array value`);
    charge(old.length * testSteps);
    return old.filter((member) => !test(member));
  });

const pull: ChangeReader = (operand, _path, context) => removing('$pull', context.charge, pullTest(operand, context));

/** The test of a `$pull`: a filter on documents, conditions on the member, or equality. */
function pullTest(operand: Value, { collation, charge }: UpdateContext): (member: Value) => boolean {
  if (operand instanceof BSONRegExp || (isDoc(operand) && isFieldOperator(Object.keys(operand)[0] ?? ''))) {
    const matcher = compileFilter({ member: operand }, { collation, charge });
    return (member) => matcher.matches({ member });
  }
  if (!isDoc(operand)) return (member) => equal(member, operand, collation);
  const matcher = compileFilter(operand, { collation, charge });
  return (member) => isDoc(member) && matcher.matches(member);
}

const pullAll: ChangeReader = (operand, _path, { collation, charge }) => {
  if (!Array.isArray(operand))
    throw badValue(`$pullAll requires an array argument but was given a ${kindOf(operand).name}`);
  return removing('$pullAll', charge, among(operand, collation));
};

/** The operators on arrays. */
export const arrayOperators: readonly (readonly [name: string, read: ChangeReader])[] = [
  ['$push', push],
  ['$addToSet', addToSet],
  ['$pop', pop],
  ['$pull', pull],
  ['$pullAll', pullAll],
];
