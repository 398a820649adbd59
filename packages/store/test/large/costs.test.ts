/**
 * What operators are charged is what they cost: the steps of each, by the processor time that it takes, compared with
 * those of a reference measured in turn with it. `npm run test:costs` measures for longer, within narrower bounds.
 */
import { describe, expect, test } from '@jest/globals';
import { serialize } from 'bson';
import { operators as expressions } from '../../../language/src/aggregate/expressions/operators.ts';
import { compileExpression, Meter } from '../../../language/src/aggregate/index.ts';
import { StoreError } from '../../../language/src/errors.ts';
import { compileFilter } from '../../../language/src/query/index.ts';
import { operators as conditions } from '../../../language/src/query/operators.ts';
import { compileUpdate } from '../../../language/src/update/index.ts';
import { operators as changes } from '../../../language/src/update/operators.ts';
import { decode, type Doc, type Value } from '../../../language/src/values/index.ts';
import { context as languageContext } from '../../../language/test/aggregate/context.ts';
import { largeCases, largeDocument as expressionDocument } from './expression-cases.ts';
import { largeDocument, largeFilters, largeUpdates } from './filter-and-update-cases.ts';

/**
 * By how much the steps of a millisecond may differ from those of the reference. The usual bound finds work that is not
 * counted on a machine where other programs run; garbage collection alone may multiply the time of a short case.
 */
const factor = Number(process.env['COSTS_FACTOR'] ?? 30);
/** Milliseconds of processor time for which a case is measured, three times. */
const measuredMs = Number(process.env['COSTS_MS'] ?? 2);
/** Milliseconds below which an evaluation costs nothing that could hold others up. */
const freeMs = 0.03;
/** The steps after which the store refuses the work on one document. */
const maxSteps = 1_250_000;
/** The codes of refusals: too much work, and a pattern too costly for a string of that length. */
const refusals: readonly unknown[] = [146, 51156];

const valueOf = (value: unknown): Value => decode(serialize({ value }))['value'];
const docOf = (value: unknown): Doc => decode(serialize(value as object));

/** Counts steps, and ends the work where the store would. */
class CountingMeter extends Meter {
  total = 0;
  #steps = 0;

  override charge(steps: number): void {
    this.total += steps;
    this.#steps += steps;
    if (this.#steps > maxSteps) throw new StoreError(146, 'too much work');
  }

  begin(): void {
    this.#steps = 0;
  }
}

const meter = new CountingMeter(
  () => 0,
  () => undefined,
);
const context = { ...languageContext, meter };
const charge = (steps: number): void => meter.charge(steps);

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

type Work = () => unknown;

function once(work: Work): void {
  meter.begin();
  try {
    work();
  } catch (error) {
    if (!(error instanceof StoreError) || !refusals.includes(error.code)) throw error;
  }
}

interface Rate {
  readonly stepsPerMs: number;
  readonly ms: number;
}

function rateOf(work: Work): Rate {
  const before = meter.total;
  const begun = processorMs();
  let [ms, times, batch] = [0, 0, 1];
  while (ms < measuredMs) {
    for (let left = batch; left > 0; left -= 1) once(work);
    times += batch;
    // reading the clock takes as long as the cheapest cases
    batch *= 2;
    ms = processorMs() - begun;
  }
  return { stepsPerMs: (meter.total - before) / ms, ms: ms / times };
}

const doc = docOf(expressionDocument);
const addOne = compileExpression({ $map: { input: '$list', in: { $add: ['$$this', 1] } } }, context);
const reference: Work = () => addOne(doc);

/** How often as many steps as the reference a case is charged in the same time; undefined for one that costs nothing. */
function ratioOf(work: Work): number | undefined {
  once(work);
  const ratios = Array.from({ length: 3 }, () => {
    const rate = rateOf(work);
    return rate.ms < freeMs ? undefined : rate.stepsPerMs / rateOf(reference).stepsPerMs;
  }).toSorted((a, b) => (a ?? 0) - (b ?? 0));
  return ratios.includes(undefined) ? undefined : ratios[1];
}

const attempts = 4;
const isFair = (ratio: number): boolean => ratio > 1 / factor && ratio < factor;

/** Work that is not counted is out of bounds each time; compilation and garbage collection put a case there now and then. */
function expectFair(work: Work): void {
  let ratio = ratioOf(work);
  for (let tried = 1; tried < attempts && ratio !== undefined && !isFair(ratio); tried++) ratio = ratioOf(work);
  if (ratio === undefined) return;
  expect(ratio).toBeGreaterThan(1 / factor);
  expect(ratio).toBeLessThan(factor);
}

/** Names and positions of cases: the test runner would print the large values themselves. */
const placesIn = (
  cases: ReadonlyMap<string, readonly unknown[]>,
  most = Number.POSITIVE_INFINITY,
): readonly (readonly [string, number])[] =>
  [...cases].flatMap(([name, { length }]) =>
    Array.from({ length: Math.min(length, most) }, (_, at) => [name, at] as const),
  );

test('every operator has cases', () => {
  expect([...largeCases.keys()].toSorted()).toEqual([...expressions.keys()].toSorted());
  expect([...largeFilters.keys()].toSorted()).toEqual([...conditions.keys()].toSorted());
  expect([...largeUpdates.keys()].toSorted()).toEqual([...changes.keys()].toSorted());
});

// the many patterns of regular expressions are charged by the time that they take
test.each(placesIn(largeCases, 4))('the steps of the expression %s, case %i', (name, at) => {
  const evaluate = compileExpression(valueOf(largeCases.get(name)?.[at]?.expression), context);
  expectFair(() => evaluate(doc));
});

describe('filters and updates', () => {
  const large = docOf(largeDocument);
  /** Negations look at all members, as those do that find nothing. */
  const negations: readonly string[] = ['$ne', '$nin', '$not'];
  const whole: ReadonlyMap<string, readonly { readonly filter: unknown }[]> = new Map(
    [...largeFilters].map(([name, cases]) => [name, cases.filter(({ finds }) => !finds || negations.includes(name))]),
  );

  test.each(placesIn(whole))('the steps of the filter %s, case %i', (name, at) => {
    const matcher = compileFilter(docOf(whole.get(name)?.[at]?.filter), { charge });
    expectFair(() => matcher.matches(large));
  });

  /** They replace a value by another one: what they do is proportional to the update and the document. */
  const plain: readonly string[] = ['$set 0', '$setOnInsert 0', '$unset 0', '$min 0', '$max 0'];
  const places = placesIn(largeUpdates).filter(([name, at]) => !plain.includes(`${name} ${at}`));

  test.each(places)('the steps of the update %s, case %i', (name, at) => {
    const { update, arrayFilters = [] } = largeUpdates.get(name)?.[at] ?? { update: {} };
    const compiled = compileUpdate(docOf(update), {
      arrayFilters: arrayFilters.map(docOf),
      charge,
      filter: compileFilter({}),
      now: new Date(0),
    });
    expectFair(() => compiled.apply(large, false));
  });
});
