/** Functions with a label, an input, an answer, a question and an effect (docs/functions.md, "Descriptions"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { type Api, definePlugin } from '../../src/index.ts';
import { emailOf, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const orderFile = `
const { Schema } = require('mongoose');
const schema = new Schema({ title: String }, {
  perms: { admin: 'crud', user: 'r', owner: 'u', all: '' },
  callable_statics: {
    addPart: {
      needs: 'u', on: 'document', label: 'Add a part', confirm: 'Add it?', effect: 'write',
      input: {
        type: 'object', additionalProperties: false, required: ['part'],
        properties: { part: { type: 'string', minLength: 1 }, count: { type: 'integer', minimum: 1, default: 1 },
          urgent: { type: 'boolean' }, marks: { type: 'array', items: { type: 'integer' } } },
      },
      answer: { type: 'object', properties: { part: { type: 'string' } } },
    },
    sum: { needs: 'r', on: 'model', effect: 'read', input: globalThis.pairSchema },
    plain: 'r',
  },
});
schema.statics.addPart = (document, input) => ({ title: document.title, ...input });
schema.statics.sum = (input) => input;
schema.statics.plain = (input) => input;
module.exports = schema;`;

/** A Standard Schema, which gives its values another form. */
const pairSchema = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value: unknown) => {
      const { a, b } = Object(value) as { readonly a?: unknown; readonly b?: unknown };
      if (a === 'throws') throw new Error('secret of the schema');
      return a === undefined || b === undefined
        ? { issues: [{ message: 'needs a and b', path: [{ key: 'a' }] }] }
        : { value: { sum: Number(a) + Number(b) } };
    },
  },
};
Object.assign(globalThis, { pairSchema });

let server: TestServer;
let api: Api;
let path: string;
const root = { headers: rootBasic };
beforeAll(async () => {
  server = await startServer({
    models: { 'order.js': orderFile },
    environment: { ADMIN_EMAIL: emailOf('root'), ADMIN_PASSWORD: passwordOf('root') },
    mcp: 'write',
  });
  api = server.dossier.api.as('system');
  const { document } = await server.post('/api/order', { title: 'first' }, root);
  path = `/call/order/${String(document['_id'])}`;
});

const faultsOf = (body: Readonly<Record<string, any>>): readonly (readonly [string, string])[] =>
  (body['errors'] as readonly { path: string; kind: string }[]).map((fault) => [fault.path, fault.kind]);

describe('an input that its schema refuses', () => {
  test.each<[string, unknown, readonly (readonly [string, string])[]]>([
    ['a missing value', {}, [['part', 'required']]],
    [
      'a misspelt name',
      { prt: 'wheel' },
      [
        ['part', 'required'],
        ['prt', 'additionalProperties'],
      ],
    ],
    ['another type', { part: 5 }, [['part', 'type']]],
    ['a text for a number', { part: 'wheel', count: '2' }, [['count', 'type']]],
    ['a value out of bounds', { part: 'wheel', count: 0 }, [['count', 'minimum']]],
    ['a member of a list', { part: 'wheel', marks: [1, 'x'] }, [['marks.1', 'type']]],
    ['an operator', { part: { $gt: '' } }, [['part', 'type']]],
    ['no object', 'wheel', [['', 'type']]],
  ])('is a 400 for %s, and the function does not run', async (_what, input, faults) => {
    const { status, body } = await server.post(`${path}/addPart`, input, root);
    expect(status).toBe(400);
    expect([...faultsOf(body)].sort()).toEqual([...faults].sort());
    expect(JSON.stringify(body)).not.toContain('first');
  });

  test('is an error of api', async () => {
    const { document } = await server.post('/api/order', { title: 'second' }, root);
    const call = api.model('order').call('addPart', { prt: 'wheel' }, { id: String(document['_id']) });
    await expect(call).rejects.toMatchObject({ status: 400 });
  });

  test('is refused after the right and the document', async () => {
    expect((await server.post(`${path}/addPart`, {})).status).toBe(401);
    const missing = path.replace(/\w{24}/, '0'.repeat(24));
    expect((await server.post(`${missing}/addPart`, {}, root)).status).toBe(404);
  });

  test('of a Standard Schema has its messages and paths', async () => {
    const { status, body } = await server.post('/call/order/sum', { b: 1 }, root);
    expect({ status, faults: faultsOf(body) }).toEqual({ status: 400, faults: [['a', 'schema']] });
    expect(JSON.stringify(body)).toContain('a in the input: needs a and b');
  });

  test('of a schema that throws is a 500 that tells nothing', async () => {
    const { status, text } = await server.post('/call/order/sum', { a: 'throws' }, root);
    expect(status).toBe(500);
    expect(text).not.toContain('secret');
  });
});

