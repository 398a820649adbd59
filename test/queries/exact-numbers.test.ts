/** Filters and pipelines compare numbers exactly (docs/aggregation.md, "Ids, dates and numbers"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { castJson } from '../../src/models/fields/cast.ts';
import { parseExactly } from '../../src/models/fields/values/exact-json.ts';
import { modelOf, mongo } from '../../src/models/mongoose.ts';
import { comparedFilter, docTest } from '../../src/query/row-test.ts';
import { startServer, type TestServer } from '../support/server.ts';

const { Decimal128, Double, Int32, Long, UUID } = mongo.BSON;
const big = (last: number): InstanceType<typeof Long> => Long.fromString(`900719925474099${last}`);
const uuid = '12345678-1234-4123-8123-123456789abc';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    models: {
      row: ({ Schema, Mixed }) =>
        new Schema(
          {
            name: String,
            big: BigInt,
            number: Number,
            decimal: Schema.Types.Decimal128,
            any: Mixed,
            at: Date,
            key: Schema.Types.UUID,
            int: Schema.Types.Int32,
          },
          { perms: { all: 'crud' } },
        ),
    },
  });
  const { collection } = modelOf(server.dossier.services.registry.internal('row'));
  await collection.insertMany([
    { name: 'two', big: big(2), number: 2 ** 53, any: new Double(2 ** 53), int: new Int32(5) },
    { name: 'three', big: big(3), number: big(3), any: big(3), decimal: Decimal128.fromString('0.1') },
    {
      name: 'decimal',
      decimal: Decimal128.fromString('1234567890123456.789'),
      at: new Date(5000),
      key: new UUID(uuid),
    },
    { name: 'rounded', decimal: Decimal128.fromString('1234567890123456.8'), number: 0.1, any: 0.1 },
  ] as never);
});

/** Filters as they are written in a body, and the rows that they find. */
const filters: readonly (readonly [filter: string, names: readonly string[]])[] = [
  ...['big', 'number', 'any'].flatMap((path): (readonly [string, readonly string[]])[] => [
    [`{"${path}":9007199254740993}`, ['three']],
    [`{"${path}":9007199254740992}`, ['two']],
    [`{"${path}":{"$numberLong":"9007199254740993"}}`, ['three']],
    [`{"${path}":{"$in":[9007199254740993,{"$numberInt":"1"}]}}`, ['three']],
    [`{"${path}":{"$gt":9007199254740992,"$lte":{"$numberLong":"9007199254740993"}}}`, ['three']],
    [`{"${path}":{"$numberDecimal":"9007199254740993"}}`, ['three']],
  ]),
  ['{"big":"9007199254740993"}', ['three']],
  ['{"number":"9007199254740993"}', ['three']],
  ['{"number":{"$numberDouble":"0.1"}}', ['rounded']],
  ['{"number":0.10000000000000001}', ['rounded']],
  ['{"any":0.10000000000000001}', ['rounded']],
  ['{"decimal":1234567890123456.789}', ['decimal']],
  ['{"decimal":"1234567890123456.789"}', ['decimal']],
  ['{"decimal":{"$numberDecimal":"0.1"}}', ['three']],
  ['{"decimal":{"$gt":{"$numberDecimal":"1234567890123456.789"}}}', ['rounded']],
  ['{"decimal":0.1}', ['three']],
  ['{"at":{"$date":{"$numberLong":"5000"}}}', ['decimal']],
  ['{"at":{"$numberLong":"5"}}', ['decimal']],
  [`{"key":{"$uuid":"${uuid}"}}`, ['decimal']],
  ['{"int":{"$numberInt":"5"}}', ['two']],
  ['{"name":{"$numberLong":"5"}}', []],
];

