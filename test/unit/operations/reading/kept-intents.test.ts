/** Intents that are kept for equal requests: which requests are recognised, and for whom. */
import { describe, expect, test } from '@jest/globals';
import type { Context } from '../../../../src/context.ts';
import { IntentCache, PolicyCache } from '../../../../src/operations/reading/kept-intents.ts';
import type { Policy } from '../../../../src/policy/policy.ts';

interface Sent {
  readonly text: string;
  readonly policy?: Policy;
  readonly query?: object;
  readonly restrictions?: object;
  readonly isConstant?: boolean;
}

/** How many intents are made of two requests. */
function made(first: Sent, second: Sent): number {
  const kept = new IntentCache<{ readonly isConstant: boolean }>(({ url }) => url);
  let count = 0;
  for (const { text, policy = ann, query = Object.freeze({}), restrictions = {}, isConstant = true } of [first, second])
    kept.of({ url: text, query, restrictions } as unknown as Context, policy, () => ({ isConstant, number: ++count }));
  return count;
}

const [ann, bob] = [{}, {}] as [Policy, Policy];
const text = '/api/book?sort=title';

test('an equal request of the same caller has the intent of before', () => expect(made({ text }, { text })).toBe(1));

describe('a request has an intent of its own', () => {
  const rows: [string, Sent, Sent][] = [
    ['with another text', { text }, { text: '/api/book?sort=price' }],
    ['of another caller', { text }, { text, policy: bob }],
    ['with parameters that a hook may have changed', { text, query: {} }, { text, query: {} }],
    ['with the filter of a hook', { text }, { text, restrictions: { hook: { price: 1 } } }],
    ['after hooks, which may have changed the body', { text }, { text, restrictions: { afterHooks: true } }],
    ['that depends on the time', { text, isConstant: false }, { text, isConstant: false }],
    ['that is long', { text: 'a'.repeat(4001) }, { text: 'a'.repeat(4001) }],
  ];
  test.each(rows)('%s', (_what, first, second) => expect(made(first, second)).toBe(2));
});

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
