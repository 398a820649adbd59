import { Double, MinKey } from 'bson';
import { compileSort, type Sort, SortBuffer } from '../src/sort/index.ts';
import { readCollation } from '../src/values/collation.ts';
import { show } from '../src/values/show.ts';
import type { Doc } from '../src/values/types.ts';

const sortDocs = (docs: readonly Doc[], sort: Sort): readonly Doc[] => docs.toSorted((a, b) => sort.compare(a, b));

export const sortCases: readonly (readonly [spec: Doc, docs: readonly Doc[]])[] = [
  [{ a: 1 }, [{ a: 1 }, { a: 2 }, { a: 10 }]],
  [{ a: -1 }, [{ a: 10 }, { a: 2 }, { a: 1 }]],
  [{ a: 1 }, [{ a: new MinKey() }, { a: [] }, {}, { a: 1 }, { a: 'x' }, { a: { b: 1 } }, { a: true }]],
  [{ a: 1 }, [{ a: null, n: 1 }, { n: 2 }, { a: null, n: 3 }]],
  [{ a: 1 }, [{ a: [5, 1] }, { a: 2 }, { a: [3, 9] }]],
  [{ a: -1 }, [{ a: [3, 9] }, { a: [5, 1] }, { a: 2 }]],
  [{ a: 1 }, [{ a: [[1]] }, { a: [[2]] }]],
  [{ a: 1 }, [{ a: [{ b: 2 }, 1] }, { a: 2 }]],
  [
    { a: 1, b: -1 },
    [
      { a: 1, b: 2 },
      { a: 1, b: 1 },
      { a: 2, b: 5 },
    ],
  ],
  [{ 'a.b': 1 }, [{ a: 5 }, { a: { b: 1 } }, { a: [{ b: 2 }, { b: 7 }] }, { a: { b: 3 } }]],
  [{ 'a.b': -1 }, [{ a: [{ b: 2 }, { b: 7 }] }, { a: { b: 3 } }, { a: [{ b: 1 }] }, { a: {} }]],
  [{ 'a.0': 1 }, [{ a: [1, 9] }, { a: [2, 0] }]],
  [
    { 'a.b': 1, 'a.c': 1 },
    [
      {
        a: [
          { b: 1, c: 9 },
          { b: 2, c: 0 },
        ],
      },
      { a: [{ b: 2, c: 1 }] },
    ],
  ],
  [{ a: 1 }, [{ a: NaN }, { a: -Infinity }, { a: 0 }]],
  [{ a: 1 }, [{ a: 'A' }, { a: 'a' }, { a: 'ä' }]],
  [{ a: 1 }, [{ a: false }, { a: true }, { a: new Date(0) }]],
  [{ a: 1 }, [{ a: 'a' }, { a: 'b' }, { a: '\uFFFD' }, { a: '😀' }]],
];

describe('sorts', () => {
  test.each(sortCases.map((row) => [show(row[0]), show([...row[1]]), row] as const))(
    '%s gives %s',
    (_spec, _docs, [spec, docs]) => {
      const sort = compileSort(spec);
      const ties = (list: readonly Doc[]): boolean =>
        list.some((doc, at) => at > 0 && sort.compare(list[at - 1] ?? {}, doc) === 0);
      expect(sortDocs(docs, sort)).toEqual(docs);
      if (!ties(docs)) expect(sortDocs(docs.toReversed(), sort)).toEqual(docs);
    },
  );

  test('a bounded sort returns the first documents of the full sort', async () => {
    // more than a buffer holds before it is truncated
    const docs = Array.from({ length: 2500 }, (_, n) => ({ n, a: (n * 7919) % 100, b: `x${(n * 31) % 7}` }));
    const bounds = { memoryBytes: 1e9, docOf: (doc: Doc) => doc, sizeOf: () => 1, pause: () => Promise.resolve() };
    for (const spec of [{ a: 1 }, { b: -1, a: 1 }, { a: -1 }]) {
      const sort = compileSort(spec);
      const sorted = sortDocs(docs, sort);
      for (const limit of [0, 1, 10, 2499, 2500, 5000]) {
        const buffer = new SortBuffer<Doc>(sort, { ...bounds, wanted: limit });
        for (const doc of docs) buffer.add(doc);
        expect(await buffer.take()).toEqual(sorted.slice(0, limit));
      }
    }
  });

  test('a collation determines the order of strings', () => {
    const sort = compileSort({ a: 1 }, readCollation({ locale: 'en', numericOrdering: true }));
    const docs = [{ a: 'a2' }, { a: 'A10' }, { a: 'b' }, { a: 'Z' }];
    expect(sortDocs(docs.toReversed(), sort)).toEqual(docs);
  });

  test('the text score sorts in descending order', () => {
    const sort = compileSort({ score: { $meta: 'textScore' }, a: 1 }, undefined, (doc) => Number(doc['n']));
    expect(
      sortDocs(
        [
          { n: 1, a: 1 },
          { n: 2, a: 2 },
          { n: 2, a: 1 },
        ],
        sort,
      ),
    ).toEqual([
      { n: 2, a: 1 },
      { n: 2, a: 2 },
      { n: 1, a: 1 },
    ]);
    expect(sort.fields).toEqual([{ path: 'a', direction: 1 }]);
    expect(() => compileSort({ score: { $meta: 'textScore' } })).toThrow(expect.objectContaining({ code: 40218 }));
  });

  test.each<readonly [spec: Doc, code: number]>([
    [{ a: 0 }, 15975],
    [{ a: 2 }, 15975],
    [{ a: 'asc' }, 15974],
    [{ a: true }, 15974],
    [{ a: { $meta: 'x' } }, 115],
    [{ a: { b: 1 } }, 17312],
    [{ $a: 1 }, 16410],
    [{ 'a.': 1 }, 40353],
    [{ '': 1 }, 40352],
  ])('%j is refused', (spec, code) => {
    expect(() => compileSort(spec)).toThrow(expect.objectContaining({ code }));
  });

  test('directions can be numbers of every type', () => {
    expect(compileSort({ a: new Double(-1), b: 1n }).fields).toEqual([
      { path: 'a', direction: -1 },
      { path: 'b', direction: 1 },
    ]);
  });

  test('two arrays cannot be combined', () => {
    const sort = compileSort({ a: 1, b: 1 });
    expect(() => sort.compare({ a: [1], b: [1] }, { a: 1, b: 1 })).toThrow(expect.objectContaining({ code: 2 }));
  });
});
