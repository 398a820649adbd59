/** Lists: members, slices, joins, order. */
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { exactLong } from '../../values/number.ts';
import { compare, equal } from '../../values/order.ts';
import { compileSort, sortDocs } from '../../sort/index.ts';
import type { Value } from '../../values/types.ts';
import { anyNumber, checkLength, isNullish, over, type Compiler, type Evaluate, type Operator } from './scope.ts';
import { options } from './variables.ts';

/** MongoDB's codes for what should be a list. */
const noList: ReadonlyMap<string, number> = new Map([
  ['$concatArrays', 28664],
  ['$arrayElemAt', 28689],
  ['$first', 28689],
  ['$last', 28689],
  ['$reverseArray', 34435],
  ['$zip', 34468],
  ['$indexOfArray', 40090],
]);

export function listOf(value: Value, name: string): readonly Value[] {
  if (!Array.isArray(value))
    throw new StoreError(noList.get(name) ?? 28724, `The argument to ${name} must be an array`);
  return value;
}

export function wholeOf(value: Value, name: string): number {
  const whole = exactLong(value);
  if (whole === undefined) throw new StoreError(28725, `${name} takes whole numbers`);
  return Number(whole);
}

function range([start, end, step = 1]: readonly Value[], name: string): Value {
  const [from, to, by] = [wholeOf(start, name), wholeOf(end, name), wholeOf(step, name)];
  if (by === 0) throw new StoreError(34449, '$range requires a non-zero step value');
  const length = Math.max(0, Math.ceil((to - from) / by));
  checkLength(length, name);
  return Array.from({ length }, (_, at) => from + at * by);
}

function slice(values: readonly Value[], name: string): Value {
  const [list, first, count] = values;
  if (isNullish(list) || isNullish(first) || (values.length === 3 && isNullish(count))) return null;
  const members = listOf(list, name);
  const position = wholeOf(first, name);
  if (values.length === 2) return position >= 0 ? members.slice(0, position) : members.slice(position);
  const most = wholeOf(count, name);
  if (most <= 0) throw new StoreError(28729, 'Third argument to $slice must be positive');
  const begin = position >= 0 ? position : Math.max(0, members.length + position);
  return members.slice(begin, begin + most);
}

function concat(values: readonly Value[], name: string): Value {
  if (values.some(isNullish)) return null;
  const lists = values.map((value) => listOf(value, name));
  checkLength(
    lists.reduce((total, list) => total + list.length, 0),
    name,
  );
  return lists.flat();
}

function indexOf([list, wanted, start = 0, end]: readonly Value[], name: string): Value {
  if (isNullish(list)) return null;
  const members = listOf(list, name);
  const last = end === undefined ? members.length : Math.min(members.length, wholeOf(end, name));
  for (let at = wholeOf(start, name); at < last; at++) if (equal(members[at], wanted)) return at;
  return -1;
}

function zip(operand: Value, { compile }: Compiler): Evaluate {
  const given = options(operand, '$zip', ['inputs', 'useLongestLength', 'defaults'], ['inputs']);
  const inputs = listOf(given['inputs'], '$zip').map((input) => compile(input));
  const longest = given['useLongestLength'] === true;
  const defaults = compile(given['defaults']);
  return (scope) => {
    const lists = inputs.map((input) => input(scope));
    if (lists.some(isNullish)) return null;
    const found = lists.map((list) => listOf(list, '$zip'));
    const lengths = found.map((list) => list.length);
    const length = longest ? Math.max(0, ...lengths) : Math.min(...lengths);
    const missing = defaults(scope);
    const fallback = (at: number): Value => (Array.isArray(missing) ? missing[at] : null) ?? null;
    return Array.from({ length }, (_, row) =>
      found.map((list, at) => (row < list.length ? (list[row] ?? null) : fallback(at))),
    );
  };
}

function sortArray(operand: Value, { compile, context }: Compiler): Evaluate {
  const { input, sortBy } = options(operand, '$sortArray', ['input', 'sortBy']);
  const list = compile(input);
  const by = isDoc(sortBy) ? compileSort(sortBy, context.collation) : undefined;
  if (by === undefined && sortBy !== 1 && sortBy !== -1)
    throw new StoreError(2942504, 'sortBy must be 1, -1 or an object');
  return (scope) => {
    const found = list(scope);
    if (isNullish(found)) return null;
    const members = listOf(found, '$sortArray');
    if (by === undefined) return [...members].sort((a, b) => compare(a, b, context.collation) * Number(sortBy));
    return sortDocs(
      members.map((member) => (isDoc(member) ? member : { '': member })),
      by,
    ).map((doc) => (Object.keys(doc).join() === '' && '' in doc ? doc[''] : doc));
  };
}

const firstOrLast = (at: 0 | -1): Operator =>
  over(1, 1, ([list], name) => {
    if (isNullish(list)) return null;
    return listOf(list, name).at(at);
  });

/** `$firstN`, `$lastN`, `$minN`, `$maxN` of a list. */
const several =
  (pick: (members: readonly Value[], count: number) => readonly Value[]): Operator =>
  (operand, { compile }, name) => {
    const given = options(operand, name, ['input', 'n']);
    const [list, count] = [compile(given['input']), compile(given['n'])];
    return (scope) => {
      const found = list(scope);
      if (isNullish(found)) return null;
      const number = wholeOf(count(scope), name);
      if (number <= 0) throw new StoreError(5787908, `'n' must be greater than 0, found ${number}`);
      return [...pick(listOf(found, name), number)];
    };
  };

const ordered = (members: readonly Value[], sign: 1 | -1): readonly Value[] =>
  members.filter((member) => !isNullish(member)).sort((a, b) => compare(a, b) * sign);

export const arrays: Readonly<Record<string, Operator>> = {
  $arrayElemAt: over(2, 2, ([list, at], name) => {
    if (isNullish(list) || isNullish(at)) return null;
    return listOf(list, name).at(wholeOf(at, name));
  }),
  $concatArrays: over(0, anyNumber, concat),
  $first: firstOrLast(0),
  $last: firstOrLast(-1),
  $firstN: several((members, count) => members.slice(0, count)),
  $lastN: several((members, count) => members.slice(-count)),
  $minN: several((members, count) => ordered(members, 1).slice(0, count)),
  $maxN: several((members, count) => ordered(members, -1).slice(0, count)),
  $in: over(2, 2, ([wanted, list], name) => {
    if (!Array.isArray(list)) throw new StoreError(40081, `${name} requires an array as a second argument`);
    return list.some((member) => equal(member, wanted));
  }),
  $indexOfArray: over(2, 4, indexOf),
  $isArray: over(1, 1, ([value]) => Array.isArray(value)),
  $range: over(2, 3, range),
  $reverseArray: over(1, 1, ([list], name) => (isNullish(list) ? null : [...listOf(list, name)].reverse())),
  $size: over(1, 1, ([list], name) => {
    if (!Array.isArray(list)) throw new StoreError(17124, `The argument to ${name} must be an array`);
    return list.length;
  }),
  $slice: over(2, 3, slice),
  $sortArray: sortArray,
  $zip: zip,
  $arrayToObject: over(1, 1, ([list], name) =>
    isNullish(list) ? null : Object.fromEntries(listOf(list, name).map(pairOf)),
  ),
};

function pairOf(member: Value): [string, Value] {
  const [key, value] =
    Array.isArray(member) && member.length === 2 ? member : isDoc(member) ? [member['k'], member['v']] : [];
  if (typeof key !== 'string') throw new StoreError(40386, '$arrayToObject takes pairs, or objects with k and v');
  return [key, value ?? null];
}
