/** Results of projections, one row per case. */
import type { Doc } from '../src/values/types.ts';

/** A projection, a document, the result (or the code of an error), and the query for the positional `$`. */
export type ProjectionCase = readonly [projection: Doc, doc: Doc, result: Doc | number, filter?: Doc];

const doc: Doc = { _id: 1, a: 1, b: { c: 2, d: 3 }, e: [{ f: 1, g: 2 }, { f: 3 }, 7, [{ f: 4 }]] };

export const projectionCases: readonly ProjectionCase[] = [
  [{}, doc, doc],
  [{ a: 1 }, doc, { _id: 1, a: 1 }],
  [{ a: true }, doc, { _id: 1, a: 1 }],
  [{ a: 2.5 }, doc, { _id: 1, a: 1 }],
  [{ a: 1n }, doc, { _id: 1, a: 1 }],
  [{ a: 1, _id: 0 }, doc, { a: 1 }],
  [{ _id: 1 }, doc, { _id: 1 }],
  [{ _id: 0 }, { _id: 1, a: 1 }, { a: 1 }],
  [{ x: 1 }, doc, { _id: 1 }],
  [{ b: 1, a: 1 }, doc, { _id: 1, a: 1, b: { c: 2, d: 3 } }],
  [{ 'b.c': 1 }, doc, { _id: 1, b: { c: 2 } }],
  [{ b: { c: 1 } }, doc, { _id: 1, b: { c: 2 } }],
  [{ 'a.x': 1 }, doc, { _id: 1 }],
  [{ 'b.x': 1 }, doc, { _id: 1, b: {} }],
  [{ 'e.f': 1 }, doc, { _id: 1, e: [{ f: 1 }, { f: 3 }, [{ f: 4 }]] }],
  [{ 'e.0': 1 }, doc, { _id: 1, e: [{}, {}, [{}]] }],
  [{ a: 0 }, { _id: 1, a: 1, b: 2 }, { _id: 1, b: 2 }],
  [{ a: false }, { _id: 1, a: 1, b: 2 }, { _id: 1, b: 2 }],
  [{ 'b.c': 0 }, doc, { _id: 1, a: 1, b: { d: 3 }, e: [{ f: 1, g: 2 }, { f: 3 }, 7, [{ f: 4 }]] }],
  [{ 'e.f': 0, b: 0 }, doc, { _id: 1, a: 1, e: [{ g: 2 }, {}, 7, [{}]] }],
  [{ 'a.x': 0 }, { _id: 1, a: 1 }, { _id: 1, a: 1 }],
  [{ a: 0, _id: 0 }, { _id: 1, a: 1, b: 2 }, { b: 2 }],
  [{ _id: 0, a: 0 }, { _id: 1, a: 1, b: 2 }, { b: 2 }],
  [
    { _id: 1, a: 0 },
    { _id: 1, a: 1, b: 2 },
    { _id: 1, b: 2 },
  ],
  // $slice
  [{ a: { $slice: 2 } }, { _id: 1, a: [1, 2, 3], b: 1 }, { _id: 1, a: [1, 2], b: 1 }],
  [{ a: { $slice: -2 } }, { _id: 1, a: [1, 2, 3] }, { _id: 1, a: [2, 3] }],
  [{ a: { $slice: [1, 1] } }, { _id: 1, a: [1, 2, 3] }, { _id: 1, a: [2] }],
  [{ a: { $slice: [-2, 1] } }, { _id: 1, a: [1, 2, 3] }, { _id: 1, a: [2] }],
  [{ a: { $slice: [-9, 2] } }, { _id: 1, a: [1, 2, 3] }, { _id: 1, a: [1, 2] }],
  [{ a: { $slice: 0 } }, { _id: 1, a: [1, 2, 3] }, { _id: 1, a: [] }],
  [{ a: { $slice: 2 } }, { _id: 1, a: 5 }, { _id: 1, a: 5 }],
  [
    { a: { $slice: 1 }, b: 1 },
    { _id: 1, a: [1, 2], b: 1, c: 1 },
    { _id: 1, a: [1], b: 1 },
  ],
  [
    { a: { $slice: 1 }, b: 0 },
    { _id: 1, a: [1, 2], b: 1, c: 1 },
    { _id: 1, a: [1], c: 1 },
  ],
  [{ 'a.b': { $slice: 1 } }, { _id: 1, a: { b: [1, 2], c: 1 } }, { _id: 1, a: { b: [1], c: 1 } }],
  [{ 'a.b': { $slice: 1 } }, { _id: 1, a: [{ b: [1, 2] }, { b: [3, 4] }] }, { _id: 1, a: [{ b: [1] }, { b: [3] }] }],
  // computed fields through arrays, at every depth
  [{ 'm.x': { $literal: 1 } }, { _id: 1, m: [3, 4] }, { _id: 1, m: [{ x: 1 }, { x: 1 }] }],
  [
    { 'm.x': { $literal: 1 } },
    { _id: 1, m: [{ x: 9 }, 5, [], [1, { x: 2 }]] },
    { _id: 1, m: [{ x: 1 }, { x: 1 }, [], [{ x: 1 }, { x: 1 }]] },
  ],
  [
    { 'm.x.y': 'z', b: 1 },
    { _id: 1, m: [null, { x: [7] }, { x: { y: 3, w: 4 } }], b: 2 },
    { _id: 1, m: [{ x: { y: 'z' } }, { x: [{ y: 'z' }] }, { x: { y: 'z' } }], b: 2 },
  ],
  [
    { 'm.x': { $literal: 1 }, 'm.k': 1, b: 1 },
    { _id: 1, m: [{ k: 2, j: 3 }, 4], b: 2 },
    { _id: 1, m: [{ k: 2, x: 1 }, { x: 1 }], b: 2 },
  ],
  [{ 'm.x': { $literal: 1 } }, { _id: 1, m: 5, b: 2 }, { _id: 1, m: { x: 1 } }],
  [{ 'm.x': { $literal: 1 } }, { _id: 1, m: [] }, { _id: 1, m: [] }],
  [{ 'm.x': { $literal: 1 } }, { _id: 1 }, { _id: 1, m: { x: 1 } }],
  // $elemMatch
  [{ a: { $elemMatch: { $gt: 1 } } }, { _id: 1, a: [1, 2, 3], b: 1 }, { _id: 1, a: [2] }],
  [{ a: { $elemMatch: { b: 2 } } }, { _id: 1, a: [{ b: 1 }, { b: 2, c: 3 }] }, { _id: 1, a: [{ b: 2, c: 3 }] }],
  [{ a: { $elemMatch: { b: 9 } } }, { _id: 1, a: [{ b: 1 }] }, { _id: 1 }],
  [{ a: { $elemMatch: { b: 1 } } }, { _id: 1, a: 5 }, { _id: 1 }],
  [
    { a: { $elemMatch: { b: 1 } }, c: 1 },
    { _id: 1, a: [{ b: 1 }], c: 2, d: 3 },
    { _id: 1, c: 2, a: [{ b: 1 }] },
  ],
  // Positional
  [{ 'a.$': 1 }, { _id: 1, a: [1, 2, 3], b: 1 }, { _id: 1, a: [2] }, { a: 2 }],
  [{ 'a.$': 1, b: 1 }, { _id: 1, a: [1, 2, 3], b: 1, c: 1 }, { _id: 1, a: [2], b: 1 }, { a: { $gt: 1 } }],
  [{ 'a.b.$': 1 }, { _id: 1, a: { b: [1, 2], c: 1 } }, { _id: 1, a: { b: [2] } }, { 'a.b': 2 }],
  [{ 'a.$': 1 }, { _id: 1, a: [{ b: 1 }, { b: 2 }] }, { _id: 1, a: [{ b: 2 }] }, { 'a.b': 2 }],
  [{ 'a.$': 1 }, { _id: 1, a: [1, 2] }, 51246, { _id: 1 }],
  // Errors
  [{ a: 1, b: 0 }, doc, 31254],
  [{ a: 0, b: 1 }, doc, 31253],
  [{ a: 1, 'a.b': 1 }, doc, 31249],
  [{ 'a.b': 1, a: 1 }, doc, 31250],
  [{ a: {} }, doc, 51270],
  [{ '': 1 }, doc, 40352],
  [{ 'a..b': 1 }, doc, 15998],
  [{ $a: 1 }, doc, 16410],
  [{ 'a.$.b': 1 }, doc, 31394, { a: 1 }],
  [{ 'a.$': 0 }, doc, 31395, { a: 1 }],
  [{ 'a.$': 1, 'b.$': 1 }, doc, 31276, { a: 1 }],
  [{ 'a.$': 1, b: { $elemMatch: { c: 1 } } }, doc, 31255, { a: 1 }],
  [{ a: { $elemMatch: 1 } }, doc, 31274],
  [{ 'a.b': { $elemMatch: { c: 1 } } }, doc, 31275],
  [{ a: { $slice: [1, 0] } }, doc, 28729],
  [{ a: { $slice: 'x' } }, doc, 28667],
  [
    { a: { $elemMatch: { b: 1 } }, c: 0 },
    { _id: 1, a: [{ b: 0 }, { b: 1 }], c: 2, d: 3 },
    { _id: 1, d: 3, a: [{ b: 1 }] },
  ],
  [{ a: { $elemMatch: { b: 1 } }, _id: 0 }, { _id: 1, a: [{ b: 1 }], c: 2 }, { a: [{ b: 1 }] }],
  [{ a: { $meta: 'textScore' } }, doc, 40218],
];
