/** Differences between two images of a document: applied to the first one, they give the second. */
import { describe, expect, test } from '@jest/globals';
import type { Row } from '../../../src/models/mongoose.ts';
import { changesBetween, withChanges } from '../../../src/write/mutation/row-changes.ts';

const many = (value: (at: number) => unknown): Row =>
  Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, value(at)]));

const cases: readonly (readonly [what: string, before: Row, after: Row])[] = [
  ['fields are set, added and removed', { a: 1, b: 2 }, { a: 3, c: { d: null } }],
  ['parts are set, added and removed', { a: { b: { c: 1, d: 2 } } }, { a: { b: { c: 3, e: [] } } }],
  ['members of a list are changed', { list: [{ a: 1, b: [1, 2] }, 2] }, { list: [{ a: 2, b: [1, 3] }, 5] }],
  ['a list becomes longer', { list: [1, 2] }, { list: [0, 1, 2] }],
  ['an object becomes a list, and a list an object', { a: { b: 1 }, c: [1] }, { a: [1], c: { b: 1 } }],
  ['names that are no parts of paths', { a: { 'b.c': 1, '': 2 } }, { a: { 'b.c': 2, '': 2 } }],
  ['the whole document has such a name', { 'a.b': 1 }, { 'a.b': 2, c: 1 }],
  ['many values', { meta: many((at) => at) }, { meta: many((at) => at + 1) }],
  ['many objects', { meta: many((at) => ({ at, more: [at] })) }, { meta: many((at) => ({ at, more: [at + 1] })) }],
];

describe('an image with its changes', () => {
  test.each(cases)('%s', (_, before, after) => {
    const first = structuredClone(before);
    expect(withChanges(before, changesBetween(before, after))).toEqual(after);
    expect(before).toEqual(first);
  });

  test('shares what does not change', () => {
    const before = { same: { a: 1 }, other: { inner: { b: 1 }, changed: 1 } };
    const after = withChanges(before, [{ path: 'other.changed', to: 2 }]);
    expect(after['same']).toBe(before.same);
    expect((after['other'] as Row)['inner']).toBe(before.other.inner);
  });

  test('shares nothing that it changes with what changes set', () => {
    const value = { a: 1 };
    const changes = [
      { path: 'x', to: value },
      { path: 'x.b', to: 2 },
    ];
    expect(withChanges({}, changes)).toEqual({ x: { a: 1, b: 2 } });
    expect(value).toEqual({ a: 1 });
  });

  test('reads each name of an object once, however many of its values change', () => {
    const before = many((at) => at);
    let read = 0;
    const watched = new Proxy(before, {
      get: (target, name, receiver) => ((read += 1), Reflect.get(target, name, receiver) as unknown),
    });
    const changes = Object.keys(before).map((name) => ({ path: `meta.${name}`, to: 0 }));
    expect(withChanges({ meta: watched }, changes)).toEqual({ meta: many(() => 0) });
    expect(read).toBeLessThan(2 * Object.keys(before).length);
  });
});
