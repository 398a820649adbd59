/** What the log has about a request that is refused: the client's address, the reason, and at debug the rights that do not cover a document. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { byKey, makeKey } from '../support/fixtures/keys.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';

type Line = Readonly<Record<string, unknown>>;

const ticket = `import { Schema } from 'mongoose';
const schema = new Schema({ title: String, open: Boolean, team: String }, {
  perms: {
    all: 'r',
    user: { c: { where: { open: true } }, u: { where: { open: true, team: { $ne: 'CANARY' } } } },
    owner: 'd',
    agents: { u: { where: { team: '$user.name' } } },
  },
  callable_statics: { close: { needs: 'u', on: 'document' }, refuse: 'r' },
});
schema.statics.close = () => 'closed';
schema.statics.refuse = ({ secret }) => {
  throw Object.assign(new Error(\`no \${secret}\`), { statusCode: 403, expose: true });
};
export default schema;`;
const note = `import { Schema } from 'mongoose';
export default new Schema({ title: String }, { perms: { admin: 'crud' } });`;

let server: PeopledServer<'root' | 'eve'>;
let shut: string;
beforeAll(async () => {
  server = await openPeople(['root', 'eve'], { models: { ticket, note }, trust_proxy: 1 });
  const made = await server.dossier.services.connection
    .collection('tickets')
    .insertOne({ title: 'shut', open: false, team: 'CANARY', _deleted: false, __v: 0 });
  shut = made.insertedId.toHexString();
});

/** The lines of one request. */
async function linesOf(send: () => Promise<unknown>): Promise<readonly Line[]> {
  const from = server.log.length;
  const lines = (): Line[] => server.log.slice(from).map((line) => JSON.parse(line) as Line);
  await send();
  await until(() => lines().some(({ msg }) => msg === 'request'));
  return lines();
}
const requestOf = (lines: readonly Line[]): Line => lines.find(({ msg }) => msg === 'request') ?? {};

describe('the address', () => {
  test.each([
    ['of the connection', {}, expect.stringMatching(/^(::ffff:)?127\.0\.0\.1$/)],
    ['that the proxy states', { 'x-forwarded-for': '203.0.113.7' }, '203.0.113.7'],
    ['that the last proxy states', { 'x-forwarded-for': '198.51.100.1, 2001:db8::7' }, '2001:db8::7'],
    ['without the port', { 'x-forwarded-for': '203.0.113.7:10001' }, '203.0.113.7'],
    ['is left out where it is none', { 'x-forwarded-for': 'CANARY' }, undefined],
  ])('%s', async (_, headers, address) => {
    const lines = await linesOf(() => server.get('/api/ticket', { headers }));
    expect(requestOf(lines)['address']).toEqual(address);
    expect(JSON.stringify(lines)).not.toContain('CANARY');
  });
});

describe('an upgrade to a WebSocket', () => {
  const upgrade = (path: string, headers: Record<string, string>): Promise<unknown> =>
    new Promise((done) => {
      const socket = new WebSocket(server.url.replace('http', 'ws') + path, { headers });
      socket.on('unexpected-response', (_request, answer) => answer.resume().on('end', done));
      socket.on('error', () => undefined);
    });

  test.each([
    ['with a wrong token', '/websocket', { authorization: 'Bearer da_CANARY' }, 401, /token/],
    ['with a wrong key', '/websocket', byKey('CANARY'), 401, /key/],
    ['of another path', '/nowhere', {}, 404, undefined],
  ])('%s has a line as a request has', async (_, path, headers, status, reason) => {
    const lines = await linesOf(() => upgrade(path, { ...headers, 'x-forwarded-for': '203.0.113.7' }));
    const line = requestOf(lines);
    expect(line).toMatchObject({ method: 'GET', status, address: '203.0.113.7', id: expect.any(String) });
    if (reason === undefined) expect(line).not.toHaveProperty('reason');
    else expect(line['reason']).toMatch(reason);
    expect(JSON.stringify(lines)).not.toContain('CANARY');
  });
});

