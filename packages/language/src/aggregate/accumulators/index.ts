/** The table of accumulators for groups and windows. */
import { notSupported, StoreError, unknownName } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import type { Value } from '../../values/types.ts';
import type { Compiler } from '../expressions/compiler.ts';
import { type Accumulator, type AccumulatorReader, ofValues } from './accumulator.ts';
import { addToSet, first, last, mergeObjects, push } from './collections.ts';
import { counted, firstN, lastN } from './counted.ts';
import { max, maxN, min, minN } from './extremes.ts';
import { percentile } from './percentiles.ts';
import { ranked } from './ranked.ts';
import { average, count, populationDeviation, sampleDeviation, sum } from './sums.ts';

/** Accumulators that require a MongoDB server. */
export const unsupported = ['$accumulator'];

const refuseScript: AccumulatorReader = (_operand, _compiler, name) => {
  throw notSupported(`the accumulator ${name}`);
};

/** Accumulators by name. */
export const accumulators: ReadonlyMap<string, AccumulatorReader> = new Map<string, AccumulatorReader>([
  ['$sum', ofValues(sum)],
  ['$avg', ofValues(average)],
  ['$min', ofValues(min)],
  ['$max', ofValues(max)],
  ['$push', ofValues(push)],
  ['$addToSet', ofValues(addToSet)],
  ['$first', ofValues(first)],
  ['$last', ofValues(last)],
  ['$stdDevPop', ofValues(populationDeviation)],
  ['$stdDevSamp', ofValues(sampleDeviation)],
  ['$mergeObjects', ofValues(mergeObjects)],
  ['$count', count],
  ['$firstN', counted(firstN)],
  ['$lastN', counted(lastN)],
  ['$minN', counted(minN)],
  ['$maxN', counted(maxN)],
  ['$top', ranked({ bottom: false, many: false })],
  ['$bottom', ranked({ bottom: true, many: false })],
  ['$topN', ranked({ bottom: false, many: true })],
  ['$bottomN', ranked({ bottom: true, many: true })],
  ['$median', percentile],
  ['$percentile', percentile],
  ...unsupported.map((name): readonly [string, AccumulatorReader] => [name, refuseScript]),
]);

/** An accumulated field of a stage's output. */
export interface AccumulatedField {
  readonly name: string;
  readonly accumulator: Accumulator;
}

/**
 * Parses the accumulated fields of a stage.
 * @throws StoreError 15952 for an unknown accumulator, 40234 to 40238 for an invalid one
 */
export function readAccumulatedFields(
  entries: readonly (readonly [string, Value])[],
  compiler: Compiler,
): readonly AccumulatedField[] {
  return entries.map(([name, spec]) => {
    if (name.includes('.')) throw new StoreError(40235, `The field name '${name}' cannot contain '.'`);
    if (name.startsWith('$')) throw new StoreError(40236, `The field name '${name}' cannot be an operator name`);
    return { name, accumulator: readAccumulator(name, spec, compiler) };
  });
}

function readAccumulator(field: string, spec: Value, compiler: Compiler): Accumulator {
  const [first, second] = isDoc(spec) ? Object.entries(spec) : [];
  if (first === undefined || !first[0].startsWith('$')) {
    throw new StoreError(40234, `The field '${field}' must be an accumulator object`);
  }
  if (second !== undefined) throw new StoreError(40238, `The field '${field}' must specify one accumulator`);
  const [name, operand] = first;
  const read = accumulators.get(name);
  if (read === undefined) throw unknownName(15952, `unknown group operator '${name}'`);
  return read(operand, compiler, name);
}
