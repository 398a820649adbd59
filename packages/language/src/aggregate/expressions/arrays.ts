/** Array operators. */
import { StoreError } from '../../errors.ts';
import { isDoc, isNumber } from '../../values/kind.ts';
import { exactLong } from '../../values/number.ts';
import { setField } from '../../values/path.ts';
import type { Value } from '../../values/types.ts';
import { orderIn } from '../comparing.ts';
import {
  type Call,
  fieldsOf,
  intOf,
  isNullish,
  onOne,
  onOneOrNull,
  onTwo,
  onTwoOrNull,
  onValues,
  typeName,
} from './arguments.ts';
import type { Operator } from './compiler.ts';

/** @throws StoreError with the given code if the value is not an array */
export function arrayOf(value: Value, code: number, message: (type: string) => string): readonly Value[] {
  if (!Array.isArray(value)) throw new StoreError(code, message(typeName(value)));
  return value;
}

const elementAt = onTwoOrNull((array, index, { name }) => {
  const members = arrayOf(array, 28689, (type) => `${name}'s first argument must be an array, but is ${type}`);
  if (!isNumber(index))
    throw new StoreError(28690, `${name}'s second argument must be a numeric value, but is ${typeName(index)}`);
  const at = intOf(
    index,
    () =>
      new StoreError(28691, `${name}'s second argument must be representable as a 32-bit integer: ${String(index)}`),
  );
  return members.at(at);
});

const end = (at: 0 | -1): Operator =>
  onOneOrNull((value, { name }) =>
    arrayOf(value, 28689, (type) => `${name}'s argument must be an array, but is ${type}`).at(at),
  );

function concatArrays(values: readonly Value[], { name, compiler }: Call): Value {
  const joined: Value[] = [];
  for (const value of values) {
    if (isNullish(value)) return null;
    const members = arrayOf(value, 28664, (type) => `${name} only supports arrays, not ${type}`);
    compiler.work.add(members.length, name);
    compiler.work.fits(joined.length + members.length, name);
    for (const member of members) joined.push(member);
  }
  return joined;
}

const isIn = onTwo((wanted, array, { name, compiler }) => {
  const members = arrayOf(array, 40081, (type) => `${name} requires an array as a second argument, found: ${type}`);
  compiler.work.add(members.length, name);
  const order = orderIn(compiler.context);
  return members.some((member) => order(member, wanted) === 0);
});

/** A zero-based position in an array or string. */
export function indexArgument(value: Value, name: string, what: string): number {
  const place = exactLong(value);
  if (place === undefined) {
    throw new StoreError(
      40096,
      `${name} requires an integral ${what} index, found a value of type: ${typeName(value)}`,
    );
  }
  if (place < 0n) throw new StoreError(40097, `${name} requires a nonnegative ${what} index, found: ${place}`);
  return Number(place);
}

function indexOfArray([array, wanted, from = 0, to]: readonly Value[], { name, compiler }: Call): Value {
  if (isNullish(array)) return null;
  const members = arrayOf(array, 40090, (type) => `${name} requires an array as a first argument, found: ${type}`);
  const start = indexArgument(from, name, 'starting');
  const stop = to === undefined ? members.length : Math.min(members.length, indexArgument(to, name, 'ending'));
  compiler.work.add(members.length, name);
  const order = orderIn(compiler.context);
  for (let at = start; at < stop; at += 1) if (order(members[at], wanted) === 0) return at;
  return -1;
}

function range([first, last, step = 1]: readonly Value[], { name, compiler }: Call): Value {
  const [from, to, by] = [first, last, step].map((value, at) => rangeInt(value, at, name)) as [number, number, number];
  if (by === 0) throw new StoreError(34449, `${name} requires a non-zero step value`);
  const length = Math.max(0, Math.ceil((to - from) / by));
  compiler.work.add(length, name);
  const made = new Array<number>(length);
  for (let at = 0; at < length; at += 1) made[at] = from + at * by;
  return made;
}

const rangeParts = ['starting', 'ending', 'step'];

function rangeInt(value: Value, at: number, name: string): number {
  const what = rangeParts[at] ?? '';
  if (!isNumber(value)) {
    throw new StoreError(
      34443 + at * 2,
      `${name} requires a numeric ${what} value, found value of type: ${typeName(value)}`,
    );
  }
  return intOf(
    value,
    () =>
      new StoreError(
        34444 + at * 2,
        `${name} requires a ${what} value that can be represented as a 32-bit integer, found value: ${String(value)}`,
      ),
  );
}

const reverse = onOneOrNull((value, { name, compiler }) => {
  const members = arrayOf(value, 34435, (type) => `The argument to ${name} must be an array, but was of type: ${type}`);
  compiler.work.add(members.length, name);
  return members.toReversed();
});

const size = onOne(
  (value, { name }) =>
    arrayOf(value, 17124, (type) => `The argument to ${name} must be an array, but was of type: ${type}`).length,
);

function slice(values: readonly Value[], { name, compiler }: Call): Value {
  if (values.some(isNullish)) return null;
  const [array, first, count] = values;
  const members = arrayOf(
    array,
    28724,
    (type) => `First argument to ${name} must be an array, but is of type: ${type}`,
  );
  const position = sliceInt(first, 'Second', name);
  if (count === undefined) compiler.work.add(Math.min(members.length, Math.abs(position)), name);
  if (count === undefined) return position < 0 ? members.slice(position) : members.slice(0, position);
  const most = sliceInt(count, 'Third', name);
  if (most <= 0) throw new StoreError(28729, `Third argument to ${name} must be positive: ${most}`);
  const from = position < 0 ? Math.max(0, members.length + position) : position;
  compiler.work.add(Math.max(0, Math.min(members.length - from, most)), name);
  return members.slice(from, from + most);
}