describe('an input that fits', () => {
  test('reaches the function with its defaults', async () => {
    const { body } = await server.post(`${path}/addPart`, { part: 'wheel' }, root);
    expect(body).toEqual({ data: { title: 'first', part: 'wheel', count: 1 } });
  });

  test.each([
    ['part=wheel&count=2', { part: 'wheel', count: 2 }],
    ['part=wheel&urgent=true', { part: 'wheel', count: 1, urgent: true }],
    ['part=wheel&marks=4', { part: 'wheel', count: 1, marks: [4] }],
    ['part=wheel&marks[0]=4&marks[1]=5', { part: 'wheel', count: 1, marks: [4, 5] }],
    ['part=5', { part: '5', count: 1 }],
  ])('of a query string (%s) has the types of the schema', async (query, expected) => {
    const { body } = await server.get(`${path}/addPart?${query}`, root);
    expect(body).toEqual({ data: { title: 'first', ...expected } });
  });

  test('of a query string is not `showDeleted`, by which a deleted document is found', async () => {
    const { document } = await server.post('/api/order', { title: 'deleted' }, root);
    const id = String(document['_id']);
    expect((await server.remove(`/api/order/${id}`, root)).status).toBe(200);
    const call = `/call/order/${id}/addPart?part=wheel`;
    expect((await server.get(call, root)).status).toBe(404);
    const { body } = await server.get(`${call}&showDeleted=true&_silence=true`, root);
    expect(body).toEqual({ data: { title: 'deleted', part: 'wheel', count: 1 } });
  });

  test('of a query string that does not fit is a 400', async () => {
    const { status, body } = await server.get(`${path}/addPart?part=wheel&count=many`, root);
    expect({ status, faults: faultsOf(body) }).toEqual({ status: 400, faults: [['count', 'type']] });
  });

  test('has the form that a Standard Schema gives it', async () => {
    expect((await server.post('/call/order/sum', { a: 1, b: '2' }, root)).body).toEqual({ data: { sum: 3 } });
  });

  test('is not looked at without a schema', async () => {
    expect((await server.post('/call/order/plain', { any: [1] }, root)).body).toEqual({ data: { any: [1] } });
    expect((await server.get('/call/order/plain?a=1', root)).body).toEqual({ data: { a: '1' } });
  });
});

describe('what describes a model', () => {
  test('lists the functions that the caller may call', async () => {
    const { body } = await server.get('/model/order', root);
    expect((body['data'] as Record<string, unknown>)['functions']).toEqual([
      {
        ...{ name: 'addPart', on: 'document', label: 'Add a part', confirm: 'Add it?', effect: 'write' },
        input: expect.objectContaining({ required: ['part'] }),
        answer: { type: 'object', properties: { part: { type: 'string' } } },
      },
      { name: 'sum', on: 'model', effect: 'read' },
      { name: 'plain' },
    ]);
  });

  test('lists those of a caller with fewer rights', async () => {
    await server.post('/api/user', { email: emailOf('ann'), password: passwordOf('ann') }, root);
    const { body: login } = await server.post('/login', { email: emailOf('ann'), password: passwordOf('ann') });
    const ann = { headers: { authorization: `Bearer ${String(login['token'])}` } };
    const { body } = await server.get('/model/order', ann);
    const { functions } = body['data'] as { functions: readonly { name: string }[] };
    expect(functions.map(({ name }) => name)).toEqual(['addPart', 'sum', 'plain']);
    expect((await server.get('/model/order')).status).toBe(404);
  });

  test('OpenAPI has the schemas of each function', async () => {
    const { body } = await server.get('/openapi.json', root);
    const paths = body['paths'] as Record<string, Record<string, any>>;
    const { post, get } = paths['/call/order/{id}/addPart'] ?? {};
    expect(post).toMatchObject({
      summary: 'Add a part',
      requestBody: { required: true, content: { 'application/json': { schema: { required: ['part'] } } } },
      responses: { 200: { content: { 'application/json': { schema: { properties: { data: { type: 'object' } } } } } } },
    });
    const parameters = get?.['parameters'] as readonly { name?: string; required?: true }[];
    expect(parameters.map(({ name, required }) => [name, required])).toEqual(
      expect.arrayContaining([
        ['part', true],
        ['count', undefined],
      ]),
    );
  });
});

const withRule = (rule: unknown): Parameters<typeof startServer>[0] => {
  const schema = new mongoose.Schema({ a: String }, { callable_statics: { go: rule } } as object);
  Object.assign(schema.statics, { go: () => 1 });
  return { models: {}, plugins: [definePlugin({ name: 'one', models: { thing: schema } })] };
};
test.each<[string, unknown, RegExp]>([
  ['an unknown option', { needs: 'r', lable: 'x' }, /callable_statics\.go\.lable is unknown.*did you mean "label"/],
  ['no letter', { label: 'x' }, /callable_statics\.go\.needs must be one letter/],
  ['an empty label', { needs: 'r', label: ' ' }, /callable_statics\.go\.label must be text of 1 to 80 characters/],
  [
    'a long question',
    { needs: 'r', confirm: 'x'.repeat(501) },
    /callable_statics\.go\.confirm must be text of 1 to 500/,
  ],
  [
    'a wrong effect',
    { needs: 'r', effect: 'reads' },
    /callable_statics\.go\.effect must be "read" or "write", got "reads"/,
  ],
  [
    'an input that is no schema',
    { needs: 'r', input: 5 },
    /callable_statics\.go\.input must be a JSON Schema or a Standard Schema, got 5/,
  ],
  [
    'a wrong JSON Schema',
    { needs: 'r', input: { type: 'strin' } },
    /callable_statics\.go\.input is no valid JSON Schema/,
  ],
  [
    'a wrong Standard Schema',
    { needs: 'r', input: { '~standard': {} } },
    /callable_statics\.go\.input must be a Standard Schema of version 1/,
  ],
  [
    'a pattern that takes long',
    { needs: 'r', input: { type: 'string', pattern: '^(?=(a+)+$)b' } },
    /could take very long/,
  ],
  ['an answer that is no schema', { needs: 'r', answer: [] }, /callable_statics\.go\.answer must be a JSON Schema/],
])('%s stops the start', async (_what, rule, fault) => {
  await expect(startServer(withRule(rule))).rejects.toThrow(fault);
});
