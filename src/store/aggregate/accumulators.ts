/** Accumulators of groups and windows: what is gathered from one document after the other. */
import { Decimal128 } from 'bson';
import { StoreError } from '../errors.ts';
import { compileSort, sortDocs } from '../sort/index.ts';
import { add, doubleValue, type NumberValue } from '../values/arithmetic.ts';
import { isDoc, isNumber } from '../values/kind.ts';
import { exactLong, toDouble } from '../values/number.ts';
import { compare, keyOf } from '../values/order.ts';
import type { Doc, Value } from '../values/types.ts';
import type { PipelineContext } from './context.ts';
import { compileExpression } from './expressions/compile.ts';
import { isNullish } from './expressions/scope.ts';
import type { Memory } from './meter.ts';
import { options } from './expressions/variables.ts';

/** The gathering for one group. */
export interface Gathering {
  readonly take: (doc: Doc) => void;
  readonly result: () => Value;
}
/** Begins a gathering for a new group. */
export type Accumulator = (memory: Memory) => Gathering;

type Make = (operand: Value, context: PipelineContext, name: string) => Accumulator;

/** Compiles `{$sum: …}` and its like. @throws 15952 for an accumulator that nobody knows */
export function compileAccumulator(spec: Value, context: PipelineContext, place: string): Accumulator {
  if (!isDoc(spec) || Object.keys(spec).length !== 1)
    throw new StoreError(40234, `The field '${place}' must be an accumulator object`);
  const [name = '', operand] = Object.entries(spec)[0] ?? [];
  const make = accumulators.get(name);
  if (make === undefined) throw new StoreError(15952, `unknown group operator '${name}'`);
  return make(operand, context, name);
}

/** An accumulator over the values of one expression. */
const over =
  (begin: (memory: Memory) => { take: (value: Value) => void; result: () => Value }): Make =>
  (operand, context) => {
    const evaluate = compileExpression(operand, context);
    return (memory) => {
      const gathering = begin(memory);
      return { take: (doc) => gathering.take(evaluate(doc)), result: gathering.result };
    };
  };

export function sumOf(values: Iterable<Value>): NumberValue {
  let total: NumberValue = 0;
  for (const value of values) if (isNumber(value)) total = plus(total, value);
  return total;
}

const plus = (a: NumberValue, b: NumberValue): NumberValue =>
  add(a, b) ?? doubleValue((toDouble(a) ?? 0) + (toDouble(b) ?? 0));

const sum = over(() => {
  let total: NumberValue = 0;
  return { take: (value) => void (isNumber(value) && (total = plus(total, value))), result: () => total };
});

export function mean(total: NumberValue, count: number): Value {
  if (count === 0) return null;
  const value = (toDouble(total) ?? NaN) / count;
  return total instanceof Decimal128 ? Decimal128.fromString(String(value)) : doubleValue(value);
}

const average = over(() => {
  let [total, count]: [NumberValue, number] = [0, 0];
  return {
    take: (value) => {
      if (!isNumber(value)) return;
      total = plus(total, value);
      count += 1;
    },
    result: () => mean(total, count),
  };
});

const extreme = (sign: 1 | -1): Make =>
  over(() => {
    let best: Value;
    return {
      take: (value) => {
        if (!isNullish(value) && (best === undefined || compare(value, best) * sign < 0)) best = value;
      },
      result: () => best ?? null,
    };
  });

const list = (unique: boolean): Make =>
  over((memory) => {
    const found: Value[] = [];
    const keys = new Set<string>();
    return {
      take: (value) => {
        if (value === undefined || (unique && keys.size === keys.add(keyOf(value)).size)) return;
        memory.keep(value);
        memory.addBytes(unique ? 100 : 8);
        found.push(value);
      },
      result: () => [...found],
    };
  });

const end = (last: boolean): Make =>
  over(() => {
    let [value, seen]: [Value, boolean] = [null, false];
    return {
      take: (next) => {
        if (!seen || last) value = next ?? null;
        seen = true;
      },
      result: () => value,
    };
  });

/** Population and sample deviation, in one pass (Welford). */
const deviation = (sample: boolean): Make =>
  over(() => {
    let [count, average, squares] = [0, 0, 0];
    return {
      take: (value) => {
        const number = isNumber(value) ? toDouble(value) : undefined;
        if (number === undefined) return;
        count += 1;
        const delta = number - average;
        average += delta / count;
        squares += delta * (number - average);
      },
      result: () => (count < (sample ? 2 : 1) ? null : doubleValue(Math.sqrt(squares / (sample ? count - 1 : count)))),
    };
  });

function count(operand: Value): Accumulator {
  if (!isDoc(operand) || Object.keys(operand).length > 0) throw new StoreError(15952, '$count takes no arguments');
  return () => {
    let total = 0;
    return { take: () => void (total += 1), result: () => total };
  };
}

