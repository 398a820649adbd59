/** Both ways from stored bytes to JSON give the same bytes: through plain objects, and directly. */
import mongoose from 'mongoose';
import { Failure } from '../../../src/errors/errors.ts';
import { objectCell, textCell } from '../../../src/features/csv/csv.ts';
import { compileSchema } from '../../../src/models/fields/compile-schema.ts';
import { objectIdType } from '../../../src/models/fields/id-types.ts';
import { shape } from '../../../src/policy/shape.ts';
import { makeView } from '../../../src/policy/view.ts';
import { CellReader, valueAt } from '../../../src/read/bytes/cells.ts';
import { JsonBytes } from '../../../src/read/bytes/json-bytes.ts';
import { plainRow } from '../../../src/read/bytes/layout.ts';
import { answerFor, rowEncoder, shapeRows } from '../../../src/read/encode.ts';
import type { Source } from '../../../src/read/fetch.ts';
import type { LinkPlan, RowsPlan } from '../../../src/read/plan-types.ts';
import { presentationOf } from '../../../src/read/rows-plan.ts';
import { randomFrom } from '../../support/numbers.ts';

const { BSON } = mongoose.mongo;
const { ObjectId, Long, Decimal128, Binary, UUID, Timestamp, MinKey, MaxKey, Code, DBRef, BSONRegExp, BSONSymbol } =
  BSON;
type Doc = Record<string, unknown>;

const bytesOf = (document: Doc): Buffer => Buffer.from(BSON.serialize(document, { ignoreUndefined: false }));

/** A database that holds linked documents, and answers a `find` by their ids. */
function databaseOf(linked: readonly Doc[]): Source {
  const command = (asked: { filter: { $and: [{ _id: { $in: readonly unknown[] } }] } }): Promise<unknown> => {
    const ids = asked.filter.$and[0]._id.$in.map(String);
    const firstBatch = linked.filter(({ _id }) => ids.includes(String(_id)));
    return Promise.resolve({ cursor: bytesOf({ id: Long.ZERO, ns: 'a.b', firstBatch }), ok: 1 });
  };
  const connection = { db: { command } } as unknown as Source['connection'];
  return { connection, signal: new AbortController().signal, session: undefined, slowMs: 0, maxBytes: 10_000_000 };
}

/** A plan for a caller from whom these paths are hidden. */
function planOf(more: Partial<RowsPlan> = {}, hidden: readonly string[] = [], identityOnly = false): RowsPlan {
  const view = makeView(compileSchema(new mongoose.Schema({}, { strict: false })), hidden);
  const policy = { view, ownRows: undefined };
  return {
    model: { computed: false, collection: 'b', idType: objectIdType },
    policy,
    presentation: presentationOf({ policy, fields: more.fields, scored: false, identityOnly }),
    filter: {},
    conditions: [],
    links: [],
    maxTimeMS: 1000,
    ...more,
  } as unknown as RowsPlan;
}

function linkOf(path: string, array = false, more: Partial<LinkPlan> = {}, as = path.replace(/_id$/, '')): LinkPlan {
  return { link: { path, as, model: 'b', array }, rows: planOf(), identityOnly: false, ...more };
}

async function bothWays(
  documents: readonly Doc[],
  plan = planOf(),
  linked: readonly Doc[] = [],
): Promise<[string, string]> {
  const source = databaseOf(linked);
  const rows = documents.map(bytesOf);
  const shaped = await shapeRows(plan, rows, source);
  const encoder = await rowEncoder(plan, rows, source);
  const out = answerFor(rows, source.maxBytes);
  const write = encoder.into(out);
  rows.forEach((_, at) => {
    write(at);
    out.byte(0x0a);
  });
  return [shaped.map((document) => `${JSON.stringify(document)}\n`).join(''), out.written.toString()];
}

async function same(documents: readonly Doc[], plan?: RowsPlan, linked?: readonly Doc[]): Promise<string> {
  const [plain, direct] = await bothWays(documents, plan, linked);
  expect(direct).toBe(plain);
  return direct;
}

const id = (digit: string): mongoose.Types.ObjectId => new ObjectId(digit.repeat(24));
const withProto = Object.defineProperty({ a: 1 }, '__proto__', { value: { x: 1 }, enumerable: true });

