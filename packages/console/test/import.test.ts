/** Files that are imported: how they are split into records, which field a column is for, and what becomes of a cell. */
import { describe, expect, test } from '@jest/globals';
import type { Field, OwnModel } from '../src/api/models.ts';
import { matched, operationOf, rowOf, uniqueKeys } from '../src/import/columns.ts';
import { CsvReader, delimiterOf } from '../src/import/csv-reader.ts';
import { JsonReader } from '../src/import/json-reader.ts';
import { recordsOf } from '../src/import/source.ts';
import { flattened, typeFault, valueOfCell } from '../src/import/values.ts';

const plain = { type: 'String', input: 'text', required: false, unique: false, index: false, array: false } as const;
const fields: Record<string, Field> = {
  _id: { ...plain, type: 'ObjectId', input: 'id' },
  title: { ...plain, required: true },
  isbn: { ...plain, unique: true },
  pages: { ...plain, type: 'Number', input: 'number', min: 1 },
  lent: { ...plain, type: 'Boolean', input: 'boolean' },
  released: { ...plain, type: 'Date', input: 'date' },
  author_id: { ...plain, type: 'ObjectId', input: 'id', link: 'author' },
  tags: { ...plain, array: true },
  extra: { ...plain, type: 'Mixed', input: 'json' },
  'address.city': plain,
};
const letters = Object.fromEntries(Object.keys(fields).map((path) => [path, path === '_id' ? 'r' : 'cru']));
const model = {
  name: 'book',
  fields,
  indexes: [{ fields: { title: 1, 'address.city': 1 }, unique: true }, { fields: { pages: 1 } }],
  rights: { rows: { c: 'all', r: 'all', u: 'all', d: 'all' }, fields: letters },
} as object as OwnModel;

/** Each way to cut a text in two, and the whole. */
const cuts = (text: string): string[][] => [...text].map((_, at) => [text.slice(0, at), text.slice(at)]);