const mergeObjects = over(() => {
  let merged: Doc = {};
  return {
    take: (value) => {
      if (isNullish(value)) return;
      if (!isDoc(value)) throw new StoreError(40400, '$mergeObjects requires object inputs');
      merged = { ...merged, ...value };
    },
    result: () => merged,
  };
});

function howMany(value: Value, context: PipelineContext): number {
  const number = exactLong(compileExpression(value, context)({}));
  if (number === undefined || number < 1n) throw new StoreError(5787908, "'n' must be a whole number greater than 0");
  return Number(number);
}

/** `$firstN`, `$lastN`, `$minN`, `$maxN`. */
const several =
  (keep: (values: Value[], n: number) => Value[]): Make =>
  (operand, context, name) => {
    const given = options(operand, name, ['input', 'n']);
    const [evaluate, n] = [compileExpression(given['input'], context), howMany(given['n'], context)];
    return (memory) => {
      let found: Value[] = [];
      return {
        take: (doc) => {
          const value = evaluate(doc) ?? null;
          if (found.length <= n) memory.keep(value);
          found.push(value);
          if (found.length > n * 2 + 100) found = keep(found, n);
        },
        result: () => keep(found, n),
      };
    };
  };

const ordered =
  (sign: 1 | -1) =>
  (values: Value[], n: number): Value[] =>
    values
      .filter((value) => !isNullish(value))
      .sort((a, b) => compare(a, b) * sign)
      .slice(0, n);

/** `$top`, `$bottom`, `$topN`, `$bottomN`. */
const ranked =
  (bottom: boolean, many: boolean): Make =>
  (operand, context, name) => {
    const given = options(operand, name, many ? ['sortBy', 'output', 'n'] : ['sortBy', 'output']);
    if (!isDoc(given['sortBy'])) throw new StoreError(5788604, `${name} needs sortBy to be an object`);
    const sort = compileSort(given['sortBy'], context.collation);
    const evaluate = compileExpression(given['output'], context);
    const n = many ? howMany(given['n'], context) : 1;
    const keep = (docs: readonly Doc[]): Doc[] =>
      bottom ? sortDocs(docs, sort).slice(-n) : sortDocs(docs, sort).slice(0, n);
    return (memory) => {
      let docs: Doc[] = [];
      return {
        take: (doc) => {
          if (docs.length <= n) memory.keep(doc);
          docs.push(doc);
          if (docs.length > n * 2 + 100) docs = keep(docs);
        },
        result: () => {
          const values = keep(docs).map((doc) => evaluate(doc) ?? null);
          return many ? values : (values[0] ?? null);
        },
      };
    };
  };

/** Percentiles by rank: the value at the smallest rank that reaches the fraction. */
const percentile =
  (median: boolean): Make =>
  (operand, context, name) => {
    const given = options(operand, name, median ? ['input', 'method'] : ['input', 'p', 'method'], ['input', 'method']);
    if (given['method'] !== 'approximate') throw new StoreError(2, `${name}: the method must be 'approximate'`);
    const evaluate = compileExpression(given['input'], context);
    const fractions = median ? [0.5] : (compileExpression(given['p'], context)({}) as Value[]);
    if (
      !Array.isArray(fractions) ||
      fractions.some((p) => !isNumber(p) || (toDouble(p) ?? 2) > 1 || (toDouble(p) ?? -1) < 0)
    )
      throw new StoreError(7750301, `${name}: 'p' must be an array of numbers from 0 to 1`);
    return (memory) => {
      const found: number[] = [];
      return {
        take: (doc) => {
          const value = evaluate(doc);
          if (!isNumber(value)) return;
          memory.addBytes(8);
          found.push(toDouble(value) ?? NaN);
        },
        result: () => {
          found.sort((a, b) => a - b);
          const at = (p: Value): Value => {
            const value = found[Math.max(0, Math.ceil((toDouble(p) ?? 0) * found.length) - 1)];
            return value === undefined ? null : doubleValue(value);
          };
          return median ? at(0.5) : fractions.map(at);
        },
      };
    };
  };

const accumulators: ReadonlyMap<string, Make> = new Map(
  Object.entries({
    $sum: sum,
    $avg: average,
    $min: extreme(1),
    $max: extreme(-1),
    $push: list(false),
    $addToSet: list(true),
    $first: end(false),
    $last: end(true),
    $stdDevPop: deviation(false),
    $stdDevSamp: deviation(true),
    $count: count,
    $mergeObjects: mergeObjects,
    $firstN: several((values, n) => values.slice(0, n)),
    $lastN: several((values, n) => values.slice(-n)),
    $minN: several(ordered(1)),
    $maxN: several(ordered(-1)),
    $top: ranked(false, false),
    $topN: ranked(false, true),
    $bottom: ranked(true, false),
    $bottomN: ranked(true, true),
    $percentile: percentile(false),
    $median: percentile(true),
  }),
);

/** Whether an accumulator of this name exists. */
export const isAccumulator = (name: string): boolean => accumulators.has(name);
