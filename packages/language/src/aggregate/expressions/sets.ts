/** Set operators: arrays without regard to order and repetition. */
import { StoreError } from '../../errors.ts';
import { truthy } from '../../values/number.ts';
import type { Value } from '../../values/types.ts';
import { Keys } from '../keys.ts';
import { type Call, isNullish, onOne, onTwo, onTwoOrNull, onValues, typeName } from './arguments.ts';
import type { Operator } from './compiler.ts';

type ValueSet = ReadonlyMap<string, Value>;

function setsOf(values: readonly Value[], { name, compiler }: Call, code: number): readonly ValueSet[] {
  const keys = new Keys(compiler.context);
  return values.map((value) => {
    if (!Array.isArray(value)) {
      throw new StoreError(code, `All operands of ${name} must be arrays. One argument is of type: ${typeName(value)}`);
    }
    compiler.work.add(value.length, name);
    const found = new Map<string, Value>();
    for (const member of value) {
      const key = keys.of(member);
      if (!found.has(key)) found.set(key, member);
    }
    return found;
  });
}

const empty: ValueSet = new Map();

/** The operands before the first null; they are checked in any case. */
const beforeNull = (values: readonly Value[]): readonly Value[] => {
  const end = values.findIndex(isNullish);
  return end < 0 ? values : values.slice(0, end);
};

const union = onValues(0, Infinity, (values, call) => {
  const sets = setsOf(beforeNull(values), call, 17043);
  if (sets.length < values.length) return null;
  const found = new Map<string, Value>();
  for (const set of sets) {
    for (const [key, value] of set) if (!found.has(key)) found.set(key, value);
  }
  return [...found.values()];
});

const intersection = onValues(0, Infinity, (values, call) => {
  const sets = setsOf(beforeNull(values), call, 17047);
  if (sets.length < values.length) return null;
  const [first = empty, ...others] = sets;
  return [...first].filter(([key]) => others.every((set) => set.has(key))).map(([, value]) => value);
});

const difference = onTwoOrNull((a, b, call) => {
  const [from = empty, without = empty] = setsOf([a, b], call, 17048);
  return [...from].filter(([key]) => !without.has(key)).map(([, value]) => value);
});

const equals: Operator = onValues(2, Infinity, (values, call) => {
  const [first = empty, ...others] = setsOf(values, call, 17044);
  return others.every((set) => set.size === first.size && isSubset(first, set));
});

const subset = onTwo((a, b, call) => {
  const [part = empty, all = empty] = setsOf([a, b], call, 17046);
  return isSubset(part, all);
});

const isSubset = (part: ValueSet, all: ValueSet): boolean => [...part.keys()].every((key) => all.has(key));

function membersOf(value: Value, { name, compiler }: Call, code: number): readonly Value[] {
  if (!Array.isArray(value))
    throw new StoreError(code, `${name}'s argument must be an array, but is ${typeName(value)}`);
  compiler.work.add(value.length, name);
  return value;
}

/** The operators of this file. */
export const setOperators: readonly (readonly [string, Operator])[] = [
  ['$setUnion', union],
  ['$setIntersection', intersection],
  ['$setDifference', difference],
  ['$setEquals', equals],
  ['$setIsSubset', subset],
  ['$allElementsTrue', onOne((value, call) => membersOf(value, call, 17040).every(truthy))],
  ['$anyElementTrue', onOne((value, call) => membersOf(value, call, 17041).some(truthy))],
];