describe('the reason', () => {
  test.each([
    ['without a credential', '/api/note', {}, 401, /sign in/],
    ['with a wrong token', '/api/note', { authorization: 'Bearer da_CANARY' }, 401, /token/],
    ['with a wrong key', '/api/note', byKey('CANARY'), 401, /key/],
    ['with a wrong password', '/api/note', { authorization: `Basic ${btoa('eve@x.test:CANARY')}` }, 401, /./],
  ])('is in the line of a request %s', async (_, path, headers, status, reason) => {
    const lines = await linesOf(() => server.get(path, { headers }));
    expect(requestOf(lines)).toMatchObject({ status, reason: expect.stringMatching(reason) });
    expect(JSON.stringify(lines)).not.toContain('CANARY');
  });

  test('is in the line of a request without the right', async () => {
    const { eve } = server.callers;
    const refused = await linesOf(() => server.get('/api/note', eve));
    expect(requestOf(refused)).toMatchObject({ status: 403, user: eve.user_id, reason: 'you may not read notes' });
    const key = await makeKey(server, eve, { scopes: { ticket: 'r' } });
    const closed = await linesOf(() => server.get('/login/sessions', key));
    expect(requestOf(closed)).toMatchObject({ status: 403, reason: expect.stringContaining('scopes') });
  });

  test('is not in that of any other request', async () => {
    for (const path of ['/api/ticket', '/api/nosuch', '/api/ticket?nosuch=1', `/api/ticket/${'0'.repeat(24)}`])
      expect(requestOf(await linesOf(() => server.get(path)))).not.toHaveProperty('reason');
  });

  test('does not repeat what the code of a model says, which may be a value', async () => {
    const lines = await linesOf(() => server.post('/call/ticket/refuse', { secret: 'CANARY' }, server.callers.eve));
    expect(requestOf(lines)).toMatchObject({ status: 403, reason: 'the code of a model or a hook refuses it' });
    expect(JSON.stringify(lines)).not.toContain('CANARY');
  });
});

describe('a document that the rights do not cover', () => {
  const update = ['perms.user.u where open, team'];
  test.each<
    [
      string,
      string,
      () => Promise<{ readonly status: number; readonly body: Readonly<Record<string, any>> }>,
      readonly string[],
    ]
  >([
    ['PUT', 'u', () => server.put(`/api/ticket/${shut}`, { title: 'x' }, server.callers.eve), update],
    ['a patch', 'u', () => server.as('eve', 'PATCH', `/api/ticket/${shut}`, { body: { title: 'x' } }), update],
    ['/update', 'u', () => server.put(`/update/ticket/${shut}`, { title: 'x' }, server.callers.eve), update],
    ['a function', 'u', () => server.post(`/call/ticket/${shut}/close`, {}, server.callers.eve), update],
    ['DELETE', 'd', () => server.remove(`/api/ticket/${shut}`, server.callers.eve), ['perms.owner.d']],
    ['POST', 'c', () => server.post('/api/ticket', { open: false }, server.callers.eve), ['perms.user.c where open']],
  ])('by %s: the caller learns the letter, and the log has the rights at debug', async (_, letter, send, rights) => {
    let answer: Awaited<ReturnType<typeof send>> | undefined;
    const lines = await linesOf(async () => (answer = await send()));
    expect(answer?.status).toBe(403);
    expect(answer?.body['errors']).toMatchObject([{ path: '_id', kind: letter }]);
    expect(JSON.stringify(answer?.body)).not.toMatch(/open|team|perms|CANARY/);
    expect(requestOf(lines)).toMatchObject({ status: 403, reason: answer?.body['err'] });
    const detail = lines.find(({ msg }) => msg === 'the rights do not cover the document');
    expect(detail).toMatchObject({ level: 'debug', id: requestOf(lines)['id'], model: 'ticket', letter, rights });
    expect(JSON.stringify(lines)).not.toContain('CANARY');
  });
});