describe('a CSV', () => {
  test.each<[string, string, readonly (readonly string[])[]]>([
    [
      'cells',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'no line break at the end',
      'a,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['quotes', 'a\n"x, ""y""\r\nz"\r\n', [['a'], ['x, "y"\r\nz']]],
    [
      'empty cells',
      'a,b,c\n,"",x\n',
      [
        ['a', 'b', 'c'],
        ['', '', 'x'],
      ],
    ],
    ['empty lines', 'a\n\n\r\n1\n\n', [['a'], ['1']]],
    [
      'rows of empty cells',
      'a,b\n,\n,,,\n"",""\n , \n" ","\t"\n1,2\n,',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'its delimiter',
      'sep=,\r\na,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['an empty quoted line', 'a\n""\n', [['a']]],
    ['a quote within a cell', 'a\n5" disk\n', [['a'], ['5" disk']]],
    ['lines of old computers', 'a\r1\r2', [['a'], ['1'], ['2']]],
  ])('with %s is read the same, wherever it is cut', (_, text, expected) => {
    for (const pieces of cuts(text)) {
      const reader = new CsvReader(',');
      const read = [...pieces.flatMap((piece) => reader.read(piece)), ...reader.end()];
      expect(read.map(({ cells }) => cells)).toEqual(expected);
    }
  });

  test('has lines that are counted within quotes, too', () => {
    expect(new CsvReader(';').read('a;b\r\n"1\r\n1";2\r\n3;4\r\n').map(({ line }) => line)).toEqual([1, 2, 4]);
  });

  test('with a quote that is not closed is refused with its line', () => {
    const reader = new CsvReader(',');
    reader.read('a\n1\n"2\n3');
    expect(() => reader.end()).toThrow('line 3 is not closed');
  });

  test.each([
    ['a,b', ','],
    ['a;b\n1,2,3,4', ';'],
    ['"a,b,c";d', ';'],
    ['a\tb', '\t'],
    ['sep=;\r\na,b,c', ';'],
    ['a', ','],
  ])('%j is separated by %j', (text, delimiter) => {
    expect(delimiterOf(text)).toBe(delimiter);
  });
});

test.each<[string, string, readonly (readonly [number, string])[]]>([
  [
    'a list',
    '[{"a":1},\n{"b":[{"c":"}"}]}]',
    [
      [1, '{"a":1}'],
      [2, '{"b":[{"c":"}"}]}'],
    ],
  ],
  [
    'lines',
    '{"a":"\\""}\n\n{"b":2}\n',
    [
      [1, '{"a":"\\""}'],
      [3, '{"b":2}'],
    ],
  ],
  [
    'several lines',
    '{\n"a":\n1}\n{}',
    [
      [1, '{\n"a":\n1}'],
      [4, '{}'],
    ],
  ],
  [
    'faults',
    'x\n{"a":"1\n{"b":2}',
    [
      [1, 'x'],
      [2, '{"a":"1'],
      [3, '{"b":2}'],
    ],
  ],
  ['an end that is missing', '{"a":', [[1, '{"a":']]],
])('JSON as %s is split into documents, wherever it is cut', (_, text, expected) => {
  for (const pieces of cuts(text)) {
    const reader = new JsonReader();
    const read = [...pieces.flatMap((piece) => reader.read(piece)), ...reader.end()];
    expect(read.map(({ line, text: one }) => [line, one])).toEqual(expected);
  }
});

describe('a file', () => {
  const read = async (name: string, ...parts: BlobPart[]) => {
    const records = [];
    for await (const record of recordsOf(new File(parts, name), model, { bytes: 0 })) records.push(record);
    return records;
  };

  test('may begin with a byte order mark and have an apostrophe before a formula', async () => {
    expect(await read('a.csv', "\uFEFFtitle;pages\r\n'=1+1;2\r\n")).toEqual([
      { line: 2, values: { title: '=1+1', pages: '2' } },
    ]);
  });

  test('has lines with other numbers of cells, and documents that are none, as records with a fault', async () => {
    expect(await read('a.csv', 'title,pages\n1\n')).toMatchObject([{ fault: 'has 1 cells, and the first line has 2' }]);
    expect(await read('a.json', '1\n{"title":}\n')).toMatchObject([
      { fault: 'is not an object' },
      { line: 2, fault: expect.stringContaining('is not JSON') },
    ]);
  });

  test('in JSON may name fields by their paths, but not a field and a part of it', async () => {
    const text = '{"address.city":"Oslo"}\n{"address":{"city":"Oslo"},"address.city":"Rome"}\n';
    expect(await read('a.ndjson', text)).toEqual([
      { line: 1, values: { 'address.city': 'Oslo' } },
      { line: 2, values: expect.anything(), fault: 'has address, and address.city, which is a part of it' },
    ]);
  });

  test.each([
    ['', 'is empty'],
    ['a,a\n', 'Two columns are named “a”'],
    ['a,,b\n', 'Column 2 has no name'],
  ])('of the text %j is refused', async (text, message) => {
    await expect(read('a.csv', text)).rejects.toThrow(message);
  });

  test('that is not UTF-8 is refused', async () => {
    await expect(read('a.csv', 'title\n', new Uint8Array([0xe4, 0x0a]))).rejects.toThrow('not UTF-8');
  });

  test('of an export of MongoDB has plain values by their paths', () => {
    const document = JSON.parse(
      '{"_id":{"$oid":"aaaaaaaaaaaaaaaaaaaaaaaa"},"pages":{"$numberInt":"3"},"released":{"$date":{"$numberLong":"0"}},"address":{"city":"Oslo"},"extra":{"a":{"b":1}}}',
    ) as object;
    expect(flattened(document, model)).toEqual({
      _id: 'a'.repeat(24),
      pages: '3',
      released: '1970-01-01T00:00:00.000Z',
      'address.city': 'Oslo',
      extra: { a: { b: 1 } },
    });
  });
});

test('columns are matched by path, by label and in any spelling, each field once', () => {
  expect(matched(model, ['TITLE', 'title', 'Address: City', 'Author', 'Pages ', 'shelf', '__proto__'])).toEqual({
    title: 'title',
    'Address: City': 'address.city',
    Author: 'author_id',
    'Pages ': 'pages',
  });
});

test('documents are found by unique fields that the caller may set', () => {
  expect(uniqueKeys(model)).toEqual(['isbn', 'title,address.city']);
});

test.each<[path: string, cell: string, value: unknown, fault: string | undefined]>([
  ['title', '', undefined, undefined],
  ['title', ' 12 ', ' 12 ', undefined],
  ['pages', '12', 12, undefined],
  ['pages', ' 1.5 ', 1.5, undefined],
  ['pages', '9007199254740993', '9007199254740993', undefined],
  ['pages', '1,5', '1,5', 'must be a number such as 1234.5, got "1,5"'],
  ['lent', 'Yes', true, undefined],
  ['lent', '0', false, undefined],
  ['lent', 'perhaps', 'perhaps', 'must be yes or no, got "perhaps"'],
  ['released', '2026-11-27', '2026-11-27', undefined],
  ['released', '1999', '1999', undefined],
  ['released', '46353', '46353', 'must be a date such as 2026-11-27, got "46353"'],
  ['author_id', 'ObjectId("aaaaaaaaaaaaaaaaaaaaaaaa")', 'a'.repeat(24), undefined],
  ['author_text', 'ObjectId(AAAAAAAAAAAAAAAAAAAAAAAA)', 'a'.repeat(24), undefined],
  ['author_text', 'no id', 'no id', undefined],
  ['title', 'ObjectId(aaaaaaaaaaaaaaaaaaaaaaaa)', 'ObjectId(aaaaaaaaaaaaaaaaaaaaaaaa)', undefined],
  ['tags', '["a","b"]', ['a', 'b'], undefined],
  ['tags', 'a', ['a'], undefined],
  ['extra', '{"a":1}', { a: 1 }, undefined],
  ['extra', '{"a"', '{"a"', 'must be JSON'],
])('the cell %s %j is %j', (path, cell, value, fault) => {
  const field = path === 'author_text' ? { ...plain, link: 'author' } : (fields[path] ?? plain);
  expect(valueOfCell(cell, field)).toEqual({ value, ...(fault === undefined ? {} : { fault }) });
});

test.each<[path: string, value: unknown, fault: string | undefined]>([
  ['released', '20240102', undefined],
  ['released', '20240230', 'must be a date such as 2026-11-27, got "20240230"'],
  ['released', '2024-01-02 10:00:00+01', undefined],
  ['released', '2015/01/01 01:00:00', undefined],
  ['released', '1700000000', undefined],
  ['released', '12345678', 'must be a date such as 2026-11-27, got "12345678"'],
  ['released', '1234567', 'must be a date such as 2026-11-27, got "1234567"'],
  ['released', 'soon', 'must be a date such as 2026-11-27, got "soon"'],
  ['released', '12.05.1999', 'must be a date such as 2026-11-27, got "12.05.1999"'],
  ['released', '05/12/1999', 'must be a date such as 2026-11-27, got "05/12/1999"'],
  ['released', '2026-02-30', 'must be a date such as 2026-11-27, got "2026-02-30"'],
  ['released', '1999', undefined],
  ['released', '2026-11-27T10:00Z', undefined],
  ['released', 1_700_000_000, undefined],
  ['author_id', 'Jane', 'must be the id of a document of author, got "Jane"'],
  ['author_id', 'a'.repeat(24), undefined],
  ['title', { a: 1 }, 'must be a text, got {"a":1}'],
  ['tags', ['a', { b: 1 }], 'must be a text, got {"b":1}'],
  ['title', null, undefined],
])('the type of %s accepts %j: %s', (path, value, fault) => {
  expect(typeFault(value, fields[path] ?? plain)).toBe(fault);
});

describe('a row', () => {
  const mapping = { title: 'title', pages: 'pages', isbn: 'isbn' };
  const row = (values: object, on = '') =>
    rowOf({ line: 1, values: values as Record<string, unknown> }, model, { mapping, hasTexts: true, on });

  test.each<[object, string, readonly string[]]>([
    [{ title: 'A', pages: '3' }, '', []],
    [{ title: '', pages: '0' }, '', ['Title is required', 'Pages must be at least 1, got 0']],
    [{ pages: 'x' }, '', ['Pages must be a number such as 1234.5, got "x"']],
    [{ isbn: '1' }, 'isbn', []],
    [{ title: 'A' }, 'isbn', ['Isbn is missing: by it documents are found']],
  ])('%j %s has the faults %j', (values, on, faults) => {
    expect(row(values, on).faults).toEqual(faults.map((fault) => fault.replace('Isbn', 'ISBN')));
  });

  test('null is null, also that of a nested document, whose other fields stay in a change, and what the file lacks is not sent', () => {
    const values = flattened({ isbn: '1', pages: null, address: null }, model);
    const all = { ...mapping, 'address.city': 'address.city' };
    const read = rowOf({ line: 1, values }, model, { mapping: all, hasTexts: false, on: 'isbn' });
    const plan = { mapping: all, hasTexts: false, on: 'isbn' };
    expect(operationOf(read, model, plan).body).toEqual({ isbn: '1', pages: null, 'address.city': null });
    const created = operationOf(read, model, { ...plan, on: '' }).body;
    expect(created).toEqual({ isbn: '1', pages: null, address: { city: null } });
  });

  test('is an operation in which no text is a reference', () => {
    const plan = { mapping, hasTexts: true, on: 'isbn' };
    expect(operationOf(row({ title: '$tag._id', isbn: '1' }), model, plan)).toEqual({
      method: 'PUT',
      path: '/api/book?on=isbn',
      body: { title: '$$tag._id', isbn: '1' },
    });
  });
});
