/** The documents that were opened last, as the browser keeps them. */
import { expect, test } from '@jest/globals';
import { maxRecent, readRecent, withRecent } from '../src/home/recent-list.ts';

test.each([
  [null, []],
  ['', []],
  ['{', []],
  ['{"model":"book","id":"1"}', []],
  ['[null, 3, {"model":"book"}, {"id":"1"}, {"model":"book","id":{}}]', []],
  ['[{"model":"book","id":7}]', [{ model: 'book', id: 7 }]],
])('%j is read as %j', (text, recent) => {
  expect(readRecent(text)).toEqual(recent);
});

test('the last one comes first, once, and the number is limited', () => {
  const all = Array.from({ length: maxRecent }, (_, id) => ({ model: 'book', id }));
  expect(withRecent(all, { model: 'book', id: 3 }).map(({ id }) => id)).toEqual([3, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(withRecent(all, { model: 'author', id: 3 })).toHaveLength(maxRecent);
});
