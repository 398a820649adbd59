/** Every stage, accumulator and window function gives way to other commands while it works on many documents. */
import { accumulators, unsupported as scripts } from '../../src/aggregate/accumulators/index.ts';
import { compilePipeline } from '../../src/aggregate/index.ts';
import { stages, unsupported } from '../../src/aggregate/stages/index.ts';
import { windowFunctions } from '../../src/aggregate/windows/index.ts';
import type { Doc, Value } from '../../src/values/types.ts';
import { context } from './context.ts';

const count = 3000;
const docs: readonly Doc[] = Array.from({ length: count }, (_, n) => ({
  _id: n,
  n: (n * 7919) % count,
  list: [n, n + 1],
  next: n + 1,
}));

async function* source(): AsyncGenerator<readonly Doc[]> {
  for (let at = 0; at < count; at += 100) yield docs.slice(at, at + 100);
  await Promise.resolve();
}

/** How often a pipeline could have given way. */
async function pausesOf(pipeline: readonly Doc[]): Promise<number> {
  let pauses = 0;
  const counting = {
    ...context,
    read: () => source(),
    write: async (_target: unknown, _mode: unknown, written: AsyncIterable<readonly Doc[]>) => {
      for await (const batch of written) pauses += batch.length;
    },
    due: () => {
      pauses += 1;
      return false;
    },
    yield: () => {
      pauses += 1;
      return Promise.resolve();
    },
  };
  let results = 0;
  for await (const batch of compilePipeline(pipeline, counting)(source())) results += batch.length;
  expect(results + pauses).toBeGreaterThan(0);
  return pauses;
}

const operands: Readonly<Record<string, Value>> = {
  $addFields: { m: '$n' },
  $bucket: { groupBy: '$n', boundaries: [0, 1000, count] },
  $bucketAuto: { groupBy: '$n', buckets: 5 },
  $densify: { field: 'n', range: { step: 1, bounds: 'full' } },
  $facet: { all: [{ $set: { m: 1 } }] },
  $fill: { output: { none: { value: 1 } } },
  $group: { _id: '$n' },
  $match: { $expr: { $gte: ['$n', 0] } },
  $merge: { into: 'x' },
  $out: 'x',
  $project: { n: 1 },
  $redact: '$$KEEP',
  $replaceRoot: { newRoot: { n: '$n' } },
  $replaceWith: { n: '$n' },
  $sample: { size: 1000 },
  $set: { m: '$n' },
  $setWindowFields: { sortBy: { n: 1 }, output: { m: { $sum: '$n', window: { documents: [-1, 1] } } } },
  $sort: { n: 1 },
  $sortByCount: '$n',
  $unset: 'n',
  $unwind: '$list',
};
/** They do no more than pass documents on, or work on those of another collection, which is read in the same way. */
const others = ['$count', '$limit', '$skip', '$unionWith', '$documents', '$lookup', '$graphLookup'];
const sources = ['$changeStream', '$collStats', '$currentOp', '$indexStats'];

test('every stage is listed', () => {
  const listed = [...Object.keys(operands), ...others, ...sources, ...unsupported];
  expect([...stages.keys()].filter((name) => !listed.includes(name) && !name.startsWith('$list'))).toEqual([]);
});

/** Stages that only collect pause once for each batch that they read, and all for the documents that they make. */
const least = count / 100;

test.each(Object.entries(operands))('the stage %s', async (name, operand) => {
  expect(await pausesOf([{ [name]: operand }])).toBeGreaterThanOrEqual(least);
});

const ranking = { sortBy: { n: 1 }, output: '$n' };
const special: Readonly<Record<string, Value>> = {
  $count: {},
  $top: ranking,
  $bottom: ranking,
  $topN: { ...ranking, n: 5 },
  $bottomN: { ...ranking, n: 5 },
  $median: { input: '$n', method: 'approximate' },
  $percentile: { input: '$n', p: [0.5], method: 'approximate' },
  $mergeObjects: { a: '$n' },
  $denseRank: {},
  $documentNumber: {},
  $rank: {},
  $derivative: { input: '$n' },
  $integral: { input: '$n' },
  $expMovingAvg: { input: '$n', N: 3 },
  $shift: { output: '$n', by: 1 },
  $covariancePop: ['$n', '$next'],
  $covarianceSamp: ['$n', '$next'],
};
const operandOf = (name: string): Value => special[name] ?? (/N$/.test(name) ? { input: '$n', n: 5 } : '$n');

test.each([...accumulators.keys()].filter((name) => !scripts.includes(name)))('the accumulator %s', async (name) => {
  const pauses = await pausesOf([{ $group: { _id: null, value: { [name]: operandOf(name) } } }]);
  expect(pauses).toBeGreaterThanOrEqual(count);
});

test.each([...windowFunctions.keys()])('the window function %s', async (name) => {
  const output = { value: { [name]: operandOf(name) } };
  expect(await pausesOf([{ $setWindowFields: { sortBy: { n: 1 }, output } }])).toBeGreaterThanOrEqual(count);
});
