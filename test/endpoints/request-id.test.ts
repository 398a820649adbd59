/** Each answer names its request, and each line of the log of that request has the name. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { startServer, type TestServer } from '../support/server.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';
const anyId = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    models: {
      film: ({ Schema }) => {
        const schema = new Schema(
          { title: String },
          { perms: { all: 'crud' }, callable_statics: { fails: 'r' }, history: true },
        );
        schema.statics['fails'] = () => {
          throw new Error('a fault');
        };
        return schema;
      },
    },
  });
});

describe('the id of a request', () => {
  const rows: readonly [string, Readonly<Record<string, string>>, string | RegExp][] = [
    ['nothing', {}, anyId],
    ['an id', { 'x-request-id': 'abc.DEF_123-x' }, 'abc.DEF_123-x'],
    ['8 characters', { 'x-request-id': 'a'.repeat(8) }, 'a'.repeat(8)],
    ['64 characters', { 'x-request-id': 'a'.repeat(64) }, 'a'.repeat(64)],
    ['7 characters', { 'x-request-id': 'a'.repeat(7) }, anyId],
    ['65 characters', { 'x-request-id': 'a'.repeat(65) }, anyId],
    ['another character', { 'x-request-id': 'abc def 123' }, anyId],
    ['a quotation mark', { 'x-request-id': 'abcdefgh"' }, anyId],
    ['a trace', { traceparent: `00-${trace}-${parent}-01` }, trace],
    ['a trace of a later version', { traceparent: `01-${trace}-${parent}-01-more` }, trace],
    ['both', { 'x-request-id': 'abcdefgh', traceparent: `00-${trace}-${parent}-01` }, 'abcdefgh'],
    ['a bad id and a trace', { 'x-request-id': 'abc', traceparent: `00-${trace}-${parent}-01` }, trace],
    ['a trace of zeros', { traceparent: `00-${'0'.repeat(32)}-${parent}-01` }, anyId],
    ['a parent of zeros', { traceparent: `00-${trace}-${'0'.repeat(16)}-01` }, anyId],
    ['the forbidden version', { traceparent: `ff-${trace}-${parent}-01` }, anyId],
    ['a trace in capitals', { traceparent: `00-${trace.toUpperCase()}-${parent}-01` }, anyId],
  ];

  test.each(rows)('of a request with %s', async (_, headers, expected) => {
    const answer = await fetch(`${server.url}/api/film`, { headers });
    const id = answer.headers.get('x-request-id') ?? '';
    if (typeof expected === 'string') expect(id).toBe(expected);
    else expect(id).toMatch(expected);
    expect(linesOf(id).at(-1)).toMatchObject({ msg: 'request', path: '/api/film', status: 200 });
  });

  test.each([
    ['a list', 'GET', '/api/film', 200],
    ['an unknown path', 'GET', '/nothing', 404],
    ['a refused method', 'PATCH', '/health', 405],
    ['a request without a login', 'GET', '/login/sessions', 401],
    ['a bad path', 'GET', '/api/%ff', 400],
    ['the health check', 'GET', '/health', 200],
    ['a stream', 'GET', '/events/film', 200],
    ['a page', 'GET', '/', 200],
  ])('is in the answer to %s', async (_, method, path, status) => {
    const answer = await fetch(server.url + path, { method, headers: { 'x-request-id': 'given-id-1' } });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([status, 'given-id-1']);
    await answer.body?.cancel();
  });

  test('is the request_id of a 500, of its lines and of the history', async () => {
    const headers = { 'x-request-id': 'given-id-2' };
    const failed = await server.send('GET', '/call/film/fails', { headers });
    expect([failed.status, failed.body['request_id']]).toEqual([500, 'given-id-2']);
    expect(linesOf('given-id-2').map(({ msg }) => msg)).toEqual(expect.arrayContaining(['failed', 'request']));
    const made = await server.post('/api/film', { title: 'A' }, { headers });
    const { body } = await server.get(`/history/film/${String(made.document['_id'])}`);
    expect(body['data']).toMatchObject([{ request_id: 'given-id-2' }]);
  });

  test('is in the answer to what is no request of HTTP', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.end('nothing\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString('latin1')).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
  });

  test('is in the answer to an upgrade, accepted or refused', async () => {
    const upgrade = async (path: string): Promise<unknown> => {
      const socket = new WebSocket(server.url.replace('http', 'ws') + path, {
        headers: { 'x-request-id': 'given-id-3' },
      });
      socket.on('error', () => undefined);
      const accepted = once(socket, 'upgrade').then(([answer]) => answer as { headers: object });
      const refused = once(socket, 'unexpected-response').then(([, answer]) => answer as { headers: object });
      const { headers } = await Promise.race([accepted, refused]);
      socket.terminate();
      return (headers as Record<string, unknown>)['x-request-id'];
    };
    expect(await upgrade('/websocket')).toBe('given-id-3');
    expect(await upgrade('/elsewhere')).toBe('given-id-3');
  });
});

const linesOf = (id: string): { readonly id?: string; readonly msg?: string }[] =>
  server.log.map((line) => JSON.parse(line) as { readonly id?: string }).filter((line) => line.id === id);