const values: readonly (readonly [string, unknown])[] = [
  ['text', 'plain'],
  ['an empty text', ''],
  ['text that JSON escapes', '"\\/\b\f\n\r\t\u0000\u0001\u001f\u007f\u2028\u2029'],
  ['text beyond ASCII', 'Ærøskøbing 東京 🎬 é'],
  ['special text beyond ASCII', '"東京"\n🎬\u0007'],
  ['a lone surrogate', '\ud83c'],
  ['whole numbers', [0, 1, -1, 2147483647, -2147483648]],
  ['fractions', [0.1, -0, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 123456789.125]],
  ['numbers that JSON does not have', [NaN, Infinity, -Infinity]],
  ['longs', [Long.fromNumber(5), Long.fromString('9007199254740991'), Long.fromString('9007199254740992')]],
  [
    'long longs',
    [Long.fromString('9007199254740993'), Long.MAX_VALUE, Long.MIN_VALUE, Long.fromString('-9007199254740993')],
  ],
  ['decimals', [Decimal128.fromString('0.10'), Decimal128.fromString('-1E+30'), Decimal128.fromString('NaN')]],
  ['dates', [new Date(0), new Date(-1), new Date(1e12 + 7), new Date('0001-01-01'), new Date(253402300799999)]],
  ['far dates', [new Date(253402300800000), new Date(-62167219200001), new Date(8.64e15), new Date(-8.64e15)]],
  ['an id', id('a')],
  ['bytes', [new Binary(Buffer.from('bytes')), new Binary(Buffer.alloc(0)), new Binary(Buffer.from([255, 0]), 128)]],
  ['a UUID', new UUID('0123abcd-0123-4567-89ab-0123456789ab')],
  ['a UUID of a wrong size', new Binary(Buffer.from('short'), 4)],
  ['patterns', [/a\/b/i, new BSONRegExp('^(?<x>', 'imsx'), new BSONRegExp('"', '')]],
  ['a timestamp', new Timestamp({ t: 4_000_000_000, i: 7 })],
  ['ends of the order', [new MinKey(), new MaxKey()]],
  ['code', [new Code('a => a'), new Code('f()', { password: 'secret', x: 1 })]],
  ['a symbol', new BSONSymbol('sym"bol')],
  ['references', [new DBRef('films', id('b')), new DBRef('films', id('b'), 'db', { password: 'secret', note: 1 })]],
  ['null and undefined', [null, undefined]],
  ['undefined', undefined],
  ['true and false', [true, false]],
  ['an empty document', {}],
  ['an empty list', []],
  ['lists in lists', [[1, [2, [{ password: 'x', y: [] }]]], []]],
  ['names that JSON escapes', { 'a"b': 1, 'c\\d': 2, 'é\n': 3, '': 4 }],
  [
    'names that are numbers',
    { b: 1, 10: 'ten', 2: 'two', a: 2, '01': 'no index', 4294967294: 'last', 4294967295: 'none' },
  ],
  ['names of Object.prototype', { constructor: 1, toString: 'x', hasOwnProperty: null, toJSON: 'text' }],
  ['__proto__', withProto],
  ['names with a dollar sign', { $x: 1, $ref: 2, $id: 3 }],
];

describe('every type of BSON', () => {
  test.each(values)('%s', async (_name, value) => {
    await same([{ _id: id('1'), value, in: { a: value, list: [value, { value }] }, last: 1 }]);
  });

  test('an invalid byte in a string does not break the JSON', async () => {
    const row = bytesOf({ _id: 1, text: 'abXcd"' });
    row[row.indexOf('X')] = 0xff;
    const out = new JsonBytes(10, 1000);
    (await rowEncoder(planOf(), [row], databaseOf([]))).into(out)(0);
    expect(out.written.toString()).toBe(JSON.stringify(shape(plainRow(row), planOf().presentation)));
    expect(out.written.toString()).toBe('{"_id":1,"id":1,"text":"ab\ufffdcd\\""}');
  });
});

