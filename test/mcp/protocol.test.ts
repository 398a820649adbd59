/** MCP at `/mcp`: both eras of clients, credentials, and what is refused (docs/mcp.md). */
import { request } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { agentAt, callAt, currentRevision, eras, message } from '../support/mcp.ts';
import { startServer } from '../support/server.ts';

const models = {
  'film.ts': `import { Schema } from 'mongoose';
export default new Schema(
  { title: { type: String, required: true }, year: Number },
  { perms: { admin: 'crud', user: 'cr', all: 'r' } },
);`,
  'secret.ts': `import { Schema } from 'mongoose';
export default new Schema({ word: String }, { perms: { admin: 'crud' } });`,
};

let server: PeopledServer<'root' | 'ann'>;
beforeAll(async () => {
  server = await openPeople(['root', 'ann'], { models, url_credentials: true });
  for (const [title, year] of [
    ['Alien', 1979],
    ['Brazil', 1985],
    ['Casino', 1995],
  ] as const)
    await server.as('root', 'POST', '/api/film', { body: { title, year } });
});

describe.each(eras)('a client of the %s era', (era) => {
  test('negotiates, lists tools and calls them', async () => {
    const agent = await agentAt(server.url, server.callers.ann.headers, era);
    expect(agent.revision).toBe(era === 'current' ? currentRevision : '2025-11-25');
    expect((await agent.tools()).map(({ name }) => name)).toEqual([
      ...['list_models', 'describe_model', 'find', 'get', 'count', 'distinct', 'aggregate'],
    ]);
    const { structuredContent, content } = await agent.call('find', {
      model: 'film',
      filter: { year: { $gte: 1980 } },
      sort: '-year',
      fields: ['title'],
    });
    expect(structuredContent).toMatchObject({ data: [{ title: 'Casino' }, { title: 'Brazil' }], limit: 20 });
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
  });

  test('gets the reason of a refusal as the result, and an error for an unknown tool', async () => {
    const agent = await agentAt(server.url, {}, era);
    const refused = await agent.call('find', { model: 'film', filtre: {} });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: '"filtre" is not an argument of find; did you mean "filter"?' }],
    });
    await expect(agent.call('fnd', {})).rejects.toThrow('there is no tool "fnd"; did you mean "find"?');
  });
});

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** The status of a message with any headers: `fetch` sets `Host` itself. */
const statusOf = (url: string, headers: Record<string, string>): Promise<number> =>
  new Promise((answered, failed) => {
    const sent = { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const req = request(`${url}/mcp`, { method: 'POST', headers: sent }, (res) => {
      res.resume();
      answered(res.statusCode ?? 0);
    });
    req.on('error', failed).end(JSON.stringify(list));
  });

describe('credentials', () => {
  test('are taken as everywhere, and keys as Bearer, too', async () => {
    const { ann } = server.callers;
    const made = await server.as('ann', 'POST', '/login/keys', { body: { name: 'agent' } });
    const { key } = made.body['data'] as { key: string };
    for (const headers of [
      ann.headers,
      { authorization: `Bearer ${ann.apikey}` },
      { authorization: `Bearer ${key}` },
      { 'x-api-key': key },
      { authorization: `Basic ${Buffer.from(`${ann.email}:${ann.password}`).toString('base64')}` },
    ]) {
      const { structuredContent } = await callAt(server, 'count', { model: 'film' }, headers);
      expect(structuredContent).toEqual({ count: 3 });
    }
    // elsewhere they are no bearer tokens
    const other = await server.get('/api/film', { headers: { authorization: `Bearer ${key}` } });
    expect(other.status).toBe(401);
  });

  test.each(['Bearer dn_wrong', 'Bearer dk_wrong', 'Bearer da_wrong', 'Basic eDp5', 'Digest x'])(
    '%s is a 401 that names the metadata of the resource',
    async (authorization) => {
      const answer = await message(server, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { authorization });
      const url = `${server.url}/.well-known/oauth-protected-resource`;
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer realm="dossier", resource_metadata="${url}", Basic realm="dossier", charset="UTF-8"`,
      );
      expect(answer.body).toMatchObject({ status: 'fail' });
      const described = await fetch(url);
      expect([described.status, await described.json()]).toEqual([
        200,
        {
          resource: `${server.url}/mcp`,
          bearer_methods_supported: ['header'],
          resource_name: 'Dossier',
          resource_documentation: `${server.url}/docs/guides/mcp`,
        },
      ]);
    },
  );

  test('anonymous callers get what `all` may', async () => {
    const { structuredContent } = await callAt(server, 'list_models', {});
    expect(structuredContent.data.map(({ name }: { name: string }) => name)).toEqual(['film']);
    const refused = await callAt(server, 'find', { model: 'secret' });
    const rest = await server.get('/api/secret');
    expect(refused).toMatchObject({ isError: true, content: [{ text: rest.body['err'] }] });
  });
});

describe('messages that are refused', () => {
  test('a batch, a form, another type, no body, and what is no message', async () => {
    expect((await message(server, [list, list])).status).toBe(400);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await server.post('/mcp', 'jsonrpc=2.0&id=1&method=tools/list', { headers: form })).status).toBe(415);
    expect((await server.post('/mcp', '<a/>', { headers: { 'content-type': 'text/xml' } })).status).toBe(415);
    expect((await server.post('/mcp', '{"jsonrpc":', { headers: { 'content-type': 'application/json' } })).status).toBe(
      400,
    );
    expect((await server.send('POST', '/mcp')).status).toBe(415);
    for (const body of [{}, null, 'text', 7, { jsonrpc: '1.0', id: 1, method: 'tools/list' }, { ...list, id: {} }]) {
      const answer = await message(server, body);
      expect([body, answer.status]).toEqual([body, 400]);
      expect(answer.body['error']).toMatchObject({ code: expect.any(Number) });
    }
  });

  test('other methods, of HTTP and of the protocol', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await server.send(method, '/mcp');
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
    const unknown = await message(server, { jsonrpc: '2.0', id: 7, method: 'resources/list' });
    expect(unknown.body).toMatchObject({ id: 7, error: { code: -32601 } });
    const note = await message(server, { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([note.status, note.text]).toEqual([202, '']);
  });

  test('a revision that is not known', async () => {
    expect((await message(server, list, { 'mcp-protocol-version': '2020-01-01' })).status).toBe(400);
  });

  test('a stream of changes ends at once: nothing of the tools changes without a request', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': currentRevision,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, _meta },
    };
    const answer = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': currentRevision,
        'mcp-method': 'subscriptions/listen',
      },
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"resultType":"complete"')]);
  });

  test('a body that is too large', async () => {
    const body = { ...list, params: { padding: 'x'.repeat(2 * 1024 ** 2) } };
    expect((await message(server, body)).status).toBe(413);
  });

  test('a foreign origin, where CORS_ORIGINS is set', async () => {
    const own = await startServer({ models, cors: { origins: 'https://app.example' } });
    const statusFrom = async (origin: string): Promise<number> => (await message(own, list, { origin })).status;
    expect(await statusFrom('https://evil.example')).toBe(403);
    expect(await statusFrom('null')).toBe(403);
    expect(await statusFrom('https://app.example')).toBe(200);
    expect(await statusFrom(own.url)).toBe(200);
    expect((await message(own, list)).status).toBe(200);
  });

  test.each<[string, Record<string, string>, number]>([
    ['a foreign origin', { origin: 'https://evil.example' }, 403],
    ['a page of this machine at another port', { origin: 'http://localhost:1' }, 403],
    ['a name that is pointed to it', { host: 'evil.example' }, 403],
    ['the same with its origin', { host: 'evil.example', origin: 'http://evil.example' }, 403],
    ['no host', { host: 'a b' }, 403],
    ['localhost', { host: 'localhost:4001', origin: 'http://localhost:4001' }, 200],
    ['an address of IPv6', { host: '[::1]:4001' }, 200],
    ['the host of API_URL', { host: 'api.example' }, 200],
    ['the origin of API_URL', { origin: 'https://api.example' }, 200],
  ])('on a loopback address: %s', async (_name, headers, status) => {
    const own = await startServer({
      models,
      ...(headers['host'] === 'localhost:4001' ? {} : { api_url: 'https://api.example/v1' }),
    });
    expect(await statusOf(own.url, headers)).toBe(status);
    await own.close();
  });

  test('on a public address any origin may use it by default', async () => {
    const own = await startServer({ models, host: '0.0.0.0' });
    const port = new URL(own.url).port;
    const headers = { host: 'api.example', origin: 'https://app.example' };
    expect(await statusOf(`http://127.0.0.1:${port}`, headers)).toBe(200);
    await own.close();
  });

  test('everything where MCP is off', async () => {
    const off = await startServer({ models, mcp: 'off' });
    expect((await message(off, list)).status).toBe(404);
    expect((await off.get('/.well-known/oauth-protected-resource')).status).toBe(404);
  });
});
