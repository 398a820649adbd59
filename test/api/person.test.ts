/** What `api.as('system')` writes within what a person causes: audit and history name the person (docs/audit.md, docs/history.md). */
import { beforeAll, expect, test } from '@jest/globals';
import { type Api, definePlugin, defineRoute } from '../../src/index.ts';
import type { Document } from '../support/client.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import type { ModelTools } from '../support/models.ts';
import { needs } from '../support/needs.ts';
import { until } from '../support/waiting.ts';

interface Use {
  readonly api: Api;
}

const models = {
  'note.ts': ({ Schema }: ModelTools) => {
    const note = new Schema({ title: String }, {
      ...{ history: true, audit: true, callable_statics: ['write', 'ask', 'nested', 'other', 'together'] },
      perms: { admin: 'crud', user: 'cr' },
    } as object);
    const writeBy = (api: Api, title: string): Promise<unknown> => api.as('system').model('note').create({ title });
    Object.assign(note.statics, {
      write: (title: string, { api }: Use) => writeBy(api, title),
      // as the caller, and as the system
      ask: async (title: string, { api }: Use) => {
        await api.later('note.write', `${title} of the user`);
        await api.as('system').later('note.write', `${title} of the system`);
      },
      nested: (title: string, { api }: Use) => api.as('system').model('note').call('write', title),
      other: ([id, title]: [string, string], { api }: Use) => writeBy(api.as({ user: id }), title),
      together: (title: string, { api }: Use) =>
        api.as('system').transaction((inner) => inner.model('note').create({ title })),
    });
    return note;
  },
};

const route = defineRoute({
  ...{ method: 'POST', path: '/notes', access: 'all' },
  handler: ({ api, body }) =>
    api
      .as('system')
      .model('note')
      .create({ title: String(body) }),
});

let server: PeopledServer<'root' | 'ann' | 'bob'>;
beforeAll(async () => {
  server = await openPeople(['root', 'ann', 'bob'], {
    models,
    plugins: [definePlugin({ name: 'notes', routes: [route] })],
    pre_hooks: {
      post: async (req, _res, next) => {
        const { title } = req.dossier.body as { title: string };
        if (title.startsWith('hook') && req.dossier.principal.user !== undefined)
          await req.dossier.api
            .as('system')
            .model('note')
            .create({ title: `by a ${title}` });
        next();
      },
    },
  });
});

/** What history and audit say of the creation of a note. */
async function saidOf(title: string): Promise<readonly (Document | undefined)[]> {
  const find = async (): Promise<Document | undefined> =>
    (await server.as('root', 'GET', `/api/note?filter[title]=${encodeURIComponent(title)}`)).rows[0];
  await until(async () => (await find()) !== undefined);
  const note = await find();
  const id = String(note?.['_id']);
  expect([note?.['_owner_id'] ?? null, note?.['_updated_by_id'] ?? null]).toEqual([null, null]);
  const history = (await server.as('root', 'GET', `/history/note/${id}`)).rows[0];
  const audit = (await server.as('root', 'GET', `/audit?filter[whom]=${id}`)).rows[0];
  return [history, audit].map(
    (one) => one && Object.fromEntries(['who', 'for', 'by'].map((name) => [name, one[name]])),
  );
}

const call = (name: string, input: unknown) =>
  server.post(`/call/note/${name}`, input, { headers: server.callers.ann.headers });

interface Case {
  readonly send: () => Promise<unknown>;
  readonly title?: string;
  /** Whom the entry names; no one by default. */
  readonly for?: 'ann';
  readonly by?: 'root';
}

test.each<[string, Case]>([
  ['a function', { send: () => call('write', 'a function'), for: 'ann' }],
  ['a function that the system calls', { send: () => call('nested', 'a function that the system calls'), for: 'ann' }],
  [
    'another user, within the request',
    { send: () => call('other', [server.callers.bob.user_id, 'another user, within the request']), for: 'ann' },
  ],
  [
    'a hook',
    {
      send: () => server.as('ann', 'POST', '/api/note', { body: { title: 'hook' } }),
      ...{ title: 'by a hook', for: 'ann' },
    },
  ],
  ['a route', { send: () => server.as('ann', 'POST', '/notes', { body: 'a route' }), for: 'ann' }],
  ['a route, without a user', { send: () => server.post('/notes', 'a route, without a user') }],
  ['a job of the user', { send: () => call('ask', 'a job'), title: 'a job of the user', for: 'ann' }],
  ['a job of the system', { send: () => call('ask', 'a job'), title: 'a job of the system', for: 'ann' }],
  ['a program', { send: () => server.dossier.api.as('system').model('note').create({ title: 'a program' }) }],
  [
    'an admin who acts as the user',
    {
      send: async () => {
        const { jwt } = (
          await server.as('root', 'POST', '/login/getjwt', { body: { email: server.callers.ann.email } })
        ).body;
        await server.post(`/call/note/write?jwt=${String(jwt)}`, 'an admin who acts as the user');
      },
      ...{ for: 'ann', by: 'root' },
    },
  ],
])('%s', async (name, { send, title = name, ...named }) => {
  await send();
  const id = (person: 'ann' | 'root' | undefined): string | undefined => person && server.callers[person].user_id;
  const said = { who: null, for: id(named.for), by: id(named.by) };
  expect(await saidOf(title)).toEqual([said, said]);
});

needs('transactions')('a transaction', async () => {
  expect((await call('together', 'a transaction')).status).toBe(200);
  const said = { who: null, for: server.callers.ann.user_id, by: undefined };
  expect(await saidOf('a transaction')).toEqual([said, said]);
});

test('what a user writes by `api` is theirs, and the audit is filtered by the person', async () => {
  await server.as('bob', 'POST', '/api/note', { body: { title: 'own' } });
  const note = (await server.as('root', 'GET', '/api/note?filter[title]=own')).rows[0];
  const [entry] = (await server.as('root', 'GET', `/history/note/${String(note?.['_id'])}`)).rows;
  expect([entry?.['who'], entry?.['for']]).toEqual([server.callers.bob.user_id, undefined]);
  const { rows } = await server.as('root', 'GET', `/audit?filter[for]=${server.callers.ann.user_id}&limit=100`);
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.every(({ who }) => who === null)).toBe(true);
});