describe('cells of a CSV', () => {
  const columns = ['_id', 'value', 'value.a', 'in.a', 'in.list', 'in.list.value', 'in.a.x.y', 'last', 'last.x', 'no'];
  const textOf = (cell: unknown): string => {
    if (typeof cell === 'string') return textCell(cell);
    return typeof cell === 'object' ? objectCell(cell) : String(cell ?? '');
  };
  const reader = new CellReader(columns);
  const bothWays = (row: Buffer): [direct: string[], plain: string[]] => {
    const plain = plainRow(row);
    return [reader.read(row).map(textOf), columns.map((path) => textOf(valueAt(plain, path.split('.'))))];
  };

  test.each(values)('%s', (_name, value) => {
    const [direct, plain] = bothWays(
      bytesOf({ _id: id('1'), value, in: { a: value, list: [value, { value }] }, last: 1 }),
    );
    expect(direct).toEqual(plain);
  });

  test('members in another order, missing ones and additional ones', () => {
    const [direct, plain] = bothWays(
      bytesOf({ last: 'z', other: 1, in: { list: [{ value: 1 }, { value: 2 }], b: 1, a: { x: { y: 3 } } }, _id: 7 }),
    );
    expect(direct).toEqual(plain);
    const list = '"[{""value"":1},{""value"":2}]"';
    expect(direct).toEqual(['7', '', '', '"{""x"":{""y"":3}}"', list, '"[1,2]"', '3', 'z', '', '']);
  });

  test('columns only below a member', () => {
    const row = bytesOf({ in: { a: { x: 1 }, list: [{ value: 2 }, { value: { deep: 3 } }, 4] }, text: 'plain' });
    expect(new CellReader(['text.length', 'in.list.value', 'in.a.x', 'in.a.y']).read(row)).toEqual([
      undefined,
      [2, { deep: 3 }],
      1,
      undefined,
    ]);
  });
});

test('dates of all years with four digits are written as in JavaScript', () => {
  const out = new JsonBytes(1000, 1e9);
  const expected: string[] = [];
  for (let time = -62_167_219_200_000; time < 253_402_300_800_000; time += 86_400_000 * 91 + 12_345_678) {
    out.date(time);
    expected.push(JSON.stringify(new Date(time)));
  }
  expect(out.written.toString()).toBe(expected.join(''));
});

describe('a password-named path never leaves the server', () => {
  test.each(['password', 'Password', 'PASSWORD', 'pASSWORd'])('%s, at any depth', async (name) => {
    const text = await same([
      { _id: 1, [name]: 'x1', a: { [name]: 'x2', b: [{ [name]: { c: 'x3' } }] }, passwords: 1, pa55word: 2 },
    ]);
    expect(text).toBe('{"_id":1,"id":1,"a":{"b":[{}]},"passwords":1,"pa55word":2}\n');
  });
});

describe('paths that are hidden from a caller', () => {
  const hidden = ['b', 'a.b', 'a.list.x', 'n.by_id', '5', 'in.x'];
  test('are left out with everything below them, through lists', async () => {
    const inner = { b: { c: 'x1' }, list: [{ x: 'x2', y: 1 }, [{ x: 'x3', z: 2 }], 3], c: { b: 4 } };
    const text = await same(
      [
        { _id: 1, b: ['x4'], a: inner, n: { by_id: id('a'), z: 5 }, 5: 'x5', c: { b: 6, 5: 7 } },
        { _id: 2, a: [inner, 8] },
      ],
      planOf({}, hidden),
    );
    const shown = { list: [{ y: 1 }, [{ z: 2 }], 3], c: { b: 4 } };
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { _id: 1, id: 1, a: shown, n: { z: 5 }, c: { b: 6, 5: 7 } },
      { _id: 2, id: 2, a: [shown, 8] },
    ]);
  });

  test.each(values)('%s', async (_name, value) => {
    const text = await same([{ _id: 1, b: value, in: { x: value, y: [{ x: value }, value] } }], planOf({}, hidden));
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['_id', 'id', 'in']);
  });

  test('are left out beside links and selected fields', async () => {
    const links = [linkOf('by_id'), linkOf('in.by_id')];
    const document = { _id: 1, by_id: id('a'), b: 'x1', in: { x: 'x2', by_id: id('b') } };
    expect(await same([document], planOf({ links }, hidden), people)).not.toMatch(/x1|x2/);
    await same([document], planOf({ links, fields: { mode: 'only', paths: ['in', 'b'] } }, hidden), people);
  });
});

describe('id', () => {
  test.each<[string, Doc, boolean]>([
    ['beside _id', { _id: id('1'), a: 1 }, true],
    ['beside an _id that is not first', { a: 1, _id: 'text"', b: 2 }, true],
    ['beside an _id that is a document', { _id: { a: [1], password: 'x' }, b: 2 }, true],
    ['as a stored field, after _id', { _id: id('1'), a: 1, id: 'own', b: 2 }, true],
    ['as a stored field, before _id', { id: 'own', _id: id('1') }, true],
    ['as a stored field, null', { _id: id('1'), id: null }, true],
    ['undefined', { _id: id('1'), id: undefined }, true],
    ['in nested documents is not added', { _id: 1, a: { _id: id('2') }, b: [{ _id: id('3'), id: 4 }] }, true],
    ['not for an identity', { _id: id('1'), name: 'n' }, false],
    ['without an _id', { a: 1 }, true],
    ['beside names that are numbers', { _id: id('1'), 7: 'x', id: 'own' }, true],
  ])('%s', async (_name, document, withId) => {
    await same([document, { _id: 9 }], planOf({}, [], !withId));
  });
});

