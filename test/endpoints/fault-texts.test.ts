/** The texts of failures say where and what: JSON that is malformed, limits with their settings, callable functions, update operators. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from '../support/connection.ts';
import { type Callers, makeCallers } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

const many = Array.from({ length: 25 }, (_, at) => `f${at}`);
const models = {
  book: `module.exports = ({ Schema }) => {
  const book = new Schema({ title: String, tags: [String], isbn: { type: String, unique: true, sparse: true } }, {
    perms: { all: 'cru', admin: 'crud' },
    advanced_queries: { query: true, aggregate: true },
    callable_statics: {
      stats: 'r', whoami: { needs: 'r', on: 'model' }, discount: { needs: 'u', on: 'document' }, purge: 'd',
    },
  });
  for (const name of ['stats', 'whoami', 'discount', 'purge', 'unlisted']) book.statics[name] = () => name;
  return book;
};`,
  plain: `module.exports = ({ Schema }) => new Schema({ title: String }, { perms: { all: 'crud' } });`,
  crowded: `module.exports = ({ Schema }) => {
  const crowded = new Schema({ title: String }, { perms: { all: 'crud' }, callable_statics: ${JSON.stringify(many)} });
  for (const name of ${JSON.stringify(many)}) crowded.statics[name] = () => name;
  return crowded;
};`,
};

let server: TestServer;
let callers: Callers<'root' | 'ann'>;
let id: string;
beforeAll(async () => {
  server = await startServer({ models, max_body_size: 20_000, query_limits: { max_response_size: 30_000 } });
  callers = await makeCallers(server, ['root', 'ann']);
  for (let made = 0; made < 4; made++)
    id = String((await server.post('/api/book', { title: 'x'.repeat(10_000) })).document['_id']);
});

const refusal = (status: number, err: string): object => ({ status, body: { err } });

describe('JSON that is malformed', () => {
  const headers = { 'content-type': 'application/json' };
  const text = '{\n  "title": "one",\n}';
  const where = 'line 3, column 1: expected a name in double quotes, got "}"';

  test.each(['POST /api/book', 'POST /query/book', 'POST /batch', 'POST /login', 'POST /call/book/stats'])(
    '%s',
    async (request) => {
      const [method = '', path = ''] = request.split(' ');
      expect(await server.send(method, path, { raw: text, headers })).toMatchObject({
        status: 400,
        body: { message: 'Bad request body', err: `the body is not well-formed JSON: ${where}` },
      });
    },
  );

  test('a patch', async () => {
    const sent = { raw: '[{"op": "add",]', headers: { 'content-type': 'application/json-patch+json' } };
    expect(await server.send('PATCH', `/api/book/${id}`, sent)).toMatchObject(
      refusal(400, 'the body is not well-formed JSON: line 1, column 15: expected a name in double quotes, got "]"'),
    );
  });

  test('a message of the WebSocket', async () => {
    const socket = await connect(server.url, callers.ann.headers);
    socket.socket.send(text);
    await socket.when(() => socket.received.length > 0);
    socket.socket.terminate();
    expect(socket.received[0]).toMatchObject({
      status: 'error',
      message: `Bad request: a message must be a JSON object: ${where}`,
    });
  });
});

describe('a limit of sizes names its setting', () => {
  const answer = /^an answer must have at most 30000 bytes \(QUERY_LIMITS_MAX_RESPONSE_SIZE\)/;
  test.each<[string, RegExp, () => Promise<{ status: number; body: unknown }>]>([
    ['a list', answer, () => server.get('/api/book')],
    ['a CSV', answer, () => server.get('/csv/book?limit=10')],
    ['a pipeline', answer, () => server.post('/aggregate/book', [{ $match: {} }])],
    [
      'a body',
      /^a body must have at most 20000 bytes \(MAX_BODY_SIZE\)$/,
      () => server.post('/api/book', { title: 'x'.repeat(20_001) }),
    ],
  ])('%s', async (_name, err, request) => {
    expect(await request()).toMatchObject({ status: 413, body: { err: expect.stringMatching(err) } });
  });

  needs('transactions')('references of a batch', async () => {
    const make = { ref: 'one', method: 'POST', path: '/api/book', body: { title: 'x'.repeat(10_000) } };
    const use = { method: 'POST', path: '/api/book', body: { tags: ['$one.title', '$one.title'] } };
    const { headers } = callers.root;
    expect(await server.post('/batch', { operations: [make, use] }, { headers })).toMatchObject(
      refusal(413, "the values of an operation's references must have at most 20000 bytes together (MAX_BODY_SIZE)"),
    );
  });
});

describe('a function that is not callable is answered with those that the caller may call', () => {
  const none = 'book has no callable function with this name';
  test.each([
    ['ann', '/call/book/statts', `${none}; you may call stats, whoami on the model; did you mean "stats"?`],
    ['ann', '/call/book/unlisted', `${none}; you may call stats, whoami on the model`],
    ['root', '/call/book/unlisted', `${none}; you may call stats, whoami, purge on the model`],
    ['ann', '/call/book/{id}/discont', `${none}; you may call stats, discount on a document; did you mean "discount"?`],
    ['ann', '/call/plain/stats', 'plain has no callable function with this name'],
    [
      'ann',
      '/call/crowded/zzz',
      `crowded has no callable function with this name; you may call ${many.slice(0, 20).join(', ')} and 5 more on the model`,
    ],
  ] as const)('%s: %s', async (caller, path, err) => {
    const { headers } = callers[caller];
    for (const method of ['GET', 'POST'])
      expect(
        await server.send(method, path.replace('{id}', id), { headers, ...(method === 'GET' ? {} : { body: {} }) }),
      ).toMatchObject(refusal(403, err));
  });
});

describe('update operators where a body has fields', () => {
  const err =
    '$push is not accepted here: the body consists of the fields to set; send update operators with PATCH /api/book/{id}, as application/json';
  const update = { $push: { tags: 'new' } };

  test.each([
    'PUT /api/book/{id}',
    'PUT /update/book/{id}',
    'POST /update/book/{id}',
    'POST /api/book',
    'PUT /api/book?on=isbn',
  ])('%s names PATCH', async (request) => {
    const [method = '', path = ''] = request.split(' ');
    expect(await server.send(method, path.replace('{id}', id), { body: { isbn: '1', ...update } })).toMatchObject(
      refusal(400, err),
    );
  });

  test('a merge patch names the media type', async () => {
    const sent = { raw: JSON.stringify(update), headers: { 'content-type': 'application/merge-patch+json' } };
    expect(await server.send('PATCH', `/api/book/${id}`, sent)).toMatchObject(refusal(400, err));
  });

  test('what the text names works', async () => {
    const { status } = await server.send('PATCH', `/api/book/${id}?fields=tags`, { body: update });
    const { tags } = (await server.get(`/api/book/${id}?fields=tags`)).document;
    expect([status, tags]).toEqual([200, ['new']]);
  });
});
