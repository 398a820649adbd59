/** Values kept for equal requests: for which caller, how many, and which requests are recognised. */
import { describe, expect, test } from '@jest/globals';
import type { ModelContext } from '../../../src/context.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { PolicyCache, requestKey } from '../../../src/read/policy-cache.ts';

const policy = (): Policy => ({}) as Policy;

describe('kept values', () => {
  test('belong to one caller', () => {
    const kept = new PolicyCache<number>(10);
    const [one, other] = [policy(), policy()];
    kept.set(one, 'a', 1);
    expect([kept.get(one, 'a'), kept.get(other, 'a'), kept.get(one, 'b')]).toEqual([1, undefined, undefined]);
  });

  test('are limited: the oldest is dropped, and replacing one drops none', () => {
    const kept = new PolicyCache<number>(2);
    const one = policy();
    kept.set(one, 'a', 1);
    kept.set(one, 'b', 2);
    kept.set(one, 'b', 3);
    expect([kept.get(one, 'a'), kept.get(one, 'b')]).toEqual([1, 3]);
    kept.set(one, 'c', 4);
    expect([kept.get(one, 'a'), kept.get(one, 'b'), kept.get(one, 'c')]).toEqual([undefined, 3, 4]);
  });
});

test('the number of values for all callers is limited', () => {
  const kept = new PolicyCache<number>(2);
  const first = policy();
  kept.set(first, 'a', 1);
  for (let caller = 0; caller < 199; caller += 1) kept.set(policy(), 'a', caller);
  expect(kept.get(first, 'a')).toBe(1);
  const last = policy();
  kept.set(last, 'a', 2);
  expect([kept.get(first, 'a'), kept.get(last, 'a')]).toEqual([undefined, 2]);
});

describe('the text of a request', () => {
  const contextOf = (url: string, more: object = {}): ModelContext =>
    ({ url, restrictions: { hook: undefined }, ...more }) as unknown as ModelContext;

  test.each(['/api/book', '/api/book?filter[title]=a&sort=-price', '/api/book?filter%5Btitle%5D=a%20b'])('%s', (url) =>
    expect(requestKey(contextOf(url))).toBe(url),
  );

  test('contains the body', () =>
    expect(requestKey(contextOf('/query/book', { body: { query: {} } }))).toBe('/query/book {"query":{}}'));

  const unknown: [string, ModelContext][] = [
    ['a relative date', contextOf('/api/book?filter[at]=$gte:relative_date(-1)')],
    ['an encoded letter', contextOf('/api/book?filter[at]=%72elative_date(-1)')],
    ['a key in the address', contextOf('/api/book?apikey=secret')],
    ['a token in the address', contextOf('/api/book?limit=1&jwt=secret')],
    ['a long address', contextOf(`/api/book?filter[title]=${'a'.repeat(2000)}`)],
    ['the filter of a hook', contextOf('/api/book', { restrictions: { hook: { a: 1 } } })],
    [
      'a hook that may have changed it',
      contextOf('/api/book', { restrictions: { hook: undefined, afterHooks: true } }),
    ],
  ];
  test.each(unknown)('is not recognised with %s', (_name, context) => expect(requestKey(context)).toBeUndefined());
});