describe('fields', () => {
  const document = { _id: id('1'), a: { b: 1 }, ab: 2, c: 3, score: 1.5, 5: 'five' };
  test.each<[RowsPlan['fields']]>([
    [{ mode: 'only', paths: ['a.b'] }],
    [{ mode: 'only', paths: ['c', '5'] }],
    [{ mode: 'only', paths: [] }],
    [{ mode: 'without', paths: ['c', 'score'] }],
    [{ mode: 'without', paths: ['a.b', 'id'] }],
  ])('%j', async (fields) => {
    await same([document], planOf({ fields }));
  });
});

const people: readonly Doc[] = [
  { _id: id('a'), name: 'Ann "A"', password: 'secret', boss_id: id('b') },
  { _id: id('b'), name: 'Béa', boss_id: null },
];

describe('links', () => {
  const missing = id('f');
  test.each<[string, readonly Doc[], readonly LinkPlan[]]>([
    [
      'one',
      [
        { _id: 1, by_id: id('a') },
        { _id: 2, by_id: id('b') },
        { _id: 3, by_id: id('a'), z: 1 },
      ],
      [linkOf('by_id')],
    ],
    [
      'to a missing document, null, undefined, absent, wrong',
      [
        { _id: 1, by_id: missing },
        { _id: 2, by_id: null },
        { _id: 3, by_id: undefined },
        { _id: 4 },
        { _id: 5, by_id: 7 },
        { _id: 6, by_id: { x: 1 } },
      ],
      [linkOf('by_id')],
    ],
    [
      'an id as a string',
      [
        { _id: 1, by_id: 'a'.repeat(24) },
        { _id: 2, by_id: 'A'.repeat(24) },
        { _id: 3, by_id: 'a' },
      ],
      [linkOf('by_id')],
    ],
    [
      'a list',
      [
        { _id: 1, by_id: [id('a'), missing, id('b'), id('a')] },
        { _id: 2, by_id: [] },
        { _id: 3 },
        { _id: 4, by_id: null },
      ],
      [linkOf('by_id', true)],
    ],
    [
      'a list in place of a single id, and a single id in place of a list',
      [{ _id: 1, x_id: [id('a')], y_id: id('b') }],
      [linkOf('x_id'), linkOf('y_id', true)],
    ],
    ['a list that is undefined', [{ _id: 1, by_id: undefined, by: 3 }], [linkOf('by_id', true)]],
    [
      'shown in place of the id',
      [
        { _id: 1, by: id('a'), z: 1 },
        { _id: 2, z: 1 },
      ],
      [linkOf('by')],
    ],
    ['in place of a stored field', [{ _id: 1, by: 'stored', z: 1, by_id: id('a') }], [linkOf('by_id')]],
    ['under a custom name', [{ _id: 1, by_id: id('a') }], [linkOf('by_id', false, {}, 'wri"ter')]],
    ['two', [{ _id: 1, x_id: id('a'), y_id: id('b') }], [linkOf('y_id'), linkOf('x_id')]],
    [
      'in a nested document',
      [{ _id: 1, n: { by_id: id('a'), z: 1 } }, { _id: 2, n: null }, { _id: 3, n: {} }, { _id: 4 }, { _id: 5, n: 'x' }],
      [linkOf('n.by_id')],
    ],
    [
      'in a list of documents',
      [{ _id: 1, n: [{ by_id: id('a') }, {}, null, 3, [{ by_id: id('b') }], { by_id: [id('b')] }] }],
      [linkOf('n.by_id')],
    ],
    [
      'deep',
      [{ _id: 1, a: [{ b: { c: [{ by_id: id('a'), all_id: [id('b')] }] } }] }],
      [linkOf('a.b.c.by_id'), linkOf('a.b.c.all_id', true)],
    ],
    ['beside names that are numbers', [{ _id: 1, n: { by_id: id('a'), by: 1, 3: 'x' } }], [linkOf('n.by_id')]],
    [
      'of links',
      [{ _id: 1, by_id: id('a') }],
      [linkOf('by_id', false, { rows: planOf({ links: [linkOf('boss_id')] }) })],
    ],
    [
      'with fields',
      [{ _id: 1, by_id: id('a') }],
      [linkOf('by_id', false, { rows: planOf({ fields: { mode: 'only', paths: ['boss_id'] } }) })],
    ],
    [
      'as identities',
      [{ _id: 1, by_id: id('a') }],
      [
        linkOf('by_id', false, {
          rows: planOf({ fields: { mode: 'only', paths: ['name'] } }, [], true),
          identityOnly: true,
        }),
      ],
    ],
  ])('%s', async (_name, documents, links) => {
    const text = await same(documents, planOf({ links }), people);
    expect(text).not.toContain('secret');
    await same(documents, planOf({ links, fields: { mode: 'only', paths: ['z'] } }), people);
    await same(documents, planOf({ links, fields: { mode: 'without', paths: ['by', 'by_id', 'n.by_id'] } }), people);
  });
});

