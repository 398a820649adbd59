/** Regular expressions count as work: each of their features, in filters, expressions and updates. */
import { compileExpression, Meter } from '../src/aggregate/index.ts';
import { compileFilter } from '../src/query/index.ts';
import { compileUpdate } from '../src/update/index.ts';
import type { Doc } from '../src/values/types.ts';
import { context } from './aggregate/context.ts';

/** Counts all steps. */
class CountingMeter extends Meter {
  total = 0;

  override charge(steps: number): void {
    this.total += steps;
  }
}

/** Steps of the work that a function does with a meter. */
function stepsOf(work: (meter: Meter) => unknown): number {
  const meter = new CountingMeter(
    () => 0,
    () => undefined,
  );
  work(meter);
  return meter.total;
}

const count = 20_000;
const long: Doc = { text: 'ab'.repeat(count) };
const findAll = (regex: string): ((meter: Meter) => unknown) => {
  const find = { $size: { $regexFindAll: { input: '$text', regex } } };
  return (meter) => compileExpression(find, { ...context, meter })(long);
};

/** Each finds `count` matches or more. */
const patterns = ['a(?=b)', '(?=a)', '(?<=a)b', '(?!a)', '(?<!a)b?', 'a(?!a)', '(a)(b)', '(?>a)', '\\bb|a', 'a', ''];

test.each(patterns)('each match of %j is counted', (regex) => {
  expect(stepsOf(findAll(regex))).toBeGreaterThan(count * 10);
});

test('300,000 matches of a look-ahead are refused before they are all found', () => {
  let clock = 0;
  const meter = new Meter(
    () => 0,
    () => {
      clock += 1;
    },
  );
  const find = { $size: { $regexFindAll: { input: '$text', regex: 'a(?=a)|a' } } };
  const evaluate = compileExpression(find, { ...context, meter });
  expect(() => evaluate({ text: 'a'.repeat(300_000) })).toThrow(expect.objectContaining({ code: 146 }));
  expect(clock).toBeGreaterThan(1);
});

/** Strings that are short for the engines, and many of them in one document. */
const texts: Doc = { texts: Array.from({ length: 1000 }, (_, n) => `${'a'.repeat(100)}${n}`) };
const slow = ['a*a*[bc]', '(a|aa)+[bc]', '(?=a*[bc])[bc]', '(?i)A*A*[BC]', 'a*a*(?<!c)[bd]', '(a*)*[bc]'];

test.each(slow)('%j is counted in filters and updates, though each string is short', (pattern) => {
  const filter = stepsOf((meter) =>
    compileFilter({ texts: { $regex: pattern } }, { charge: (steps) => meter.charge(steps) }).matches(texts),
  );
  const update = stepsOf((meter) =>
    compileUpdate(
      { $pull: { texts: { $regex: pattern } } },
      { charge: (steps) => meter.charge(steps), filter: compileFilter({}), now: new Date(0) },
    ).apply(texts, false),
  );
  expect(filter).toBeGreaterThan(1000);
  expect(update).toBeGreaterThan(1000);
});
