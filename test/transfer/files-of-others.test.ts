/** Files as other programs write them: mongoexport, spreadsheets, databases (docs/moving-data.md, "Importing"). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { modelOf, mongo } from '../../src/models/mongoose.ts';
import { type ImportOptions, importSources } from '../../src/transfer/import/import.ts';
import { delimiterFrom, sourcesOf } from '../../src/transfer/import/source.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { linesOf, newFolder, textsIn } from './folders.ts';

const { EJSON } = mongo.BSON;
let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    models: {
      row: ({ Schema, Mixed, ObjectId }) =>
        new Schema(
          {
            name: String,
            big: BigInt,
            price: Schema.Types.Decimal128,
            number: Number,
            on: Boolean,
            at: Date,
            link_id: ObjectId,
            any: Mixed,
            list: [Mixed],
            bytes: Buffer,
          },
          { perms: { all: 'crud' } } as object,
        ),
    },
  });
});
const collection = () => modelOf(server.dossier.services.registry.internal('row')).collection;
beforeEach(async () => void (await collection().deleteMany({})));

async function load(
  name: string,
  text: string,
  { delimiter, ...more }: Partial<ImportOptions> & { delimiter?: string } = {},
) {
  const folder = await newFolder();
  const path = join(folder, name);
  await writeFile(path, text);
  const sources = await sourcesOf({
    path,
    model: undefined,
    input: Readable.from([]),
    delimiter: delimiter === undefined ? undefined : delimiterFrom(delimiter),
  });
  const options = { on: [], raw: false, strict: false, folder, onProgress: () => undefined, ...more };
  await importSources(server.dossier.services, sources, options);
  const { 'refused.ndjson': list = '' } = await textsIn(folder);
  const rows = await collection()
    .find({}, { promoteValues: false, promoteLongs: false } as never)
    .toArray();
  return {
    refused: linesOf(list).map(({ line, path: at, reason }) => [line, at, reason]),
    rows: rows.map(({ createdAt: _c, updatedAt: _u, _deleted: _d, __v: _v, ...row }): any =>
      JSON.parse(EJSON.stringify(row, { relaxed: false })),
    ),
  };
}

const id = '6b078ee8e20675eec7af5533';
const exported = {
  _id: { $oid: id },
  name: 'a',
  big: { $numberLong: '9007199254740993' },
  price: { $numberDecimal: '19.90' },
  number: { $numberDouble: '5.0' },
  on: true,
  at: { $date: { $numberLong: '1582934400000' } },
  link_id: { $oid: '0'.repeat(24) },
  any: { long: { $numberLong: '9007199254740993' }, when: { $date: { $numberLong: '0' } }, n: { $numberInt: '5' } },
  bytes: { $binary: { base64: 'AAE=', subType: '00' } },
  list: [{ $numberLong: '-9007199254740993' }, { $numberLong: '3000000000' }],
};
/** The same document as `mongoexport --jsonFormat=relaxed`, its default, writes it. */
const relaxed =
  `{"_id":{"$oid":"${id}"},"name":"a","big":9007199254740993,"price":{"$numberDecimal":"19.90"},"number":5.0,"on":true,` +
  `"at":{"$date":"2020-02-29T00:00:00Z"},"link_id":{"$oid":"${'0'.repeat(24)}"},` +
  `"any":{"long":9007199254740993,"when":{"$date":"1970-01-01T00:00:00Z"},"n":5},` +
  `"bytes":{"$binary":{"base64":"AAE=","subType":"00"}},"list":[-9007199254740993,3000000000]}`;
const oneInteger = { ...exported, number: { $numberInt: '5' } };

test.each([
  ['canonical, a document a line', 'row.ndjson', `${JSON.stringify(exported)}\n`, exported],
  ['canonical, a list', 'row.json', `[${JSON.stringify(exported)}]\n`, exported],
  ['canonical, over several lines', 'row.json', `[${JSON.stringify(exported, null, '\t')}]\n`, exported],
  ['relaxed, a document a line', 'row.ndjson', `${relaxed}\n`, oneInteger],
  ['relaxed, a list', 'row.json', `[${relaxed}]\n`, oneInteger],
  ['relaxed, in a file for each document', 'row.json', relaxed, oneInteger],
])('mongoexport: %s', async (_title, name, text, stored) => {
  for (const raw of [false, true]) {
    const { refused, rows } = await load(name, text, { raw });
    expect({ refused, rows }).toEqual({ refused: [], rows: [expect.objectContaining(stored)] });
    await collection().deleteMany({});
  }
});