describe('sizes', () => {
  test('a document deeper than any that a database stores is refused', async () => {
    const nested = (levels: number): Doc => {
      let document: Doc = { end: 1 };
      for (let level = 0; level < levels; level++) document = level % 2 === 0 ? { a: document } : { a: [document] };
      return { _id: 1, document };
    };
    await same([nested(200)]);
    const row = bytesOf(nested(4000));
    const write = (await rowEncoder(planOf(), [row], databaseOf([]))).into(new JsonBytes(10, 1e9));
    expect(() => write(0)).toThrow(Failure);
  });

  test('the expected length of an answer has what its links show, up to the limit', async () => {
    const [linked, size] = [10_000, 20];
    const rows = Array.from({ length: size }, (_, n) => bytesOf({ _id: n, by_id: id('a') }));
    const encoder = await rowEncoder(
      planOf({ links: [linkOf('by_id')] }),
      rows,
      databaseOf([{ _id: id('a'), text: 'x'.repeat(linked) }]),
    );
    const out = new JsonBytes(encoder.bytes, Infinity);
    const write = encoder.into(out);
    rows.forEach((_, at) => write(at));
    expect(out.length).toBeGreaterThan(linked * size);
    expect(encoder.bytes).toBeGreaterThanOrEqual(out.length);
    expect(encoder.bytes).toBeLessThan(1.1 * out.length);
    const limited = new JsonBytes(encoder.bytes, 100);
    limited.ascii('1');
    expect(limited.written.buffer.byteLength).toBeLessThanOrEqual(Buffer.poolSize);
  });

  test('an answer over the limit is abandoned while it is written', async () => {
    const rows = [bytesOf({ _id: 1, by_id: Array.from({ length: 5000 }, () => id('a')) })];
    const encoder = await rowEncoder(
      planOf({ links: [linkOf('by_id', true)] }),
      rows,
      databaseOf([{ _id: id('a'), text: 'x'.repeat(10_000) }]),
    );
    const out = new JsonBytes(100, 100_000);
    expect(() => encoder.into(out)(0)).toThrow(expect.objectContaining({ status: 413 }) as Error);
    expect(out.length).toBeLessThan(500_000);
  });
});

describe('any documents', () => {
  const names = [
    'a',
    'b_id',
    'b',
    '_id',
    'id',
    'password',
    'PassWord',
    '1',
    '0',
    '12',
    'é',
    'a"',
    '$a',
    'n',
    '__proto__',
    'score',
  ];
  const leaves = [...values.map(([, value]) => value), id('a'), id('b'), 'a'.repeat(24), [id('b'), id('a')]];

  function anyValue(random: (below: number) => number, depth: number): unknown {
    const kind = depth > 4 ? 0 : random(5);
    if (kind === 1) return anyDocument(random, depth + 1);
    if (kind === 2) return Array.from({ length: random(4) }, () => anyValue(random, depth + 1));
    return leaves[random(leaves.length)];
  }

  function anyDocument(random: (below: number) => number, depth = 0): Doc {
    const document: Doc = {};
    for (let left = random(8); left > 0; left--) {
      const name = names[random(names.length)] ?? '';
      Object.defineProperty(document, name, { value: anyValue(random, depth), enumerable: true, configurable: true });
    }
    return document;
  }

  test.each([1, 2, 3, 4])('made from seed %d', async (seed) => {
    const random = randomFrom(seed);
    const links = [
      linkOf('b_id'),
      linkOf('n.b_id', true),
      linkOf('n.a', false, { rows: planOf({}, [], true), identityOnly: true }),
    ];
    for (let round = 0; round < 40; round++) {
      const documents = Array.from({ length: 10 }, () => anyDocument(random));
      await same(documents, round % 2 === 0 ? planOf() : planOf({ links }), people);
    }
  });
});
