/** Ports: what is made for one, in the order of its providers, and what stands in where nothing is. */
import { describe, expect, test } from '@jest/globals';
import { firstProviderValue, makersFor, port, provide } from '../../src/ports/port.ts';

const needed = port<number, string | undefined>('title');
const optional = port<number, string | undefined>('subtitle', undefined);
const standard = port<number, string | undefined>('name', 'standard');
const other = port<number, string>('other');

const named = (of: typeof needed, ...values: readonly (string | undefined)[]) =>
  values.map((value) => ({
    provides: [provide(other, () => 'other'), provide(of, (at) => value && `${value} ${at}`)],
  }));

describe('the first that is made', () => {
  test.each<[what: string, of: typeof needed, values: readonly (string | undefined)[], found: string | undefined]>([
    ['of two', needed, ['a', 'b'], 'a 7'],
    ['after one that makes nothing', needed, [undefined, 'b'], 'b 7'],
    ['before the fallback', standard, [undefined, 'b'], 'b 7'],
    ['or the fallback', standard, [undefined], 'standard'],
    ['or the fallback, without providers', standard, [], 'standard'],
    ['or undefined, as a fallback', optional, [], undefined],
  ])('%s', (_, of, values, found) => {
    expect(firstProviderValue(named(of, ...values), of, 7)).toBe(found);
  });

  test.each([
    ['without providers', []],
    ['of providers that make nothing', named(needed, undefined)],
    ['of providers of other ports', named(standard, 'a')],
  ])('is missed by its name, %s', (_, providers) => {
    expect(() => firstProviderValue(providers, needed, 7)).toThrow('nothing provides the title');
  });
});

test('ports of one name are different', () => {
  const same = port<number, string | undefined>('title');
  expect(makersFor(named(needed, 'a'), same)).toEqual([]);
});
