/** Numbers that JSON's usual readers round are stored exactly, or refused: never another number (docs/writing.md, "Numbers"). */
import { beforeAll, expect, test } from '@jest/globals';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    models: {
      row: ({ Schema, Mixed }) =>
        new Schema(
          {
            code: { type: String, unique: true, sparse: true },
            title: String,
            long: BigInt,
            decimal: Schema.Types.Decimal128,
            double: Number,
            text: String,
            any: Mixed,
            longs: [BigInt],
            decimals: [Schema.Types.Decimal128],
            map: { type: Map, of: BigInt },
            nested: { long: BigInt, decimal: Schema.Types.Decimal128 },
            parts: [{ long: BigInt }],
          },
          { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } } as object,
        ),
    },
  });
});

type Method = 'POST' | 'PUT' | 'PATCH';
/** Sends a body as it is written. */
async function sendText(method: Method, path: string, body: string, type = 'application/json') {
  const response = await fetch(new URL(path, server.url), { method, body, headers: { 'Content-Type': type } });
  return { status: response.status, body: (await response.json()) as any };
}
const valueAt = (row: any, path: string): unknown => path.split('.').reduce((value, key) => value?.[key], row);
const bodyAt = (path: string, literal: string): string =>
  path.split('.').reduceRight((value, key) => (/^\d+$/.test(key) ? `[${value}]` : `{"${key}":${value}}`), literal);

const long = '9007199254740993';
/** The values of answers for literals in a body; undefined for a 400. */
const kept: readonly (readonly [path: string, literal: string, value: unknown])[] = [
  ['long', long, long],
  ['long', '-9007199254740993', '-9007199254740993'],
  ['long', '9223372036854775807', '9223372036854775807'],
  ['long', '9007199254740992', 9007199254740992],
  ['long', '9223372036854775808', undefined],
  ['long', '9007199254740993.0', long],
  ['long', '9007199254740993.5', undefined],
  ['longs.0', long, long],
  ['map.a', long, long],
  ['nested.long', long, long],
  ['parts.0.long', long, long],
  ['decimal', '1234567890123456.789', '1234567890123456.789'],
  ['decimal', '0.10000000000000001', '0.10000000000000001'],
  ['decimal', long, long],
  ['decimal', '12345678901234567890123', '12345678901234567890123'],
  ['decimal', '1.2345678901234567890123456789012345', undefined],
  ['decimals.0', '1234567890123456.789', '1234567890123456.789'],
  ['nested.decimal', '1234567890123456.789', '1234567890123456.789'],
  ['double', long, undefined],
  ['double', '9007199254740992', 9007199254740992],
  ['double', '123456789012345680000', 123456789012345680000],
  ['double', '0.10000000000000001', 0.1],
  ['double', '1234567890123456.789', 1234567890123456.8],
  ['text', long, long],
  ['any', long, long],
  ['any', '18446744073709551617', undefined],
  ['any', '0.10000000000000001', 0.1],
  ['any.deep.0', long, long],
];

const ways: Readonly<Record<string, (path: string, literal: string, id: string) => ReturnType<typeof sendText>>> = {
  POST: (path, literal) => sendText('POST', '/api/row', bodyAt(path, literal)),
  PUT: (path, literal, id) => sendText('PUT', `/api/row/${id}`, bodyAt(path, literal)),
  update: (path, literal, id) => sendText('POST', `/update/row/${id}`, bodyAt(path, literal)),
  'merge patch': (path, literal, id) =>
    sendText('PATCH', `/api/row/${id}`, bodyAt(path, literal), 'application/merge-patch+json'),
  'JSON Patch': (path, literal, id) => {
    const [first = ''] = path.split('.');
    const value = bodyAt(path, literal).slice(`{"${first}":`.length, -1);
    const body = `[{"op":"add","path":"/${first}","value":${value}}]`;
    return sendText('PATCH', `/api/row/${id}`, body, 'application/json-patch+json');
  },
  $set: (path, literal, id) => sendText('PATCH', `/api/row/${id}`, `{"$set":${bodyAt(path, literal)}}`),
};

for (const [way, write] of Object.entries(ways))
  test.each(kept)(`${way}: %s: %s`, async (path, literal, value) => {
    const { body } = await server.post('/api/row', { text: 'before' });
    const answer = await write(path, literal, body.data._id);
    if (value === undefined) {
      expect([answer.status, answer.body.err]).toEqual([400, expect.stringContaining(`${path} must be`)]);
      return;
    }
    expect([answer.status, answer.body.err]).toEqual([way === 'POST' ? 201 : 200, undefined]);
    const { _id } = answer.body.data;
    const [row] = (await server.get(`/api/row?filter[_id]=${_id}`)).rows;
    const one = (await server.get(`/api/row/${_id}`)).body.data;
    expect([answer.body.data, row, one].map((shown) => valueAt(shown, path))).toEqual([value, value, value]);
  });

