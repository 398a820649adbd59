/** What middleware of Mongoose finds of the request that it runs for (docs/hooks.md, "Mongoose middleware"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { MiddlewareContext } from '../../src/index.ts';
import { bearer, emailOf, type Login, openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { callAt } from '../support/mcp.ts';
import { needs } from '../support/needs.ts';

const said = `const said = (place) => {
  const { caller: { user, admin, groups, by }, via } = place.dossier;
  return JSON.stringify([user?.email, admin, groups, by, via, Object.keys(place).includes('dossier'), JSON.stringify({ ...place, session: undefined }).includes('caller')]);
};`;
const options = `{ perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, history, callable_statics: { resave: { needs: 'r', on: 'document' }, calls: { needs: 'r', on: 'model' } } }`;
const saved = (history: boolean): string => `import { Schema } from 'mongoose';
const history = ${String(history)};
${said}
const schema = new Schema({ title: String, n: Number, by: [String], after: String, inner: [new Schema({ word: String })] }, ${options});
schema.pre('validate', function () { this.by = ['validate ' + said(this.$locals)]; });
schema.pre('save', async function () {
  this.by.push('save ' + said(this.$locals));
  if (this.title?.startsWith('log')) await this.$locals.dossier.api.model('entry').create({ text: this.title });
  if (this.title?.startsWith('log and fail')) throw Object.assign(new Error('no'), { statusCode: 422, expose: true });
});
schema.post('save', function () { this.after = said(this.$locals); });
schema.statics.resave = async (document, input) => { document.n = 7; await document.save(); return document.by; };
schema.statics.calls = async (input, { api }) => (await api.model(input.model).create({ title: 'called' })).by;
export default schema;`;
const models = {
  'saved.ts': saved(false),
  'kept.ts': saved(true),
  'updated.ts': `import { Schema } from 'mongoose';
${said}
const history = false;
const schema = new Schema({ title: String, n: Number, by: [String] }, ${options});
schema.pre('findOneAndUpdate', async function () {
  this.set({ by: [this.op + ' ' + said(this.options), this.getOptions().dossier === this.options.dossier] });
  if (this.get('title') === 'log') await this.options.dossier.api.model('entry').create({ text: 'by a query' });
});
schema.post('findOneAndUpdate', async function () { await this.options.dossier.api.model('entry').create({ text: 'after ' + this.options.dossier.caller.user?.email }); });
schema.pre('findOne', function () { this.where({ title: { $ne: this.options.dossier?.caller.user?.email } }); });
schema.statics.resave = (document) => document.title;
schema.statics.calls = () => 1;
export default schema;`,
  'entry.ts': `import { Schema } from 'mongoose';
export default new Schema({ text: String }, { perms: { user: 'cr', admin: 'crud' } });`,
};

type Name = 'root' | 'ann' | 'bob' | 'ed' | 'eve';
let server: PeopledServer<Name>;
beforeAll(async () => {
  server = await openPeople(['root', 'ann', 'bob', 'ed', 'eve'], { models, mcp: 'write' });
});

type Said = readonly [
  email: string | null,
  admin: boolean,
  groups: readonly string[],
  by: unknown,
  via: unknown,
  ...leaks: boolean[],
];
const saidBy = (person: string, more: { by?: string; via?: string; groups?: readonly string[] } = {}): Said =>
  [
    ...[emailOf(person), person === 'root', more.groups ?? [], more.by ?? null, more.via ?? null],
    ...[false, false],
  ] as unknown as Said;
const readBy = (by: readonly string[]): readonly unknown[] =>
  by.map((line) => [line.slice(0, line.indexOf(' ')), JSON.parse(line.slice(line.indexOf(' ') + 1))]);
const ofSaving = (one: Said): readonly unknown[] => [
  ['validate', one],
  ['save', one],
];

const made = async (model: string, title = 'one'): Promise<string> =>
  String((await server.as('root', 'POST', `/api/${model}`, { body: { title } })).body.data._id);
const byOf = async (model: string, id: string): Promise<readonly unknown[]> =>
  readBy((await server.as('root', 'GET', `/api/${model}/${id}`)).body.data.by);
const entries = async (text: string): Promise<number> =>
  (await server.as('root', 'GET', `/api/entry?filter[text]=${encodeURIComponent(text)}`)).body.data.length;

const body = (value: unknown) => ({ body: value });
const ways: readonly (readonly [name: string, send: (model: string, id: string) => Promise<unknown>])[] = [
  ['PUT', (model, id) => server.as('ann', 'PUT', `/api/${model}/${id}`, body({ n: 1 }))],
  ['PATCH', (model, id) => server.as('ann', 'PATCH', `/api/${model}/${id}`, body({ $inc: { n: 1 } }))],
  ['/update', (model, id) => server.as('ann', 'PUT', `/update/${model}/${id}`, body({ n: 1 }))],
  [
    'updateOne',
    (model, id) =>
      server.as('ann', 'POST', `/bulkwrite/${model}`, body([{ updateOne: { filter: { _id: id }, update: { n: 1 } } }])),
  ],
  [
    'replaceOne',
    (model, id) =>
      server.as(
        'ann',
        'POST',
        `/bulkwrite/${model}`,
        body([{ replaceOne: { filter: { _id: id }, replacement: { title: 'x' } } }]),
      ),
  ],
  [
    'a batch',
    (model, id) =>
      server.as(
        'ann',
        'POST',
        '/batch',
        body({ operations: [{ method: 'PUT', path: `/api/${model}/${id}`, body: { n: 1 } }] }),
      ),
  ],
  ['a function that saves', (model, id) => server.as('ann', 'POST', `/call/${model}/${id}/resave`, body({}))],
];

describe.each(['saved', 'kept'])('%s: middleware of documents finds the caller', (model) => {
  test.each(ways)('%s', async (_name, send) => {
    const id = await made(model);
    await send(model, id);
    expect(await byOf(model, id)).toEqual(ofSaving(saidBy('ann')));
  });

  test('POST, with groups, of the post-middleware too, and nothing is stored or answered', async () => {
    const { body: answer } = await server.as(
      'ed',
      'POST',
      `/api/${model}`,
      body({ title: 'x', inner: [{ word: 'w' }] }),
    );
    const one = saidBy('ed', { groups: ['editors'] });
    expect(readBy(answer.data.by)).toEqual(ofSaving(one));
    const row = await server.dossier.services.connection.collection(`${model}s`).findOne({ title: 'x' });
    expect(JSON.stringify(row)).not.toMatch(/"(dossier|caller|api)"/);
  });

  test('a bulk insert, an upsert, a call of api, and callers who have not signed in', async () => {
    const insert = [{ insertOne: { document: { title: 'bulk' } } }];
    const { insertedIds } = (await server.as('bob', 'POST', `/bulkwrite/${model}`, body(insert))).body.data;
    expect(await byOf(model, insertedIds[0])).toEqual(ofSaving(saidBy('bob')));
    const called = await server.as('bob', 'POST', `/call/${model}/calls`, body({ model }));
    expect(readBy(called.body.data)).toEqual(ofSaving(saidBy('bob')));
    const anonymous = await server.as('anonymous', 'POST', `/api/${model}`, body({ title: 'x' }));
    expect(readBy(anonymous.body.data.by)).toEqual(ofSaving([null, false, [], null, null, false, false]));
  });

  test('an admin who acts as a user', async () => {
    const { jwt } = (await server.as('root', 'POST', '/login/getjwt', body({ email: emailOf('eve') }))).body;
    const { token } = (await server.post('/login/jwt', { jwt: String(jwt) })).body as unknown as Login;
    const headers = bearer(token);
    const answer = await server.send('POST', `/api/${model}`, { body: { title: 'x' }, headers });
    expect(readBy(answer.body['data'].by)).toEqual(ofSaving(saidBy('eve', { by: server.callers.root.user_id })));
  });

  test('an agent', async () => {
    const given = { model, document: { title: 'by an agent' } };
    const made = await callAt(server, 'create', given, server.callers.ann.headers);
    expect(made.isError).not.toBe(true);
    const found = await server.as('root', 'GET', `/api/${model}?filter[title]=by%20an%20agent`);
    expect(readBy(found.body.data[0].by)).toEqual(ofSaving(saidBy('ann', { via: 'mcp' })));
  });

  test('of forty requests at once, each finds its own', async () => {
    const names = Array.from({ length: 40 }, (_, at) => (['root', 'ann', 'bob', 'ed'] as const)[at % 4] as Name);
    const answers = await Promise.all(
      names.map((name) => server.as(name, 'POST', `/api/${model}`, body({ title: name }))),
    );
    for (const [at, answer] of answers.entries()) {
      const name = names[at] as Name;
      const one = saidBy(name, { groups: name === 'ed' ? ['editors'] : [] });
      expect(readBy(answer.body.data.by)).toEqual(ofSaving(one));
    }
  });

  test('its api acts as the caller', async () => {
    const title = `log ${model}`;
    expect((await server.as('ann', 'POST', `/api/${model}`, body({ title }))).status).toBe(201);
    expect(await entries(title)).toBe(1);
    // only users may create entries
    expect((await server.as('anonymous', 'POST', `/api/${model}`, body({ title: `${title} 2` }))).status).toBe(401);
    expect(await entries(`${title} 2`)).toBe(0);
  });
});

const testInUnit = needs('transactions');
testInUnit.each([
  ['a write with history', 'kept', (title: string) => server.as('ann', 'POST', '/api/kept', body({ title }))],
  [
    'a change with history',
    'kept',
    async (title: string) => server.as('ann', 'PUT', `/api/kept/${await made('kept')}`, body({ title })),
  ],
  [
    'a batch',
    'saved',
    (title: string) =>
      server.as(
        'ann',
        'POST',
        '/batch',
        body({ operations: [{ method: 'POST', path: '/api/saved', body: { title } }] }),
      ),
  ],
])('what its api writes belongs to the unit: %s', async (name, _model, send) => {
  const title = `log and fail ${name}`;
  expect((await send(title)).status).toBe(422);
  expect(await entries(title)).toBe(0);
});

describe('middleware of queries finds the caller', () => {
  const one = saidBy('ann');
  test.each(ways.slice(0, 2).concat(ways.slice(3, 4), ways.slice(5, 6)))('%s', async (_name, send) => {
    const id = await made('updated');
    await send('updated', id);
    const { by } = (await server.as('root', 'GET', `/api/updated/${id}`)).body.data;
    expect([readBy(by.slice(0, 1)), by[1]]).toEqual([[['findOneAndUpdate', one]], 'true']);
  });

  test('before and after the update, with its api', async () => {
    const id = await made('updated');
    expect((await server.as('bob', 'PUT', `/api/updated/${id}`, body({ title: 'log' }))).status).toBe(200);
    expect([await entries('by a query'), await entries(`after ${emailOf('bob')}`)]).toEqual([1, 1]);
  });

  test('the query that finds the document of a function', async () => {
    const id = await made('updated', emailOf('ann'));
    const call = (name: Name) => server.as(name, 'POST', `/call/updated/${id}/resave`, body({}));
    expect([(await call('ann')).status, (await call('bob')).status]).toEqual([404, 200]);
  });
});

test('the types of the context', () => {
  const read = ({ caller, via, api }: MiddlewareContext): readonly unknown[] => {
    const email: string | undefined = caller.user?.email;
    const [groups, admin, by]: [readonly string[], boolean, string | undefined] = [
      caller.groups,
      caller.admin,
      caller.by,
    ];
    const through: string | undefined = via;
    return [email, groups, admin, by, through, api.model('saved'), api.as('system')];
  };
  expect(read).toEqual(expect.any(Function));
});
