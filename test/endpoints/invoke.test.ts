/** Operations are invoked with plain values, without HTTP; the restrictions of a request are combined, never replaced. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Request } from '../../src/context.ts';
import type { SubscriptionAnswer } from '../../src/features/events/operations.ts';
import type { Answer } from '../../src/operations/answer.ts';
import { type Hooks, prepare } from '../../src/operations/invoke.ts';
import { anonymousPrincipal, type Principal } from '../../src/policy/principal.ts';
import { operationGroups } from '../../src/start/operations.ts';
import { logIn, makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let eve: Principal;
/** The ids of a document of eve and of one of root. */
const ids: Record<'eve' | 'root', string> = { eve: '', root: '' };
beforeAll(async () => {
  server = await startServer({
    models: {
      note: `module.exports = ({ Schema }) => new Schema({ title: String, n: Number }, {
  perms: { owner: 'crud', user: 'c' }, timestamps: true,
});`,
    },
  });
  const root = await makeRoot(server);
  await server.post('/api/user', { name: 'eve', email: 'eve@x.test', password: 'pw-eve-1' }, root);
  const caller = await logIn(server, 'eve');
  eve = await server.dossier.services.auth.byToken(caller.token, 'test');
  const made = async (n: number, as: typeof root) =>
    ((await server.post('/api/note', { title: 'a', n }, as)).body['data'] as { _id: string })._id;
  ids.eve = await made(1, caller);
  await made(2, caller);
  ids.root = await made(1, root);
});

const operations = operationGroups.flatMap((group) => group.operations);

function invoke(name: string, request: Partial<Request>, principal = eve, hooks?: Hooks): Promise<Answer | undefined> {
  const operation = operations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`there is no operation ${name}`);
  const whole = { params: { model: 'note' }, query: {}, body: undefined, headers: {}, url: '/', ...request };
  const verify = () => Promise.resolve(principal);
  const caller = { principal, verify, address: 'test', ip: 'test', stop: new AbortController() };
  return prepare(operation, server.dossier.services)(whole, caller, hooks);
}

const dataOf = (answer: Answer | undefined): unknown => {
  if (answer?.kind !== 'bytes') throw new Error(`an answer of the kind ${answer?.kind}`);
  return (JSON.parse(answer.body.toString()) as { data: unknown }).data;
};
const numbersOf = (answer: Answer | undefined) => (dataOf(answer) as { n: number }[]).map(({ n }) => n).sort();
const narrowing = (filter: Record<string, unknown>, after?: Hooks['after']): Hooks => ({
  before: ({ body }) => Promise.resolve({ body, filter }),
  after,
});

test('a list has the rows of the caller', async () => {
  expect(numbersOf(await invoke('documents.list', {}))).toEqual([1, 2]);
});

test.each([
  ['anonymous callers', 'documents.list', {}, anonymousPrincipal, 401],
  ['unknown models', 'documents.list', { params: { model: 'none' } }, undefined, 404],
  ['unknown parameters', 'documents.list', { query: { limt: '1' } }, undefined, 400],
  ['bodies of a wrong shape', 'documents.query', { body: { filter: {} } }, undefined, 400],
  ['operations that the model does not have', 'documents.bulkWrite', { body: [] }, undefined, 403],
  ['callers who are not admins', 'cache.clear', {}, undefined, 403],
] as const)('%s are refused', async (_, name, request, principal, status) => {
  await expect(invoke(name, request, principal)).rejects.toMatchObject({ status });
});

test('a hook restricts rows, and its filter is cast by the schema', async () => {
  expect(numbersOf(await invoke('documents.list', {}, eve, narrowing({ n: '2' })))).toEqual([2]);
});

test('hook, precondition and rights apply together', async () => {
  const params = (owner: 'eve' | 'root') => ({ model: 'note', id: ids[owner] });
  const tag = (await server.get(`/api/note/${ids.eve}`, { headers: (await logIn(server, 'eve')).headers })).headers.get(
    'etag',
  );
  const change = (headers: Request['headers'], filter: Record<string, unknown>, owner: 'eve' | 'root' = 'eve') =>
    invoke('documents.change', { params: params(owner), body: { title: 'b' }, headers }, eve, narrowing(filter));
  const current = { 'if-match': tag ?? '' };
  await expect(change({ 'if-match': '"9-9"' }, { n: 1 })).rejects.toMatchObject({ status: 412 });
  await expect(change(current, { n: 5 })).rejects.toMatchObject({ status: 404 });
  await expect(change({}, { n: 1 }, 'root')).rejects.toMatchObject({ status: 404 });
  expect(await change(current, { n: 1 })).toMatchObject({ kind: 'json', status: 200 });
});

test('a hook that answers ends the request', async () => {
  const hooks = { before: () => Promise.resolve(undefined), after: undefined };
  expect(await invoke('documents.create', { body: { title: 'never' } }, eve, hooks)).toBeUndefined();
  expect(numbersOf(await invoke('documents.list', {}))).toEqual([1, 2]);
});

test('the result of a post-hook is answered without password-named fields', async () => {
  const hooks = narrowing({}, (value) => Promise.resolve({ value, password: 'x' }));
  expect(await invoke('documents.count', {}, eve, hooks)).toMatchObject({ value: { value: { count: 2 } } });
  const answer = await invoke('documents.count', {}, eve, hooks);
  expect(answer).not.toHaveProperty('value.password');
});

test('a subscription has the filters of the query string, the body and the hook', async () => {
  const request = { query: { filter: { n: '1' } }, body: { filter: { title: 'a' } } };
  const answer = await invoke('events.subscribe', request, eve, narrowing({ n: { $gte: 0 } }));
  expect(answer).toMatchObject({ kind: 'stream', request: { id: undefined, since: undefined } });
  const filter = JSON.stringify((answer as SubscriptionAnswer).request.filter);
  for (const part of ['"$eq":1', '"title":"a"', '"$gte":0']) expect(filter).toContain(part);
});
