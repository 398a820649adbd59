/** Copies of values as JSON carries them: they are what `JSON.parse(JSON.stringify(value))` is. */
import { describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { fromJson } from '../../../src/models/fields/values/exact-json.ts';
import { bodyCopy, jsonCopy } from '../../../src/models/fields/values/json-copy.ts';

const { Decimal128, Long, ObjectId } = mongoose.mongo;

class Point {
  constructor(
    readonly x: number,
    readonly toJSON?: () => unknown,
  ) {}
  get hidden(): number {
    return this.x;
  }
}

const inherited: object = Object.create({ above: 1 }, { own: { value: 2, enumerable: true }, unseen: { value: 3 } });
const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
const circle: Record<string, unknown> = {};
circle['self'] = { circle };

const values: Readonly<Record<string, unknown>> = {
  text: 'ä "quoted" \n',
  number: 1.5,
  'no number': [NaN, Infinity, -Infinity],
  'negative zero': { zero: -0 },
  'large numbers': [2 ** 53, -(2 ** 53), 2 ** 60, 2 ** 62 + 4096, 2 ** 63, -(2 ** 63), 1e20, 1e21, 1.7e308, 5e-324],
  'safe numbers': [2 ** 53 - 1, -(2 ** 53 - 1), 0.1 + 0.2, 1e15, 123456789012345.6],
  null: { a: null, b: [null] },
  'what JSON leaves out': { a: undefined, b: () => 1, c: Symbol('c'), d: [undefined, () => 1, Symbol('d')] },
  'a list with holes': [1, , 3], // eslint-disable-line no-sparse-arrays
  'a list with a name': Object.assign([1, 2], { more: 3 }),
  date: { date: new Date(1.7e12), broken: new Date(NaN) },
  id: { _id: new ObjectId('0123456789abcdef01234567') },
  'numbers of BSON': { decimal: Decimal128.fromString('1.10'), long: Long.fromString('9007199254740993') },
  bytes: { buffer: Buffer.from('ab'), array: new Uint8Array([1, 2]) },
  'map and set': { map: new Map([['a', 1]]), set: new Set([1]) },
  pattern: /a/g,
  error: new Error('failed'),
  'an instance': new Point(1),
  'an instance with toJSON': [new Point(2, () => ({ of: 'point' })), new Point(3, () => undefined)],
  'toJSON that gets its name': { a: { toJSON: (key: string) => `at ${key}` }, b: [{ toJSON: (key: string) => key }] },
  'a function with toJSON': { a: Object.assign(() => 1, { toJSON: () => 2 }) },
  'boxed values': [Object(1), Object('a'), Object(false)],
  inherited,
  'without a prototype': Object.assign(Object.create(null) as object, { a: 1 }),
  'frozen without a prototype': Object.freeze(Object.assign(Object.create(null) as object, { a: { b: 1 } })),
  'numbers as names': { 2: 'b', 1: 'a', name: 'c' },
  'a name of all objects': { toString: 2, hasOwnProperty: { valueOf: 1 } },
  'an accessor': Object.defineProperty({}, 'made', { enumerable: true, get: () => [1] }),
  '101 levels': nested(101),
};

describe('a copy', () => {
  test.each(Object.entries(values))('%s', (_name, value) => {
    const copy = jsonCopy(value).value;
    expect(copy).toStrictEqual(JSON.parse(JSON.stringify(value)));
    expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
    expect(JSON.stringify(bodyCopy(value).value)).toBe(JSON.stringify(fromJson(JSON.stringify(value))));
    expect(bodyCopy(value).value).toStrictEqual(fromJson(JSON.stringify(value)));
  });

  test('shares nothing', () => {
    const given = { a: [{ b: { c: 1 } }] };
    for (const { value } of [jsonCopy(given), bodyCopy(given)]) {
      const { a } = value as typeof given;
      expect([a === given.a, a[0] === given.a[0], a[0]?.b === given.a[0]?.b]).toEqual([false, false, false]);
    }
  });

  test('knows about how long its JSON is', () => {
    expect(jsonCopy({ text: 'x'.repeat(100_000) }).length).toBeGreaterThan(100_000);
    expect(bodyCopy(Array.from({ length: 20_000 }, () => 1)).length).toBeGreaterThan(64 * 1024);
  });

  test('of an answer may be deeper, and have halves of pairs and the name __proto__', () => {
    for (const value of [
      nested(150),
      ['\ud800'],
      JSON.parse('{"a":{"__proto__":{"b":1},"constructor":1}}') as unknown,
    ]) {
      const copy = jsonCopy(value).value;
      expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
    }
    expect(({} as { b?: unknown }).b).toBeUndefined();
  });
});

test.each<[string, unknown]>([
  ['102 levels', nested(102)],
  ['the name __proto__', { list: [JSON.parse('{"__proto__":{"admin":true}}')] }],
  ['half of a surrogate pair', { name: ['a', '\udc00'] }],
  ['half of a pair in a name', { ['\ud800']: 1 }],
])('a body with %s is refused as its JSON is', (_name, value) => {
  let expected: unknown;
  try {
    fromJson(JSON.stringify(value));
  } catch (error) {
    expected = error;
  }
  expect(expected).toMatchObject({ status: 400 });
  expect(() => bodyCopy(value)).toThrow(expected);
});

test.each<[string, unknown]>([
  ['a circle', circle],
  ['a bigint', { big: 1n }],
])('%s is no JSON', (_name, value) => {
  expect(() => jsonCopy(value)).toThrow(TypeError);
  expect(() => bodyCopy(value)).toThrow(TypeError);
});
