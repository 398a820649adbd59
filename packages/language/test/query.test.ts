import { fieldsOfFilter } from '../src/aggregate/index.ts';
import { compileFilter, textQueryOf } from '../src/query/index.ts';
import { readCollation } from '../src/values/collation.ts';
import { FieldsDecoder } from '../src/values/decode.ts';
import { encode } from '../src/values/encode.ts';
import { truthy } from '../src/values/number.ts';
import { get } from '../src/values/path.ts';
import { show } from '../src/values/show.ts';
import { badQueries, positions, queryCases } from './query-cases.ts';

describe('filters', () => {
  test.each(queryCases.map((row) => [show(row[0]), show(row[1]), row] as const))('%s on %s', (_filter, _doc, row) => {
    const matcher = compileFilter(row[0]);
    expect(matcher.matches(row[1])).toBe(row[2]);
    if (!row[2]) expect(matcher.matchPosition(row[1])).toBeUndefined();
    const names = fieldsOfFilter(row[0]);
    if (names !== undefined) expect(matcher.matches(new FieldsDecoder(names).decode(encode(row[1])).doc)).toBe(row[2]);
  });

  test.each(badQueries.map((row) => [show(row[0]), row] as const))('%s is refused', (_filter, [filter, code]) => {
    expect(() => compileFilter(filter)).toThrow(expect.objectContaining({ code }));
  });

  test.each(positions.map((row) => [show(row[0]), show(row[1]), row] as const))(
    'the position of %s in %s',
    (_f, _d, row) => {
      expect(compileFilter(row[0]).matchPosition(row[1])).toBe(row[2]);
    },
  );

  test('a condition on __proto__ reads the field with that name', () => {
    const doc = Object.defineProperty({}, '__proto__', { value: 5, enumerable: true });
    const filter = Object.defineProperty({}, '__proto__', { value: 5, enumerable: true });
    expect(compileFilter(filter).matches(doc)).toBe(true);
    expect(compileFilter(filter).matches({})).toBe(false);
  });

  test('$expr uses the given compiler', () => {
    const matcher = compileFilter({ $expr: 'a' }, { expr: (path) => (doc) => get(doc, String(path)) });
    expect([{ a: 1 }, { a: 0 }, { a: null }, {}, { a: [] }].map((doc) => matcher.matches(doc))).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
    expect(truthy(0n)).toBe(false);
  });

  test('a collation determines equality of strings', () => {
    const collation = readCollation({ locale: 'en', strength: 2 });
    const matches = (filter: Parameters<typeof compileFilter>[0], a: string): boolean =>
      compileFilter(filter, { collation }).matches({ a });
    expect(matches({ a: 'ABC' }, 'abc')).toBe(true);
    expect(matches({ a: 'abc' }, 'äbc')).toBe(false);
    expect(matches({ a: { $in: ['ABC'] } }, 'abc')).toBe(true);
    expect(matches({ a: { $gt: 'B' } }, 'a')).toBe(false);
    expect(matches({ a: { $ne: 'ABC' } }, 'abc')).toBe(false);
    expect(readCollation({ locale: 'simple' })).toBeUndefined();
    expect(() => readCollation({ locale: 'nowhere' })).toThrow(expect.objectContaining({ code: 2 }));
    expect(() => readCollation({ locale: 'en', strength: 5 })).toThrow(expect.objectContaining({ code: 115 }));
    expect(() => readCollation({ locale: 'en', shape: 1 })).toThrow(expect.objectContaining({ code: 40415 }));
  });
});

describe('the $text of a filter', () => {
  test('is found at the top level and in $and', () => {
    const wanted = { search: 'x', language: undefined, caseSensitive: false, diacriticSensitive: false };
    expect(textQueryOf({ $text: { $search: 'x' } })).toEqual(wanted);
    expect(textQueryOf({ a: 1, $and: [{ $text: { $search: 'x' } }] })).toEqual(wanted);
    expect(textQueryOf({ a: 1 })).toBeUndefined();
  });

  test.each([
    [{ $or: [{ $text: { $search: 'x' } }] }, 115],
    [{ $text: { $search: 1 } }, 14],
    [{ $text: { $search: 'x', $foo: 1 } }, 2],
    [{ $text: 1 }, 2],
    [{ $text: { $search: 'x', $caseSensitive: 1 } }, 14],
  ])('%j is refused', (filter, code) => {
    expect(() => textQueryOf(filter)).toThrow(expect.objectContaining({ code }));
  });
});