function sliceInt(value: Value, which: string, name: string): number {
  if (!isNumber(value)) {
    throw new StoreError(28725, `${which} argument to ${name} must be numeric, but is of type: ${typeName(value)}`);
  }
  return intOf(
    value,
    () => new StoreError(28726, `${which} argument to ${name} can't be represented as a 32-bit integer`),
  );
}

const zipFields = {
  notObject: 34460,
  unknown: 34464,
  required: { inputs: 34465 },
  optional: ['useLongestLength', 'defaults'],
};

const zip: Operator = (operand, compiler, name) => {
  const { inputs, useLongestLength: longest = false, defaults } = fieldsOf(operand, name, zipFields);
  if (!Array.isArray(inputs))
    throw new StoreError(34461, `inputs must be an array of expressions, found ${typeName(inputs)}`);
  if (inputs.length === 0) throw new StoreError(34465, `${name} requires at least one input array`);
  if (typeof longest !== 'boolean')
    throw new StoreError(34463, `useLongestLength must be a bool, found ${typeName(longest)}`);
  if (defaults !== undefined && !Array.isArray(defaults)) {
    throw new StoreError(34462, `defaults must be an array of expressions, found ${typeName(defaults)}`);
  }
  if (defaults !== undefined && !longest)
    throw new StoreError(34466, 'cannot specify defaults unless useLongestLength is true');
  if (defaults !== undefined && defaults.length !== inputs.length) {
    throw new StoreError(34467, 'defaults and inputs must have the same length');
  }
  const parts = inputs.map((input) => compiler.compile(input));
  const fallbacks = (defaults ?? []).map((fallback) => compiler.compile(fallback));
  return (scope) => {
    const arrays = parts.map((part) => part(scope));
    if (arrays.some(isNullish)) return null;
    const lists = arrays.map((array) =>
      arrayOf(array, 34468, (type) => `${name} found a non-array expression in input: ${type}`),
    );
    const lengths = lists.map((list) => list.length);
    const length = longest ? Math.max(...lengths) : Math.min(...lengths);
    compiler.work.add(length * lists.length, name);
    const missing = fallbacks.map((fallback) => fallback(scope));
    return Array.from({ length }, (_, row) =>
      lists.map((list, at) => (row < list.length ? list[row] : missing[at]) ?? null),
    );
  };
};

function arrayToObject(value: NonNullable<Value>, { name, compiler }: Call): Value {
  const members = arrayOf(value, 40386, (type) => `${name} requires an array input, found: ${type}`);
  compiler.work.fields(members.length, name);
  const made: Record<string, Value> = {};
  const pairs = Array.isArray(members[0]);
  for (const member of members) {
    const [key, field] = pairs ? listedPair(member, name) : namedPair(member, name);
    setField(made, key, field ?? null);
  }
  return made;
}

function listedPair(member: Value, name: string): readonly [string, Value] {
  if (!Array.isArray(member))
    throw new StoreError(
      40391,
      `${name} requires a consistent input format. Elements must all be arrays or all be objects. Array was detected, now found: ${typeName(member)}`,
    );
  if (member.length !== 2)
    throw new StoreError(40397, `${name} requires an array of size 2 arrays,found array of size: ${member.length}`);
  return [keyText(member[0], 40395, name), member[1]];
}

function namedPair(member: Value, name: string): readonly [string, Value] {
  if (!isDoc(member)) throw new StoreError(40398, `Unrecognised input type format for ${name}: ${typeName(member)}`);
  const { k, v } = member;
  if (Object.keys(member).length !== 2) {
    throw new StoreError(
      40392,
      `${name} requires an object keys of 'k' and 'v'. Found incorrect number of keys:${Object.keys(member).length}`,
    );
  }
  if (k === undefined || v === undefined)
    throw new StoreError(40393, `${name} requires an object with keys 'k' and 'v'. Missing either or both keys`);
  return [keyText(k, 40394, name), v];
}

function keyText(key: Value, code: number, name: string): string {
  if (typeof key !== 'string')
    throw new StoreError(
      code,
      `${name} requires an object with keys 'k' and 'v', where the value of 'k' must be of type string. Found type: ${typeName(key)}`,
    );
  if (key.includes('\0')) throw new StoreError(4940400, `Key field cannot contain an embedded null byte`);
  return key;
}

/** The operators of this file. */
export const arrayOperators: readonly (readonly [string, Operator])[] = [
  ['$arrayElemAt', elementAt],
  ['$first', end(0)],
  ['$last', end(-1)],
  ['$concatArrays', onValues(0, Infinity, concatArrays)],
  ['$in', isIn],
  ['$indexOfArray', onValues(2, 4, indexOfArray)],
  ['$isArray', onOne((value) => Array.isArray(value))],
  ['$range', onValues(2, 3, range)],
  ['$reverseArray', reverse],
  ['$size', size],
  ['$slice', onValues(2, 3, slice)],
  ['$zip', zip],
  ['$arrayToObject', onOneOrNull(arrayToObject)],
];
