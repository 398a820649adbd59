/** The order of rows: where it is certain it is MongoDB's, and elsewhere it is unknown. */
import { expect, test } from '@jest/globals';
import { orderOf } from '../../packages/client/src/live/order.ts';
import { type Window, without, withRow } from '../../packages/client/src/live/window.ts';

const byValue = orderOf('v');
const signOf = (one: unknown, other: unknown): number | undefined => {
  const sign = byValue({ _id: 1, v: one }, { _id: 1, v: other });
  return sign === undefined ? undefined : Math.sign(sign);
};

test.each([
  [1, 2],
  [-5, 3.5],
  [false, true],
  [null, 0],
  [undefined, 'a'],
  [null, false],
  ['Alien', 'Heat'],
  ['2001: A Space Odyssey', 'Alien'],
  ['', 'a'],
  ['a', 'ab'],
  ['2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.001Z'],
  ['65a000000000000000000001', '65a00000000000000000000a'],
])('%j comes before %j', (one, other) => {
  expect(signOf(one, other)).toBe(-1);
  expect(signOf(other, one)).toBe(1);
});

test.each([
  ['decimals, which are text in JSON', '9.5', '10.5'],
  ['decimals below zero', '-5', '-3'],
  ['text that a collation may order in another way', 'Banana', 'apple'],
  ['text that differs in case only', 'a', 'A'],
  ['text that a collation may compare as numbers', 'a10', 'a9'],
  ['an accent', 'Ä', 'Z'],
  ['lists', [1], [2]],
  ['a list and a value', [1], 2],
  ['documents', { a: 1 }, { a: 2 }],
  ['values of two types', 1, 'a'],
  ['a date and a text', '2020-01-01T00:00:00.000Z', 'a'],
  ['an id and a text', '65a000000000000000000001', 'a'],
])('the order of %s is unknown', (_, one, other) => {
  expect(signOf(one, other)).toBeUndefined();
  expect(signOf(other, one)).toBeUndefined();
});

test('null and missing are equal, and equal values are ordered by the next key and by the id', () => {
  expect(signOf(null, undefined)).toBe(0);
  const order = orderOf(['-year', 'inner.title']);
  expect(order({ year: 2 }, { year: 1 })).toBe(-1);
  expect(order({ year: 1, inner: { title: 'b' } }, { year: 1, inner: { title: 'a' } })).toBe(1);
  expect(order({ _id: 'a', year: 1 }, { _id: 'b', year: 1 })).toBe(-1);
  expect(orderOf({ year: 'desc' })({ year: 2 }, { year: 1 })).toBe(-1);
  expect(orderOf('-_id')({ _id: 1 }, { _id: 2 })).toBe(1);
  expect(orderOf(undefined)({ _id: 1 }, { _id: 2 })).toBe(-1);
});

test('names that objects inherit are no values', () => {
  const order = orderOf('constructor.name');
  expect(order({ _id: 1 }, { _id: 2 })).toBe(-1);
  expect(orderOf('__proto__')({ _id: 1 }, { _id: 2 })).toBe(-1);
});

const windowOf = (values: readonly number[], { limit = 3, isWhole = false } = {}): Window => ({
  rows: values.map((v) => ({ _id: v, v })),
  limit,
  isWhole,
});
const valuesIn = ({ rows }: Window) => rows.map((row) => (row as { readonly v: number }).v);

test.each([
  ['enters a full window, whose last row leaves', [1, 3, 5], 2, [1, 2, 3], true],
  ['is behind a full window', [1, 3, 5], 6, [1, 3, 5], true],
  ['is behind a window that has lost a row', [1, 3], 6, [1, 3], false],
  ['enters a window that has lost a row', [1, 5], 3, [1, 3, 5], true],
])('a row that %s', (_, before, v, after, isCertain) => {
  const changed = withRow(windowOf(before), { _id: v, v }, byValue);
  expect([valuesIn(changed.window), changed.isCertain]).toEqual([after, isCertain]);
});

test('a whole list takes any row, until it is longer than its limit', () => {
  const first = withRow(windowOf([1, 3], { isWhole: true }), { _id: 5, v: 5 }, byValue);
  expect([valuesIn(first.window), first.window.isWhole, first.isCertain]).toEqual([[1, 3, 5], true, true]);
  const second = withRow(first.window, { _id: 6, v: 6 }, byValue);
  expect([valuesIn(second.window), second.window.isWhole, second.isCertain]).toEqual([[1, 3, 5], false, true]);
});

test('a row that moves to the end of a full window may be behind others that are not shown', () => {
  const changed = withRow(windowOf([1, 3, 5]), { _id: 3, v: 9 }, byValue);
  expect([valuesIn(changed.window), changed.isCertain]).toEqual([[1, 5, 9], false]);
  const same = withRow(windowOf([1, 3, 5]), { _id: 5, v: 5, more: true }, byValue);
  expect([valuesIn(same.window), same.isCertain]).toEqual([[1, 3, 5], true]);
});

test('an event that repeats what is shown changes nothing, and one with another value does', () => {
  const window = windowOf([1, 3, 5]);
  expect(withRow(window, { _id: 3, v: 3 }, byValue)).toEqual({ window, isCertain: true });
  expect(withRow(window, { _id: 3, v: 3 }, byValue).window).toBe(window);
  expect(withRow(window, { _id: 3, v: 3, more: 1 }, byValue).window.rows[1]).toEqual({ _id: 3, v: 3, more: 1 });
});

test('a place that a row leaves is to be filled, unless the list is whole', () => {
  expect(without(windowOf([1, 3, 5]), 3)).toMatchObject({ isCertain: false });
  expect(without(windowOf([1, 3], { isWhole: true }), 3)).toMatchObject({ isCertain: true });
  expect(without(windowOf([1, 3, 5]), 4)).toMatchObject({ isCertain: true });
});

test('rows that have another order than the values say are read again', () => {
  expect(withRow(windowOf([5, 1, 3]), { _id: 2, v: 2 }, byValue).isCertain).toBe(false);
});
