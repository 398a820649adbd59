/** The check of answers against the OpenAPI document finds what differs, at each of several servers that have models of one name. */
import { beforeAll, expect, test } from '@jest/globals';
import { checkDescribed } from '../support/described.ts';
import { startServer, type TestServer } from '../support/server.ts';

let texts: TestServer;
let numbers: TestServer;
beforeAll(async () => {
  const of = (type: string) =>
    startServer({
      models: {
        thing: `const { Schema } = require('mongoose');
          module.exports = new Schema({ a: ${type}, inner: { b: ${type} }, things: [{ c: ${type} }] }, { perms: { all: 'crud' } });`,
      },
    });
  [texts, numbers] = [await of('String'), await of('Number')];
});

const body = { a: 'x', inner: { b: 'x' }, things: [{ c: 'x' }] };
/** A list as a server answers it, with other fields. */
async function listOf(server: TestServer, fields: object, whole = {}): Promise<string> {
  const list = await server.get('/api/thing');
  return JSON.stringify({ ...list.body, data: [{ ...list.rows[0], ...fields }], ...whole });
}

const judge = (server: TestServer, text: string, method = 'GET', path = '/api/thing', status = 200): void => {
  const headers = new Headers({ 'content-type': 'application/json; charset=utf-8' });
  checkDescribed(server.url + path, { method, status, headers, text });
};

test('what a server answers is as described', async () => {
  const { text } = await texts.post('/api/thing', body);
  expect(() => judge(texts, text, 'POST', '/api/thing', 201)).not.toThrow();
  expect((await numbers.post('/api/thing', { a: 1 })).status).toBe(201);
});

test.each([
  ['a field', { a: 5 }, 'data/0/a must be'],
  ['an inner field', { inner: { b: 5 } }, 'data/0/inner/b must be'],
  ['a field of a member', { things: [{ _id: 'f'.repeat(24), c: 5 }] }, 'data/0/things/0/c must be'],
])('%s of another type is found, and is right at the server that has it', async (_, fields, fault) => {
  const [text, number] = [await listOf(texts, fields), await listOf(numbers, fields)];
  expect(() => judge(texts, text)).toThrow(fault);
  expect(() => judge(numbers, number)).not.toThrow();
  const other = await listOf(numbers, { a: 'x' });
  expect(() => judge(numbers, other)).toThrow('data/0/a must be');
});

test('a page without a right limit is found', async () => {
  const text = await listOf(texts, {}, { limit: 'many' });
  expect(() => judge(texts, text)).toThrow('limit must be');
});

test.each([
  ['a status', '{}', 'GET', 202, 'the document has only'],
  ['a failure', '{"status":"okay"}', 'GET', 400, 'must'],
  ['a method', '{}', 'TRACE', 200, 'no such path or method'],
] as const)('%s that the document lacks is found', (_, text, method, status, fault) => {
  expect(() => judge(texts, text, method, '/api/thing', status)).toThrow(fault);
});
