import { expect, test } from '@jest/globals';
import { Paths } from '../../../src/http/paths.ts';

const paths = new Paths([
  ['/', 'home'],
  ['/api/:model', 'list'],
  ['/api/:model/:id', 'one'],
  ['/model/:name/rights', 'rights'],
] as const);

test.each([
  ['/', 'home', {}],
  ['/api/book', 'list', { model: 'book' }],
  ['/API/Book/', 'list', { model: 'Book' }],
  ['/api/a%20b/%C3%A9', 'one', { model: 'a b', id: 'é' }],
  ['/model/book/RIGHTS', 'rights', { name: 'book' }],
])('%s is found', (path, value, params) => {
  expect(paths.find(path)).toEqual({ value, params });
});

test.each([['/api'], ['/api//'], ['/api//x'], ['/api/book/1/2'], ['/model/book/right'], ['/%61pi/book'], ['']])(
  '%j is not found',
  (path) => {
    expect(paths.find(path)).toBeUndefined();
  },
);

test('a part that is not percent-encoded correctly is an error', () => {
  expect(() => paths.find('/api/%zz')).toThrow(URIError);
});

test('a path must begin with a name', () => {
  expect(() => new Paths([['/:model', 1]])).toThrow('/:model must begin with a name');
});
