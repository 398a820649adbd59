/**
 * Window functions over a series, and the preferred numbers of `$bucketAuto`: pipelines over `sales` with MongoDB's
 * results.
 */
import type { StageCase } from '../pipelines/stage-cases.ts';

/** The sales 1 to 5 have the quantities 2, 1, 5, 4, 10 and the prices 10, 20, 30, null, 5. */
const series = (name: string, output: object, values: readonly unknown[]): StageCase => ({
  name,
  stages: [
    { $setWindowFields: { sortBy: { _id: 1 }, output: { x: output } } },
    { $project: { x: 1 } },
    { $sort: { _id: 1 } },
  ],
  result: values.map((x, at) => (x === undefined ? { _id: at + 1 } : { _id: at + 1, x })),
});

const all = { documents: ['unbounded', 'unbounded'] };
const soFar = { documents: ['unbounded', 'current'] };
const pair = { documents: [-1, 'current'] };

const buckets = (granularity: string, result: readonly (readonly [min: number, max: number, count: number])[]) => ({
  name: `$bucketAuto in ${granularity}`,
  stages: [{ $bucketAuto: { groupBy: '$qty', buckets: 2, granularity } }],
  result: result.map(([min, max, count]) => ({ _id: { min, max }, count })),
});

/** The cases. */
export const windowCases: readonly StageCase[] = [
  series('$derivative', { $derivative: { input: '$qty' }, window: pair }, [null, -1, 4, -1, 6]),
  series('$integral', { $integral: { input: '$qty' }, window: soFar }, [0, 1.5, 4.5, 9, 16]),
  series('$expMovingAvg', { $expMovingAvg: { input: '$qty', alpha: 0.5 } }, [2, 1.5, 3.25, 3.625, 6.8125]),
  series('$covariancePop', { $covariancePop: ['$_id', '$_id'], window: all }, [2, 2, 2, 2, 2]),
  series('$covarianceSamp', { $covarianceSamp: ['$_id', '$_id'], window: all }, [2.5, 2.5, 2.5, 2.5, 2.5]),
  series('$linearFill', { $linearFill: '$price' }, [10, 20, 30, 17.5, 5]),
  series('$locf', { $locf: '$price' }, [10, 20, 30, 30, 5]),
  series('$shift with a default', { $shift: { output: '$qty', by: 1, default: 'none' } }, [1, 5, 4, 10, 'none']),
  series('$denseRank', { $denseRank: {} }, [1, 2, 3, 4, 5]),
  series('$push of a window', { $push: '$qty', window: pair }, [[2], [2, 1], [1, 5], [5, 4], [4, 10]]),
  series('$stdDevPop of a window', { $stdDevPop: '$qty', window: pair }, [0, 0.5, 2, 0.5, 3]),
  buckets('POWERSOF2', [
    [0.5, 8, 4],
    [8, 16, 1],
  ]),
  buckets('1-2-5', [
    [0.5, 5, 3],
    [5, 20, 2],
  ]),
  buckets('R5', [
    [0.63, 6.3, 4],
    [6.3, 16, 1],
  ]),
  buckets('E6', [
    [0.68, 4.7, 3],
    [4.7, 15, 2],
  ]),
  {
    name: '$skip',
    stages: [{ $sort: { _id: 1 } }, { $set: { y: 1 } }, { $skip: 3 }, { $project: { _id: 1 } }],
    result: [{ _id: 4 }, { _id: 5 }],
  },
];
