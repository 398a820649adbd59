/** The work of schemas on large values is metered, for each keyword that visits their parts. */
import { describe, expect, test } from '@jest/globals';
import { compileFilter } from '../src/query/index.ts';
import type { Doc, Value } from '../src/values/types.ts';

const count = 10_000;
const numbers = Array.from({ length: count }, (_, n) => n);
const fields: Doc = Object.fromEntries(numbers.map((n) => [`n${n}`, n]));
const text = 'z'.repeat(count * 64);

/** The steps of matching a value of `a`. */
function stepsOf(schema: Doc, a: Value): number {
  let steps = 0;
  const charge = (more: number): void => {
    steps += more;
  };
  compileFilter({ $jsonSchema: { properties: { a: schema } } }, { charge }).matches({ a });
  return steps;
}

const cases: readonly (readonly [keyword: string, schema: Doc, value: Value])[] = [
  ['items', { items: {} }, numbers],
  ['items of each place', { items: numbers.map(() => ({})) }, numbers],
  ['additionalItems', { items: [{}], additionalItems: {} }, numbers],
  ['uniqueItems', { uniqueItems: true }, numbers],
  ['enum', { enum: [[1]] }, text],
  ['patternProperties', { patternProperties: { x: {} } }, fields],
  ['additionalProperties', { additionalProperties: { bsonType: 'int' } }, fields],
  ['properties', { properties: Object.fromEntries(numbers.map((n) => [`n${n}`, {}])) }, fields],
  ['maxLength', { maxLength: 1 }, text],
  ['pattern', { pattern: '^(x+x+)+y' }, text],
  ['anyOf', { anyOf: numbers.map(() => ({ bsonType: 'string' })) }, 1],
];

describe('a schema', () => {
  test.each(cases)('meters %s', (_keyword, schema, value) => {
    expect(stepsOf(schema, value)).toBeGreaterThanOrEqual(count / 32);
  });

  test('with alternatives for each member of an array costs their product', () => {
    const alternatives = Array.from({ length: 50 }, () => ({ bsonType: 'string' }));
    expect(stepsOf({ items: { anyOf: alternatives } }, numbers.slice(0, 1000))).toBeLessThan(1000);
    const one = stepsOf({ items: { not: { anyOf: alternatives } } }, numbers.slice(0, 100));
    const ten = stepsOf({ items: { not: { anyOf: alternatives } } }, numbers.slice(0, 1000));
    expect(one).toBeGreaterThan(100 * alternatives.length);
    expect(ten / one).toBeCloseTo(10, 0);
  });
});