test('mongoexport: CSV', async () => {
  const header = '_id,name,big,price,number,on,at,link_id,any,list\n';
  const cells = `ObjectId(${id}),a,9007199254740993,19.90,5,true,2020-02-29T00:00:00.000Z,ObjectId(${'0'.repeat(24)})`;
  const { refused, rows } = await load(
    'row.csv',
    `${header}${cells},"{""long"":9007199254740993}","[1,{""$oid"":""${id}""}]"\n`,
  );
  const { _id, name, big, price, on, at, link_id } = exported;
  expect({ refused, rows }).toEqual({
    refused: [],
    rows: [expect.objectContaining({ _id, name, big, price, on, at, link_id, number: { $numberInt: '5' } })],
  });
  expect(rows[0]).toMatchObject({ any: { long: big }, list: [{ $numberInt: '1' }, { $oid: id }] });
});

test.each([
  ['{"any":{"$numberLong":123}}', 'any', '$numberLong must be a text of a whole number'],
  ['{"any":{"$numberInt":"3000000000"}}', 'any', '$numberInt must be a text of a whole number from -2147483648'],
  ['{"number":{"$numberInt":"3000000000"}}', 'number', '$numberInt must be a text'],
  ['{"any":{"a":[{"$oid":5}]}}', 'any.a.0', '$oid must be 24 hexadecimal digits'],
  ['{"any":{"$date":"soon"}}', 'any', '$date must be a date'],
  ['{"any":{"$date":{"$numberLong":5}}}', 'any', '$date must be a date'],
  ['{"any":{"$uuid":"5"}}', 'any', '$uuid must be a UUID'],
  ['{"any":{"$numberDouble":5}}', 'any', '$numberDouble must be a text of a finite number'],
  ['{"any":{"$numberDecimal":"1,5"}}', 'any', '$numberDecimal must be a text of a finite number'],
  ['{"any":{"$numberInt":"1","more":1}}', 'any', 'any has another name beside $numberInt'],
  ['{"any":{"\\u0024numberInt":"3000000000"}}', 'any', '$numberInt must be a text'],
  ['{"price":"NaN"}', 'price', 'price must be a finite number'],
  ['{"price":{"$numberDecimal":"NaN"}}', 'price', 'price must be a finite number'],
  ['{"_id":"short"}', '_id', '_id must be 24 hexadecimal digits, got "short"'],
  ['{"_id":5}', '_id', '_id must be 24 hexadecimal digits, got 5'],
])('%s is refused with path and reason', async (text, path, reason) => {
  const { refused, rows } = await load('row.ndjson', `${text}\n{"name":"kept"}\n`);
  expect(refused).toEqual([[1, path, expect.stringContaining(reason)]]);
  expect(rows).toMatchObject([{ name: 'kept' }]);
});

test('a time without a zone is UTC in the extended form, too', async () => {
  const { rows } = await load(
    'row.ndjson',
    '{"at":{"$date":"2020-02-29T10:00"},"any":{"$date":"2020-02-29 10:00:00"}}\n',
  );
  const at = { $date: { $numberLong: String(Date.UTC(2020, 1, 29, 10)) } };
  expect(rows).toMatchObject([{ at, any: at }]);
});

test.each([5, '"text"', `"${id}"`, 'null', '{"a":1}', '{"$numberLong":"5"}', '[1]'])(
  '--raw refuses the _id %s, which no request could name',
  async (given) => {
    const { refused, rows } = await load('row.ndjson', `{"name":"kept"}\n{"_id":${given},"name":"lost"}\n`, {
      raw: true,
    });
    expect(refused).toEqual([
      [2, '_id', expect.stringContaining('_id must be {"$oid": "…"} with 24 hexadecimal digits')],
    ]);
    expect(rows).toMatchObject([{ name: 'kept' }]);
  },
);

