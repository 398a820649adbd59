import { Binary, BSONRegExp, BSONSymbol, Code, Decimal128, Double, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { add, multiply, type NumberValue } from '../src/values/arithmetic.ts';
import { compare, equal, keyOf } from '../src/values/order.ts';
import { get, valuesAt } from '../src/values/path.ts';
import { show } from '../src/values/show.ts';
import type { Doc, Value } from '../src/values/types.ts';

const decimal = (text: string): Decimal128 => Decimal128.fromString(text);

/** Groups of equal values, in ascending order. */
const groups: readonly (readonly Value[])[] = [
  [new MinKey()],
  [undefined, null],
  [NaN, decimal('NaN')],
  [-Infinity, decimal('-Infinity')],
  [decimal('-1E400')],
  [-Number.MAX_VALUE],
  [-9223372036854775808n, -9223372036854775808, decimal('-9223372036854775808')],
  [-1, -1n, new Double(-1), decimal('-1'), decimal('-1.000')],
  [decimal('-1E-400')],
  [0, -0, 0n, new Double(0), decimal('0'), decimal('-0'), decimal('0E10')],
  [5e-324],
  [decimal('0.1')],
  [0.1],
  [0.5, decimal('0.5'), decimal('5E-1')],
  [1, 1n, decimal('1')],
  [9007199254740992, 9007199254740992n],
  [9007199254740993n, decimal('9007199254740993')],
  [1e21, decimal('1E21'), decimal('1000E18')],
  [Number.MAX_VALUE],
  [decimal('1E400'), decimal('10E399')],
  [Infinity, decimal('Infinity')],
  ['', new BSONSymbol('')],
  ['A'],
  ['a', new BSONSymbol('a')],
  ['aa'],
  ['b'],
  ['é'],
  ['\uFFFD'],
  ['😀'],
  [{}],
  [{ a: 1 }, { a: new Double(1) }, { a: 1, b: undefined }],
  [{ a: 1, b: 1 }],
  [{ a: 2 }],
  [{ b: 1 }],
  [{ b: 1, a: 1 }],
  [{ a: 'x' }],
  [[]],
  [[null]],
  [[1]],
  [
    [1, 2],
    [1n, 2],
  ],
  [[2]],
  [['a']],
  [[[]]],
  [new Binary(Buffer.from(''))],
  [new Binary(Buffer.from('a'))],
  [new Binary(Buffer.from('b'))],
  [new Binary(Buffer.from('a'), 5)],
  [new Binary(Buffer.from('aa'))],
  [new ObjectId('000000000000000000000000')],
  [new ObjectId('65a1b2c3d4e5f60718293a4b'), new ObjectId('65a1b2c3d4e5f60718293a4b')],
  [false],
  [true],
  [new Date(-1)],
  [new Date(0)],
  [new Timestamp({ t: 1, i: 1 })],
  [new Timestamp({ t: 4_000_000_000, i: 1 })],
  [new BSONRegExp('a')],
  [new BSONRegExp('a', 'i')],
  [new BSONRegExp('b')],
  [new Code('a')],
  [new Code('a', { a: 1 })],
  [new MaxKey()],
];

const all = groups.flatMap((group, place) => group.map((value) => ({ value, place })));

describe('order of values', () => {
  test.each(all.map((one) => [show(one.value), one] as const))('%s against all others', (_shown, one) => {
    for (const other of all) {
      expect(Math.sign(compare(one.value, other.value))).toBe(Math.sign(one.place - other.place));
      expect(equal(one.value, other.value)).toBe(one.place === other.place);
      expect(keyOf(one.value) === keyOf(other.value)).toBe(one.place === other.place);
    }
  });

  test('keys of lists are unambiguous', () => {
    const lists: readonly Value[] = [
      ['a', 'b'],
      ['a,b'],
      [['a'], 'b'],
      ['sa', 'b'],
      [['a', 'b']],
      ['ab', ''],
      { a: 'b' },
      { ab: '' },
    ];
    expect(new Set(lists.map(keyOf)).size).toBe(lists.length);
  });
});

describe('paths', () => {
  const doc: Doc = { a: { b: [1, [2, 3], { c: 4 }] }, d: [{ e: 1 }, { e: [2, 3] }, 5], f: [] };
  test.each<readonly [path: string, one: Value, all: readonly Value[]]>([
    ['a.b', [1, [2, 3], { c: 4 }], [1, [2, 3], { c: 4 }]],
    ['a.b.0', 1, [1]],
    ['a.b.1', [2, 3], [2, 3]],
    ['a.b.2.c', 4, [4]],
    ['a.b.c', undefined, [4]],
    ['d.e', undefined, [1, 2, 3]],
    ['d.1.e', [2, 3], [2, 3]],
    ['d.2', 5, [5]],
    ['d.00', undefined, []],
    ['f', [], []],
    ['x.y', undefined, []],
    ['constructor', undefined, []],
    ['a.__proto__', undefined, []],
    ['d.length', undefined, []],
  ])('%s', (path, one, several) => {
    expect(get(doc, path)).toEqual(one);
    expect(valuesAt(doc, path)).toEqual(several);
  });
});

describe('arithmetic', () => {
  const largest = 9223372036854775807n;
  test.each<readonly [a: NumberValue, b: NumberValue, sum: Value, product: Value]>([
    [1, 2, 3, 2],
    [2147483647, 1, 2147483648n, 2147483647],
    [1, 2n, 3n, 2n],
    [1, 0.5, 1.5, 0.5],
    [1, new Double(2), new Double(3), new Double(2)],
    [largest, 1n, undefined, largest],
    [largest, 2, undefined, undefined],
    [2 ** 40, 1, 2 ** 40 + 1, 2 ** 40],
    [decimal('0.1'), decimal('0.2'), decimal('0.3'), decimal('0.02')],
    [decimal('1.10'), 2, decimal('3.10'), decimal('2.20')],
    [decimal('1'), 0.1, decimal('1.100000000000000'), decimal('0.100000000000000')],
    [
      decimal('9999999999999999999999999999999999'),
      decimal('1'),
      decimal('1.000000000000000000000000000000000E34'),
      decimal('9999999999999999999999999999999999'),
    ],
    [decimal('1E6144'), decimal('9E6144'), decimal('Infinity'), decimal('Infinity')],
    [decimal('1E-6176'), decimal('0.1'), decimal('0.1000000000000000000000000000000000'), decimal('0E-6176')],
    [decimal('NaN'), 1, decimal('NaN'), decimal('NaN')],
    [decimal('Infinity'), decimal('-Infinity'), decimal('NaN'), decimal('-Infinity')],
    [NaN, 1, NaN, NaN],
  ])('%s and %s', (a, b, sum, product) => {
    expect(show(add(a, b))).toBe(show(sum));
    expect(show(multiply(a, b))).toBe(show(product));
  });
});