test('texts that a double would make another number of are refused on paths of type Number', async () => {
  const { status, body } = await server.post('/api/row', { double: long });
  expect([status, body.err]).toEqual([400, expect.stringContaining('double must be a number that a double holds')]);
});

/** Additions to 9007199254740993 and to 0.1, exact. */
const sums: readonly (readonly [path: string, literal: string, value: unknown])[] = [
  ['long', '"1"', '9007199254740994'],
  ['long', '2', '9007199254740995'],
  ['long', long, '18014398509481986'],
  ['long', '"1.5"', undefined],
  ['long', '"one"', undefined],
  ['decimal', '"0.2"', '0.3'],
  ['decimal', '0.2', '0.3'],
  ['decimal', '1234567890123456.789', '1234567890123456.889'],
  ['decimal', '"NaN"', undefined],
  ['decimal', '"0x10"', undefined],
  ['double', '"1"', undefined],
];
test.each(sums)('$inc: %s: %s', async (path, literal, value) => {
  const { body } = await server.post('/api/row', { long, decimal: '0.1', double: 1 });
  const update = `{"$inc":{"${path}":${literal}}}`;
  const answer = await sendText('PATCH', `/api/row/${body.data._id}`, update);
  expect([answer.status, answer.body.data?.[path]]).toEqual(value === undefined ? [400, undefined] : [200, value]);
});

const others: Readonly<Record<string, (body: string, id: string) => ReturnType<typeof sendText>>> = {
  'upsert, new': (body) => sendText('PUT', '/api/row?on=code', `{"code":"new",${body.slice(1)}`),
  'upsert, existing': (body, id) => sendText('PUT', '/api/row?on=code', `{"code":"${id}",${body.slice(1)}`),
  insertOne: (body) => sendText('POST', '/bulkwrite/row', `[{"insertOne":{"document":${body}}}]`),
  updateOne: (body, id) =>
    sendText('POST', '/bulkwrite/row', `[{"updateOne":{"filter":{"_id":"${id}"},"update":{"$set":${body}}}}]`),
  replaceOne: (body, id) =>
    sendText('POST', '/bulkwrite/row', `[{"replaceOne":{"filter":{"_id":"${id}"},"replacement":${body}}}]`),
  $push: (_body, id) => sendText('PATCH', `/api/row/${id}`, `{"$push":{"longs":${long}},"$set":{"title":"exact"}}`),
};
test.each(Object.keys(others))('%s stores whole numbers exactly', async (way) => {
  const { body } = await server.post('/api/row', { title: 'before' });
  await server.put(`/api/row/${body.data._id}`, { code: body.data._id });
  const answer = await others[way]?.(`{"title":"exact","longs":[${long}]}`, body.data._id);
  expect([answer?.status, answer?.body.err]).toEqual([expect.any(Number), undefined]);
  const [row] = (await server.get('/api/row?filter[title]=exact&sort=-updatedAt&limit=1')).rows;
  expect(row?.['longs']).toEqual([long]);
  await server.put(`/api/row/${String(row?.['_id'])}`, { title: 'done' });
});

needs('transactions')('batches store whole numbers exactly', async () => {
  const operations = `[{"method":"POST","path":"/api/row","body":{"title":"batch","longs":[${long}],"decimal":1234567890123456.789}}]`;
  expect((await sendText('POST', '/batch', `{"operations":${operations}}`)).status).toBe(200);
  const [row] = (await server.get('/api/row?filter[title]=batch')).rows;
  expect([row?.['longs'], row?.['decimal']]).toEqual([[long], '1234567890123456.789']);
});

const notNumbers = ['NaN', 'Infinity', '-Infinity', 'nan', 'inf', 'one', '1e7000'];
test.each(notNumbers)('the text %s is no number for any type of numbers', async (text) => {
  for (const path of ['double', 'decimal', 'long', 'nested.decimal']) {
    const { status, body } = await sendText('POST', '/api/row', bodyAt(path, JSON.stringify(text)));
    expect([path, status, body.errors?.[0]?.path]).toEqual([path, 400, path]);
  }
});

test('a replacement of the strings in a body is not taken for numbers', async () => {
  const text = `9007199254740993 \\" 9007199254740993 \\`;
  const { data } = (await sendText('POST', '/api/row', `{"text":${JSON.stringify(text)},"long":${long}}`)).body;
  expect([data.text, data.long]).toEqual([text, long]);
});
