/** The tool `history`: the entries that the caller sees by REST, in portions; offered only where a model has histories. */
import { beforeAll, expect, test } from '@jest/globals';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { agentAt, callAt, type Result } from '../support/mcp.ts';

const film = (perms: string): string => `module.exports = new (require('mongoose').Schema)({
  title: String, cost: { type: Number, perms: { admin: 'cru' } } }, { perms: ${perms}, history: true });`;
const models = {
  'film.js': film("{ admin: 'crud', user: 'r' }"),
  'draft.js': film("{ admin: 'crud' }"),
  'plain.js': `module.exports = new (require('mongoose').Schema)({ title: String }, { perms: { admin: 'crud', all: 'r' } });`,
};

type Caller = 'root' | 'ann' | 'anonymous';

let server: PeopledServer<'root' | 'ann'>;
let id = '';
beforeAll(async () => {
  server = await openPeople(['root', 'ann'], { models, mcp: 'write' });
  id = String((await server.as('root', 'POST', '/api/film', { body: { title: 'M', cost: 1 } })).document['_id']);
  for (let cost = 2; cost <= 30; cost++) await server.as('root', 'PUT', `/api/film/${id}`, { body: { cost } });
  await server.as('root', 'PUT', `/api/film/${id}`, { body: { title: 'N' } });
});

const headersOf = (caller: Caller): Readonly<Record<string, string>> =>
  caller === 'anonymous' ? {} : server.callers[caller].headers;
const history = (caller: Caller, given: object): Promise<Result> =>
  callAt(server, 'history', given as Readonly<Record<string, unknown>>, headersOf(caller));

test.each(['root', 'ann'] as const)('%s receives the entries that REST shows them', async (caller) => {
  const { structuredContent } = await history(caller, { model: 'film', id, limit: 5 });
  const { body } = await server.as(caller, 'GET', `/history/film/${id}?limit=5`);
  const { next_cursor: _, ...page } = structuredContent;
  expect(page).toEqual({ data: body['data'], limit: 5 });
  expect(page.data[0]).toMatchObject({ rev: 31, op: 'change', changes: [{ path: 'title', from: 'M', to: 'N' }] });
  const { changes } = page.data[1];
  expect(changes).toEqual(caller === 'root' ? [{ path: 'cost', from: 29, to: 30 }] : []);
});

test('a cursor leads to the following entries, down to the first one', async () => {
  const revs: number[] = [];
  let after: string | undefined;
  do {
    const { structuredContent } = await history('ann', {
      model: 'film',
      id,
      ...(after === undefined ? {} : { after }),
    });
    revs.push(...(structuredContent.data as { rev: number }[]).map(({ rev }) => rev));
    after = structuredContent.next_cursor;
  } while (after !== undefined);
  expect(revs).toEqual(Array.from({ length: 31 }, (_, at) => 31 - at));
});

test('what an agent writes has mcp as its way', async () => {
  await callAt(server, 'update', { model: 'film', id, fields: { title: 'M' } }, headersOf('root'));
  const { structuredContent } = await history('root', { model: 'film', id, limit: 1 });
  expect(structuredContent.data).toMatchObject([
    { rev: 32, via: 'mcp', changes: [{ path: 'title', from: 'N', to: 'M' }] },
  ]);
});

test.each<[what: string, caller: Caller, given: object, status: RegExp]>([
  ['a model without history', 'root', { model: 'plain', id: '5'.repeat(24) }, /nothing at this path/],
  ['a model that the caller may not read', 'ann', { model: 'draft', id: '5'.repeat(24) }, /draft/],
  ['an unknown document', 'root', { model: 'film', id: '5'.repeat(24) }, /5{24}/],
  ['an unknown argument', 'root', { model: 'film', id: '5'.repeat(24), rev: 1 }, /rev/],
])('refuses %s', async (_, caller, given, status) => {
  const { isError, content } = await history(caller, given);
  expect(isError).toBe(true);
  expect(content[0]?.text).toMatch(status);
});

test.each<[Caller, boolean]>([
  ['root', true],
  ['ann', true],
  ['anonymous', false],
])('is offered to %s: %s', async (caller, isOffered) => {
  const agent = await agentAt(server.url, headersOf(caller));
  expect((await agent.tools()).some(({ name }) => name === 'history')).toBe(isOffered);
});
