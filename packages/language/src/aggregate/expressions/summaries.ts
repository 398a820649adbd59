/** Accumulators as expressions: over several operands, or over the members of a single array operand. */
import { StoreError } from '../../errors.ts';
import { isDoc, isNumber } from '../../values/kind.ts';
import { toDouble } from '../../values/number.ts';
import type { Value } from '../../values/types.ts';
import type { ValueAccumulator } from '../accumulators/accumulator.ts';
import { type CountedAccumulator, countedFields, countOf, firstN, lastN } from '../accumulators/counted.ts';
import { max, maxN, min, minN } from '../accumulators/extremes.ts';
import { percentilesOf, readPercentiles } from '../accumulators/percentiles.ts';
import { average, populationDeviation, sampleDeviation, sum } from '../accumulators/sums.ts';
import { countedSort, orderIn } from '../comparing.ts';
import type { PipelineContext } from '../context.ts';
import { Memory } from '../memory.ts';
import { type Call, type Fields, fieldsOf, isNullish, onValues, typeName } from './arguments.ts';
import { arrayOf } from './arrays.ts';
import type { Operator } from './compiler.ts';

function gathered(values: readonly Value[], start: ValueAccumulator, { name, compiler }: Call): Value {
  compiler.work.add(values.length, name);
  const { context } = compiler;
  const gathering = start(new Memory(context, name), context);
  for (const value of values) gathering.add(value);
  return gathering.result();
}

const summary = (start: ValueAccumulator): Operator =>
  onValues(0, Infinity, (values, call) => {
    const [only] = values;
    return gathered(values.length === 1 && Array.isArray(only) ? only : values, start, call);
  });

const several =
  (accumulator: CountedAccumulator): Operator =>
  (operand, compiler, name) => {
    const given = fieldsOf(operand, name, countedFields);
    const input = compiler.compile(given['input']);
    const n = compiler.compile(given['n']);
    return (scope) => {
      const wanted = countOf(n(scope));
      const members = arrayOf(input(scope), 5788200, (type) => `Input must be an array, but found ${type}`);
      return gathered(members, accumulator(wanted), { name, compiler });
    };
  };

const ranks: Operator = (operand, compiler, name) => {
  const request = readPercentiles(operand, compiler, name);
  const input = compiler.compile(request.input);
  return (scope) => {
    const value = input(scope);
    const values = Array.isArray(value) ? value : [value];
    return gathered(values, percentilesOf(request), { name, compiler });
  };
};

const sortFields: Fields = { notObject: 2942500, unknown: 2942501, required: { input: 2942502, sortBy: 2942503 } };

const sortArray: Operator = (operand, compiler, name) => {
  const given = fieldsOf(operand, name, sortFields);
  const input = compiler.compile(given['input']);
  const inOrder = sorterBy(given['sortBy'], compiler.context);
  return (scope) => {
    const value = input(scope);
    if (isNullish(value)) return null;
    const members = arrayOf(
      value,
      2942504,
      (type) => `The input argument to ${name} must be an array, but was of type: ${type}`,
    );
    const isPlain = typeof members[0] === 'number';
    compiler.work.add(isPlain ? members.length : members.length * Math.log2(members.length + 1), name);
    return inOrder(members);
  };
};

/** Sorts by fields, or by the whole member. */
function sorterBy(by: Value, context: PipelineContext): (members: readonly Value[]) => Value[] {
  if (isDoc(by)) {
    const { key, compareKeys } = countedSort(by, context);
    return (members) =>
      members
        .map((member) => ({ member, key: key(isDoc(member) ? member : {}) }))
        .sort((a, b) => compareKeys(a.key, b.key))
        .map(({ member }) => member);
  }
  const direction = isNumber(by) ? toDouble(by) : undefined;
  if (direction !== 1 && direction !== -1) {
    throw new StoreError(
      2942507,
      `Illegal sort specification, sortBy must be 1, -1 or an object, found: ${typeName(by)}`,
    );
  }
  const order = orderIn(context);
  return (members) => members.toSorted((a, b) => order(a, b) * direction);
}

/** The operators of this file. */
export const summaryOperators: readonly (readonly [string, Operator])[] = [
  ['$sum', summary(sum)],
  ['$avg', summary(average)],
  ['$min', summary(min)],
  ['$max', summary(max)],
  ['$stdDevPop', summary(populationDeviation)],
  ['$stdDevSamp', summary(sampleDeviation)],
  ['$firstN', several(firstN)],
  ['$lastN', several(lastN)],
  ['$minN', several(minN)],
  ['$maxN', several(maxN)],
  ['$median', ranks],
  ['$percentile', ranks],
  ['$sortArray', sortArray],
];
