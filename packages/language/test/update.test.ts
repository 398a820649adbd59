import { Timestamp } from 'bson';
import { compileFilter } from '../src/query/index.ts';
import { checkUpsertFilter, compileUpdate, upsertDocument } from '../src/update/index.ts';
import { readCollation } from '../src/values/collation.ts';
import { encode } from '../src/values/encode.ts';
import { show } from '../src/values/show.ts';
import type { Doc, Value } from '../src/values/types.ts';
import { seeds, type UpdateCase, updateCases } from './update-cases.ts';

const now = new Date(1700000000500);
const bytes = (doc: Doc): string => Buffer.from(encode(doc)).toString('hex');
const any = compileFilter({});

function changed({ doc, update, filter = {}, arrayFilters }: UpdateCase): Doc {
  const compiled = compileUpdate(update, {
    filter: compileFilter(filter),
    now,
    ...(arrayFilters ? { arrayFilters } : {}),
  });
  return compiled.apply({ _id: 7, ...doc }, false);
}

/** Fields named by numbers, each with its number as the value. */
const pathsOf = (count: number, name: (n: number) => string): Doc =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), n]));

describe('updates', () => {
  test.each(updateCases.map((row) => [show(row.update), show(row.doc), row] as const))(
    '%s on %s',
    (_update, _doc, row) => {
      const before = bytes(row.doc);
      const { result } = row;
      if (typeof result === 'number') expect(() => changed(row)).toThrow(expect.objectContaining({ code: result }));
      else expect(show(changed(row))).toBe(show({ _id: 7, ...result }));
      if (typeof result !== 'number') expect(bytes(changed(row))).toBe(bytes({ _id: 7, ...result }));
      expect(bytes(row.doc)).toBe(before);
    },
  );

  test.each(seeds.map((row) => [show(row[0]), row] as const))('an upsert by %s', (_filter, [filter, seed]) => {
    const start = (): Doc => {
      checkUpsertFilter(filter);
      return upsertDocument(filter);
    };
    if (typeof seed === 'number') expect(start).toThrow(expect.objectContaining({ code: seed }));
    else expect(bytes(start())).toBe(bytes(seed));
  });

  test.each<Doc>([
    { $set: { a: 1 } },
    { $set: { 'd.e': 2 } },
    { $unset: { x: 1 } },
    { $inc: { a: 0 } },
    { $max: { a: 0 } },
    { $addToSet: { l: 1 } },
    { $pull: { l: 9 } },
    { $pop: { x: 1 } },
    { $rename: { x: 'y' } },
    { $setOnInsert: { z: 1 } },
    { a: 1, d: { e: 2 }, l: [1] },
  ])('%j changes nothing', (update) => {
    const doc = { _id: 7, a: 1, d: { e: 2 }, l: [1] };
    expect(compileUpdate(update, { filter: any, now }).apply(doc, false)).toBe(doc);
  });

  test('unchanged parts are shared, changed parts are copied', () => {
    const doc = { _id: 1, a: { b: 1 }, c: { d: 1 } };
    const next = compileUpdate({ $set: { 'a.b': 2 } }, { filter: any, now }).apply(doc, false);
    expect(next['c']).toBe(doc.c);
    expect(next['a']).not.toBe(doc.a);
    expect(doc.a.b).toBe(1);
  });

  test('an inserting upsert applies $setOnInsert and puts _id first', () => {
    const update = compileUpdate({ $setOnInsert: { _id: 5, b: 1 }, $set: { a: 1 } }, { filter: any, now });
    expect(Object.entries(update.apply({ z: 1 }, true))).toEqual([
      ['_id', 5],
      ['z', 1],
      ['a', 1],
      ['b', 1],
    ]);
  });

  test('$currentDate uses the given time', () => {
    const update = compileUpdate(
      { $currentDate: { a: true, b: { $type: 'timestamp' }, c: { $type: 'date' } } },
      { filter: any, now },
    );
    expect(update.apply({}, false)).toEqual({ a: now, b: new Timestamp({ t: 1700000000, i: 1 }), c: now });
    expect(() => compileUpdate({ $currentDate: { a: { $type: 'x' } } }, { filter: any, now })).toThrow(
      expect.objectContaining({ code: 2 }),
    );
    expect(() => compileUpdate({ $currentDate: { a: 1 } }, { filter: any, now })).toThrow(
      expect.objectContaining({ code: 2 }),
    );
  });

  test('a pipeline keeps the _id', () => {
    const pipeline = () => (doc: Doc) => ({ b: doc['a'] ?? null });
    const compiled = compileUpdate([{ $set: { b: '$a' } }], { filter: any, now, pipeline });
    expect(compiled.apply({ _id: 1, a: 2 }, false)).toEqual({ _id: 1, b: 2 });
    expect(compiled.isReplacement).toBe(false);
  });

  test('__proto__ is an ordinary field name', () => {
    const update = { $set: Object.defineProperty({}, '__proto__', { value: { admin: true }, enumerable: true }) };
    const next = compileUpdate(update, { filter: any, now }).apply({ _id: 1 }, false);
    expect(Object.keys(next)).toEqual(['_id', '__proto__']);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    const deep = compileUpdate({ $set: { '__proto__.admin': true } }, { filter: any, now }).apply({ _id: 1 }, false);
    expect(Object.keys(deep)).toEqual(['_id', '__proto__']);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  const many = (count: number, value: (n: number) => Value = (n) => n): Value[] =>
    Array.from({ length: count }, (_, n) => value(n));

  test.each<[string, Doc, Doc, (readonly Doc[])?]>([
    ['members by many paths', { z: many(5000, () => ({})) }, { $set: pathsOf(500, (n) => `z.$[].k${n}`) }],
    ['members of members', { z: many(1000, () => many(1000)) }, { $inc: { 'z.$[].$[]': 1 } }],
    ['many values in many arrays', { z: many(1000, () => []) }, { $push: { 'z.$[]': { $each: many(5000) } } }],
    [
      'members by many filters',
      { z: many(50_000) },
      { $set: pathsOf(500, (n) => `z.$[x${n}].k`) },
      many(500, (n) => ({ [`x${n}`]: { $lt: 0 } })) as Doc[],
    ],
  ])('an update of too many array members is refused: %s', (_what, doc, update, arrayFilters = []) => {
    const compiled = compileUpdate(update, { filter: any, now, arrayFilters });
    expect(() => compiled.apply({ _id: 7, ...doc }, false)).toThrow(expect.objectContaining({ code: 146 }));
  });

  test('many paths through one array visit its members once', () => {
    const update = { $set: pathsOf(500, (n) => `z.$[x].k${n}`) };
    const compiled = compileUpdate(update, { filter: any, now, arrayFilters: [{ 'x.n': 9999 }] });
    const next = compiled.apply({ _id: 7, z: many(10_000, (n) => ({ n })) }, false);
    expect(Object.keys((next['z'] as Doc[])[9999] ?? {})).toHaveLength(501);
  });

  test('removing many fields gives the same result as removing few', () => {
    const doc = { _id: 7, ...pathsOf(30_000, (n) => `k${n}`) };
    const update = { $unset: pathsOf(29_999, (n) => `k${n}`) };
    expect(compileUpdate(update, { filter: any, now }).apply(doc, false)).toEqual({ _id: 7, k29999: 29_999 });
    expect(Object.keys(doc)).toHaveLength(30_001);
  });

  test.each<[string, Doc, Doc]>([
    ['$pullAll', { $pullAll: { l: ['A', 'x', 'É'] } }, { l: ['b', 'c', 'B'] }],
    ['$addToSet', { $addToSet: { l: { $each: ['B', 'd', 'D', 'A', 'D'] } } }, { l: ['b', 'a', 'c', 'é', 'B', 'd'] }],
  ])('%s with a case-insensitive collation', (_name, update, result) => {
    const collation = readCollation({ locale: 'en', strength: 2 });
    const compiled = compileUpdate(update, { filter: any, now, collation });
    expect(compiled.apply({ l: ['b', 'a', 'c', 'é', 'B'] }, false)).toEqual(result);
  });

  test('a document that becomes too large is not encoded completely', () => {
    const text = 'x'.repeat(1_000_000);
    const update = compileUpdate({ $set: { 'z.$[].k': text } }, { filter: any, now });
    const next = update.apply({ _id: 7, z: many(2000, () => ({})) }, false);
    // two gigabytes, which would not fit into one buffer
    expect(() => encode(next, 100, 16_777_216)).toThrow(expect.objectContaining({ code: 10334 }));
  });

  test('a path of a thousand parts is refused', () => {
    const path = Array.from({ length: 1000 }, () => 'a').join('.');
    expect(() => compileUpdate({ $set: { [path]: 1 } }, { filter: any, now })).toThrow(
      expect.objectContaining({ code: 15 }),
    );
  });
});