describe('filters', () => {
  const names = ({ rows }: { rows: readonly any[] }): readonly string[] => rows.map(({ name }) => name);
  const sendText = (path: string, text: string) =>
    server.send('POST', path, { raw: text, headers: { 'content-type': 'application/json' } });

  test.each(filters)('of bodies: %s', async (filter, found) => {
    expect(names(await sendText('/query/row?fields=name', `{"query":${filter}}`))).toEqual(found);
  });
  test.each(filters)('of pipelines: %s', async (filter, found) => {
    expect(names(await sendText('/aggregate/row', `{"query":[{"$match":${filter}}]}`))).toEqual(found);
  });
  test.each([
    ...['big', 'number', 'any'].flatMap((path) => [
      [`filter[${path}]=9007199254740993`, ['three']] as const,
      [`filter[${path}]=9007199254740992`, ['two']] as const,
      [`filter[${path}]=$gt:9007199254740992`, ['three']] as const,
      [`filter[${path}]=$in:9007199254740993,5`, ['three']] as const,
      [`filter[${path}]=$in:[null,9007199254740993]&filter[name]=three`, ['three']] as const,
    ]),
    ['filter[decimal]=1234567890123456.789', ['decimal']],
  ] as const)('of addresses: %s', async (query, found) => {
    expect(names(await server.get(`/api/row?fields=name&${query}`))).toEqual(found);
  });
  test.each([
    ['{"any":{"$numberLong":123}}', '$numberLong must be a text of a whole number from -9223372036854775808 to'],
    ['{"any":{"$numberLong":"9223372036854775808"}}', '$numberLong must be a text'],
    ['{"any":{"$numberInt":"3000000000"}}', '$numberInt must be a text of a whole number from -2147483648 to'],
    ['{"any":{"$numberDouble":"NaN"}}', '$numberDouble must be a text of a finite number'],
    ['{"any":{"$numberDecimal":"1,5"}}', '$numberDecimal must be a text of a finite number'],
    ['{"any":{"$uuid":"5"}}', '$uuid must be a UUID'],
    ['{"any":{"$numberInt":"1","a":1}}', '$numberInt must be the only key'],
    ['{"any":{"$gt":{"$numberLong":true}}}', '$numberLong must be a text'],
    ['{"big":{"$numberDecimal":"1.5"}}', 'big must be a whole number'],
    ['{"int":{"$in":[{"$numberInt":1}]}}', '$numberInt must be a text'],
  ])('%s is refused with the reason', async (filter, reason) => {
    for (const [path, body] of [
      ['/query/row', `{"query":${filter}}`],
      ['/aggregate/row', `{"query":[{"$match":${filter}}]}`],
    ] as const) {
      const { status, body: answer } = await sendText(path, body);
      expect([status, answer.err]).toEqual([400, expect.stringContaining(reason)]);
    }
  });
  test('expressions have exact numbers, and answers of aggregations too', async () => {
    const text = `{"query":[{"$match":{"name":"three"}},{"$project":{
      "_id":0, "is":{"$eq":["$big",9007199254740993]}, "sum":{"$add":["$big",{"$numberLong":"2"}]},
      "literal":{"$literal":{"$numberDecimal":"0.30"}}, "rounded":{"$literal":0.10000000000000001}}}]}`;
    expect((await sendText('/aggregate/row', text)).rows).toEqual([
      { is: true, sum: '9007199254740995', literal: '0.30', rounded: 0.1 },
    ]);
  });
});

test('a number of 64 bits has one form in all answers', async () => {
  for (const [value, shown] of [
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992],
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740992', -9007199254740992],
    ['-9007199254740993', '-9007199254740993'],
  ] as const) {
    const { data } = (await server.post('/api/row', { name: 'shown', big: value, any: 1 })).body;
    const query = `filter[_id]=${data._id}`;
    const forms = [
      data.big,
      (await server.get(`/api/row/${data._id}`)).body.data.big,
      (await server.get(`/api/row?${query}`)).rows[0]?.['big'],
      (await server.put(`/api/row/${data._id}`, { name: 'shown' })).body.data.big,
      (await server.post('/aggregate/row', { query: [{ $match: { _id: data._id } }] })).rows[0]?.['big'],
    ];
    expect(forms).toEqual(forms.map(() => shown));
    const { text } = await server.get(`/csv/row?${query}&fields=big`);
    expect(text).toContain(`${data._id},${value}`);
  }
});

test('filters that run in memory compare exactly', () => {
  const { schema } = server.dossier.services.registry.internal('row');
  const filter = (path: string): any => castJson(schema, path, parseExactly('9007199254740993', JSON.parse));
  for (const path of ['big', 'number', 'any']) {
    const matches = docTest(comparedFilter({ [path]: filter(path) }, undefined));
    expect([path, matches({ [path]: 9007199254740993n }), matches({ [path]: 9007199254740992n })]).toEqual([
      path,
      true,
      false,
    ]);
  }
});
