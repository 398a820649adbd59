/** The parameters of reads, which are kept by their URL. */
import { expect, test } from '@jest/globals';
import { parametersOf, parametersOfRead } from '../../../src/http/query-string.ts';

const list = '/api/book?filter[title]=a&filter[price][$gte]=3&sort=-price&populate[]=author&populate[]=tag';

test('the parameters of a repeated read are parsed once, and cannot be changed', () => {
  const tree = parametersOfRead(list);
  expect(tree).toEqual(parametersOf(list));
  expect(parametersOfRead(list)).toBe(tree);
  for (const value of [tree, tree['filter'], tree['populate']]) expect(Object.isFrozen(value)).toBe(true);
});

test.each([
  ['an API key', `${list}&apikey=secret`],
  ['an API key in other letters', `${list}&ApiKey=secret`],
  ['a JWT', `${list}&jwt=secret`],
  ['an encoded name', `${list}&api%6bey=secret`],
  ['a long text', `${list}&filter[body]=${'x'.repeat(500)}`],
])('those with %s are not kept', (_what, url) => {
  const tree = parametersOfRead(url);
  expect(tree).toEqual(parametersOf(url));
  expect(parametersOfRead(url)).not.toBe(tree);
});

test('those of more URLs than are kept are right, too', () => {
  for (let page = 0; page < 2500; page++) expect(parametersOfRead(`/api/book?page=${page}`)['page']).toBe(String(page));
});