describe('CSV', () => {
  test.each([
    ['name;number\na;1\n', ';', "--delimiter ';'"],
    ['name\tnumber\tbig\na\t1\t2\n', 'tab', '--delimiter tab'],
    ['name|number\na|1\n', '|', "--delimiter '|'"],
    ['name;number;"a,b"\n', ';', "--delimiter ';'"],
  ])('%j is refused at the header, which names the flag', async (text, delimiter, flag) => {
    await expect(load('row.csv', text)).rejects.toThrow(flag);
    expect(await collection().countDocuments()).toBe(0);
    if (text.includes('a,b')) return;
    const { refused, rows } = await load('row.csv', text, { delimiter });
    expect({ refused, rows }).toMatchObject({ refused: [], rows: [{ name: 'a', number: { $numberInt: '1' } }] });
  });
  test('with commas is refused where another delimiter is named', async () => {
    await expect(load('row.csv', 'name,number\na,1\n', { delimiter: ';' })).rejects.toThrow("--delimiter ','");
    await expect(load('row.csv', 'name\na\n', { delimiter: 'x' })).rejects.toThrow(
      '--delimiter must be one of , ; tab |',
    );
  });
  test('has quotes and empty cells by its own delimiter', async () => {
    const { refused, rows } = await load('row.csv', 'name\tbig\tnumber\n\t5\t1\n"a\tb, ""c"""\t\t2\na"b\t1\t3\n', {
      delimiter: 'tab',
    });
    expect(refused).toEqual([[4, '', 'the record has a misplaced quote']]);
    expect(rows.map(({ name, number }) => [name, number.$numberInt])).toEqual([
      [undefined, '1'],
      ['a\tb, "c"', '2'],
    ]);
  });

  const booleans = {
    TRUE: true,
    True: true,
    yes: true,
    YES: true,
    '1': true,
    FALSE: false,
    no: false,
    No: false,
    '0': false,
  };
  test.each(Object.entries(booleans))('%s is a boolean', async (cell, on) => {
    const { refused, rows } = await load('row.csv', `name,on\na,${cell}\n`);
    expect({ refused, rows }).toMatchObject({ refused: [], rows: [{ on }] });
  });
  test.each([
    ...['"1,234.50"', '$5.00', '5 €', '1 234', '"1,5"', "1'000", '50%', '"-1,000"', '£-5'].flatMap((cell) =>
      ['number', 'price', 'big'].map(
        (path) => [path, cell, 'must be a number without separators and signs of currencies, such as 1234.5'] as const,
      ),
    ),
    ['number', 'many', 'number must be a finite number'],
    ['on', 'maybe', 'on must be true or false'],
    ['at', '43861', 'looks like the number by which a spreadsheet stores a date'],
    ['at', '43861.5', 'looks like the number by which a spreadsheet stores a date'],
    ['at', '5', 'looks like the number'],
    ['at', '31/01/2020', 'at must be a date'],
  ])('%s: %s is refused with the reason', async (path, cell, reason) => {
    const { refused, rows } = await load('row.csv', `name,${path}\na,${cell}\n`);
    expect(refused).toEqual([[2, path, expect.stringContaining(reason)]]);
    expect(rows).toEqual([]);
  });
  test.each([
    ['2020', '2020-01-01T00:00:00.000Z'],
    ['1582934400', '2020-02-29T00:00:00.000Z'],
    ['2020-02-29 10:00', '2020-02-29T10:00:00.000Z'],
  ])('the date %s is taken', async (cell, at) => {
    const { rows } = await load('row.csv', `name,at\na,${cell}\n`);
    expect(rows).toMatchObject([{ at: { $date: { $numberLong: String(Date.parse(at)) } } }]);
  });
  test.each(['-5', '+5', '.5', '5.', '1e3', ' 7 '])('the number %j is taken', async (cell) => {
    const { refused, rows } = await load('row.csv', `name,number\na,${cell}\n`);
    expect(refused).toEqual([]);
    expect(Number(Object.values(rows[0].number)[0])).toBe(Number(cell));
  });
});
