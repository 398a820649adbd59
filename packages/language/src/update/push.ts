/** The update operator `$push`, with its modifiers `$each`, `$position`, `$slice` and `$sort`. */
import { unknownName } from '../errors.ts';
import type { Charge } from '../query/index.ts';
import { isDoc, isNumber, kindOf } from '../values/kind.ts';
import { exactLong } from '../values/number.ts';
import { compare } from '../values/order.ts';
import { get } from '../values/path.ts';
import { show } from '../values/show.ts';
import type { Doc, Value } from '../values/types.ts';
import { badValue, type ChangeReader, setting, type UpdateContext, type UpdateTarget } from './change.ts';

interface Push {
  readonly values: readonly Value[];
  readonly position: number | undefined;
  readonly slice: number | undefined;
  readonly order: ((a: Value, b: Value) => number) | undefined;
  /** Steps of one comparison. */
  readonly orderSteps: number;
  readonly charge: Charge;
}

/** Members that are copied in one step, and steps of comparing two members, or fields of them. */
const membersPerStep = 1;
const comparisonSteps = 0.5;
const fieldComparisonSteps = 4;

/** Parses a `$push` of one value or of `{ $each: […] }`. */
export const push: ChangeReader = (operand, _path, context) => {
  const reading =
    isDoc(operand) && Object.hasOwn(operand, '$each') ? readClauses(operand, context) : single(operand, context);
  return { ...setting((old, place) => pushed(arrayOf(old, place), reading)), values: reading.values.length };
};

const single = (value: Value, { charge }: UpdateContext): Push => ({
  values: [value],
  position: undefined,
  slice: undefined,
  order: undefined,
  orderSteps: 0,
  charge,
});

function arrayOf(old: Value, { path, id }: UpdateTarget): readonly Value[] {
  if (old === undefined) return [];
  if (Array.isArray(old)) return old;
  throw badValue(
    `The field '${path}' must be an array but is of type ${kindOf(old).name} in document {_id: ${show(id)}}`,
  );
}

function pushed(array: readonly Value[], { values, position, slice, order, orderSteps, charge }: Push): Value[] {
  const length = array.length + values.length;
  charge(length / membersPerStep);
  const at = position === undefined ? array.length : position < 0 ? Math.max(0, array.length + position) : position;
  const result = array.slice(0, at).concat(values, array.slice(at));
  if (order !== undefined) {
    charge(length * Math.log2(length + 1) * orderSteps);
    result.sort(order);
  }
  if (slice === undefined) return result;
  return slice < 0 ? result.slice(slice) : result.slice(0, slice);
}

const clauses: ReadonlySet<string> = new Set(['$each', '$position', '$slice', '$sort']);

function readClauses(operand: Doc, { collation, charge }: UpdateContext): Push {
  for (const name of Object.keys(operand)) {
    if (!clauses.has(name)) throw unknownName(2, `Unrecognized clause in $push: ${name}`);
  }
  const { $each: each, $position: position, $slice: slice, $sort: sort } = operand;
  if (!Array.isArray(each)) {
    throw badValue(`The argument to $each in $push must be an array but it was of type: ${kindOf(each).name}`);
  }
  return {
    values: each,
    position: position === undefined ? undefined : wholeNumber('$position', position),
    slice: slice === undefined ? undefined : wholeNumber('$slice', slice),
    order: sort === undefined ? undefined : readOrder(sort, collation),
    orderSteps: isDoc(sort) ? fieldComparisonSteps * Object.keys(sort).length : comparisonSteps,
    charge,
  };
}

function wholeNumber(name: string, value: Value): number {
  const whole = isNumber(value) ? exactLong(value) : undefined;
  if (whole === undefined)
    throw badValue(`The value for ${name} must be an integer value but was given type: ${kindOf(value).name}`);
  return Number(whole);
}

function readOrder(sort: Value, collation: UpdateContext['collation']): (a: Value, b: Value) => number {
  if (!isDoc(sort)) {
    const direction = directionOf(sort);
    return (a, b) => compare(a, b, collation) * direction;
  }
  const fields = Object.entries(sort).map(([path, direction]) => ({ path, direction: directionOf(direction) }));
  if (fields.length === 0) throw badValue('The $sort pattern is empty when it should be a set of fields.');
  for (const { path } of fields) checkSortPath(path);
  return (a, b) => {
    for (const { path, direction } of fields) {
      const order = compare(fieldOf(a, path), fieldOf(b, path), collation) * direction;
      if (order !== 0) return order;
    }
    return 0;
  };
}

const fieldOf = (member: Value, path: string): Value => (isDoc(member) ? get(member, path) : undefined);

function directionOf(value: Value): number {
  const direction = isNumber(value) ? exactLong(value) : undefined;
  if (direction !== 1n && direction !== -1n) throw badValue('The $sort element value must be either 1 or -1');
  return Number(direction);
}

function checkSortPath(path: string): void {
  if (path === '') throw badValue('The $sort field cannot be empty');
  if (path.split('.').includes('')) throw badValue(`The $sort field is a dotted field but has an empty part: ${path}`);
}
