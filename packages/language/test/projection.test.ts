import { compileExpression } from '../src/aggregate/index.ts';
import { compileProjection } from '../src/project/index.ts';
import { compileFilter } from '../src/query/index.ts';
import { get } from '../src/values/path.ts';
import { show } from '../src/values/show.ts';
import type { Doc, Value } from '../src/values/types.ts';
import { context } from './aggregate/context.ts';
import { projectionCases } from './projection-cases.ts';

/** Aggregation expressions. */
const compiled =
  (expression: Value) =>
  (doc: Doc): Value =>
    compileExpression(expression, context)(doc);

/** A substitute for aggregation expressions: paths and constants. */
const expr =
  (expression: Value) =>
  (doc: Doc): Value =>
    typeof expression === 'string' && expression.startsWith('$') ? get(doc, expression.slice(1)) : expression;

describe('projections', () => {
  test.each(projectionCases.map((row) => [show(row[0]), show(row[1]), row] as const))(
    '%s of %s',
    (_p, _d, [projection, doc, result, filter]) => {
      const run = (): Doc =>
        compileProjection(projection, { expr: compiled, ...(filter ? { filter: compileFilter(filter) } : {}) })(doc);
      if (typeof result === 'number') expect(run).toThrow(expect.objectContaining({ code: result }));
      else expect(show(run())).toBe(show(result));
    },
  );

  test.each<readonly [projection: Doc, result: Doc]>([
    [{ x: '$a' }, { _id: 1, x: 5 }],
    [
      { x: '$a', a: 1 },
      { _id: 1, a: 5, x: 5 },
    ],
    [{ x: 'text' }, { _id: 1, x: 'text' }],
    [{ x: '$missing' }, { _id: 1 }],
    [{ 'x.y': '$a' }, { _id: 1, x: { y: 5 } }],
    [{ 'b.y': '$a' }, { _id: 1, b: { y: 5 } }],
    [
      { 'b.c': 1, 'b.y': '$a' },
      { _id: 1, b: { c: 2, y: 5 } },
    ],
    [{ 'l.y': '$a' }, { _id: 1, l: [{ y: 5 }, { y: 5 }] }],
    [{ a: '$b.c' }, { _id: 1, a: 2 }],
    [{ _id: '$a' }, { _id: 5 }],
    [{ x: null }, { _id: 1, x: null }],
  ])('%j is computed', (projection, result) => {
    const doc = { _id: 1, a: 5, b: { c: 2 }, l: [{ m: 1 }, { m: 2 }] };
    expect(show(compileProjection(projection, { expr })(doc))).toBe(show(result));
  });

  test.each<readonly [projection: Doc, code: number]>([
    [{ a: 0, x: '$a' }, 31310],
    [{ a: 0, x: { $add: [1, 2] } }, 31252],
    [{ 'a.$': '$x' }, 31308],
    [{ 'a.$': { b: 1 } }, 31271],
  ])('%j is refused', (projection, code) => {
    expect(() => compileProjection(projection, { expr })).toThrow(expect.objectContaining({ code }));
  });

  test('the text score is added to the other fields', () => {
    const run = (projection: Doc): Doc =>
      compileProjection(projection, { textScore: () => 1.5 })({ _id: 1, a: 2, b: 3 });
    expect(run({ score: { $meta: 'textScore' } })).toEqual({ _id: 1, a: 2, b: 3, score: 1.5 });
    expect(run({ score: { $meta: 'textScore' }, a: 1 })).toEqual({ _id: 1, a: 2, score: 1.5 });
    expect(run({ score: { $meta: 'textScore' }, a: 0 })).toEqual({ _id: 1, b: 3, score: 1.5 });
  });

  test('names of Object.prototype are not fields', () => {
    const doc = Object.defineProperty({ _id: 1 }, '__proto__', { value: 5, enumerable: true });
    expect(Object.keys(compileProjection({ constructor: 1, toString: 1 }, {})(doc))).toEqual(['_id']);
    expect(Object.keys(compileProjection({ x: 0 }, {})(doc))).toEqual(['_id', '__proto__']);
  });
});
