/** The tools that write, where `MCP` is `write` (docs/mcp.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { agentAt, callAt, type Result } from '../support/mcp.ts';

const models = {
  'film.ts': `import { Schema } from 'mongoose';
const film = new Schema(
  { title: { type: String, required: true }, year: { type: Number, min: 1880 }, cost: { type: Number, perms: { admin: 'cru' } }, code: { type: String, immutable: true } },
  {
    perms: { admin: 'crud', user: 'cr', owner: 'ud', all: 'r' },
    callable_statics: {
      shout: { needs: 'r', on: 'document' }, tidy: { needs: 'r', on: 'model' }, fails: { needs: 'r', on: 'model' }, purge: { needs: 'd', on: 'model' },
    },
  },
);
film.index({ title: 1 }, { unique: true });
film.statics.shout = (document, { mark = '!' } = {}) => document.title.toUpperCase() + mark;
film.statics.tidy = (input) => ({ got: input ?? null });
film.statics.fails = () => { throw new Error('the password of the database is hunter2'); };
film.statics.purge = () => 'purged';
film.statics.hidden = () => 'not callable';
export default film;`,
  'note.ts': `import { Schema } from 'mongoose';
export default new Schema({ film: { type: Schema.Types.ObjectId, link: 'film' }, text: String }, {
  perms: { admin: 'crud', user: 'c', owner: 'rud' },
});`,
  'secret.ts': `import { Schema } from 'mongoose';
export default new Schema({ word: String }, { perms: { admin: 'crud' } });`,
};

type Name = 'root' | 'ann' | 'bob';
let server: PeopledServer<Name>;
let hooked: string[] = [];
beforeAll(async () => {
  server = await openPeople(['root', 'ann', 'bob'], {
    models,
    mcp: 'write',
    post_hooks: { post: ({ dossier: { principal } }: any) => void hooked.push(principal.user.email) },
  });
});

type Given = Readonly<Record<string, unknown>>;
const callAs = (person: Name | 'anonymous', name: string, given: Given): Promise<Result> =>
  callAt(server, name, given, person === 'anonymous' ? {} : server.callers[person].headers);
const textOf = ({ content }: Result): string => content[0]?.text ?? '';
const made = async (person: Name, title: string): Promise<string> => {
  const { structuredContent, ...result } = await callAs(person, 'create', { model: 'film', document: { title } });
  if (result.isError === true) throw new Error(textOf(result));
  return structuredContent.data._id as string;
};

test('a document is created, changed and deleted, with hooks and stamps', async () => {
  hooked = [];
  const created = await callAs('ann', 'create', { model: 'film', document: { title: 'Alien', year: 1979 } });
  const { _id } = created.structuredContent.data;
  expect(created.structuredContent.data).toMatchObject({ title: 'Alien', _owner_id: server.callers.ann.user_id });
  expect(hooked).toEqual(['ann@x.test']);
  const changed = await callAs('ann', 'update', { model: 'film', id: _id, fields: { year: 1980 } });
  expect(changed.structuredContent.data).toMatchObject({ _id, title: 'Alien', year: 1980 });
  const stored = await server.as('ann', 'GET', `/api/film/${_id}`);
  expect(stored.document).toEqual(changed.structuredContent.data);
  const coded = await callAs('ann', 'update', { model: 'film', id: _id, fields: { code: 'a', year: 1981 } });
  expect(coded.structuredContent).toMatchObject({ data: { year: 1981 }, ignored: ['code'] });
  const removed = await callAs('ann', 'delete', { model: 'film', id: _id });
  expect(removed.structuredContent).toEqual({ deleted: { film: 1 }, unlinked: {} });
  expect((await server.as('ann', 'GET', `/api/film/${_id}`)).status).toBe(404);
});

test('refusals are those of REST, and write nothing', async () => {
  const id = await made('ann', 'Brazil');
  const cases: readonly (readonly [Name | 'anonymous', string, Given, [string, string, unknown?]])[] = [
    ['anonymous', 'create', { model: 'film', document: { title: 'x' } }, ['POST', '/api/film', { title: 'x' }]],
    ['bob', 'create', { model: 'secret', document: { word: 'x' } }, ['POST', '/api/secret', { word: 'x' }]],
    ['bob', 'create', { model: 'film', document: {} }, ['POST', '/api/film', {}]],
    ['bob', 'create', { model: 'film', document: { title: 'Brazil' } }, ['POST', '/api/film', { title: 'Brazil' }]],
    [
      'bob',
      'create',
      { model: 'film', document: { title: 'x', cost: 1 } },
      ['POST', '/api/film', { title: 'x', cost: 1 }],
    ],
    [
      'bob',
      'create',
      { model: 'film', document: { title: { $gt: '' } } },
      ['POST', '/api/film', { title: { $gt: '' } }],
    ],
    ['bob', 'update', { model: 'film', id, fields: { year: 2000 } }, ['PUT', `/api/film/${id}`, { year: 2000 }]],
    ['ann', 'update', { model: 'film', id, fields: { year: 3 } }, ['PUT', `/api/film/${id}`, { year: 3 }]],
    [
      'ann',
      'update',
      { model: 'film', id, fields: { $set: { year: 3 } } },
      ['PUT', `/api/film/${id}`, { $set: { year: 3 } }],
    ],
    ['ann', 'update', { model: 'film', id, fields: { cost: 3 } }, ['PUT', `/api/film/${id}`, { cost: 3 }]],
    ['bob', 'delete', { model: 'film', id }, ['DELETE', `/api/film/${id}`]],
    ['ann', 'delete', { model: 'film', id: 'no/id' }, ['DELETE', '/api/film/no%2Fid']],
    ['ann', 'call', { model: 'film', name: 'hidden' }, ['POST', '/call/film/hidden', {}]],
    ['ann', 'call', { model: 'film', name: 'purge' }, ['POST', '/call/film/purge', {}]],
    ['ann', 'call', { model: 'film', name: 'constructor' }, ['POST', '/call/film/constructor', {}]],
    ['ann', 'call', { model: 'film', name: '__proto__' }, ['POST', '/call/film/__proto__', {}]],
    ['ann', 'call', { model: 'film', name: 'deleteMany', input: {} }, ['POST', '/call/film/deleteMany', {}]],
    ['ann', 'call', { model: 'film', name: 'tidy', id }, ['POST', `/call/film/${id}/tidy`, {}]],
  ];
  for (const [person, tool, given, [method, path, body]] of cases) {
    const rest = await server.as(person, method, path, { body });
    const result = await callAs(person, tool, given);
    expect([person, tool, given, textOf(result), result.isError]).toEqual([
      person,
      tool,
      given,
      rest.body['err'],
      true,
    ]);
  }
  expect((await server.as('root', 'GET', '/count/film')).body).toEqual({ count: 1 });
});

test('functions receive the input and the document', async () => {
  const id = await made('ann', 'Casino');
  const on = { model: 'film', name: 'shout', id };
  expect((await callAs('bob', 'call', { ...on, input: { mark: '?' } })).structuredContent).toEqual({ data: 'CASINO?' });
  expect((await callAs('bob', 'call', { model: 'film', name: 'tidy', input: [1] })).structuredContent).toEqual({
    data: { got: [1] },
  });
});

test('what a function throws is not in the answer, but in the log, by its id', async () => {
  const result = await callAs('bob', 'call', { model: 'film', name: 'fails' });
  expect(textOf(result)).not.toContain('hunter2');
  const [, id = '-'] = /\(request ([0-9a-f-]{36})\)$/.exec(textOf(result)) ?? [];
  expect(server.log.some((line) => line.includes(id) && line.includes('hunter2'))).toBe(true);
});

describe('a batch', () => {
  const operations = (title: string, other: object) => [
    { method: 'POST', path: '/api/film', body: { title }, ref: 'film' },
    { method: 'POST', path: '/api/note', body: { film: '$film._id', text: 'seen' } },
    other,
  ];
  const countOf = async (title: string): Promise<unknown> =>
    (await server.as('root', 'GET', `/count/film?filter[title]=${title}`)).body['count'];

  test('without transactions of the database is refused, else all or nothing, as over REST', async () => {
    const wrong = operations('Dune', { method: 'POST', path: '/api/secret', body: { word: 'x' } });
    const rest = await server.as('ann', 'POST', '/batch', { body: { operations: wrong } });
    const result = await callAs('ann', 'batch', { operations: wrong });
    expect(result.isError).toBe(true);
    const at = rest.body['operation'] === undefined ? '' : `operation ${String(rest.body['operation'])}: `;
    expect(textOf(result)).toBe(at + String(rest.body['err']));
    expect(await countOf('Dune')).toBe(0);
  });

  test('each by itself answers for each', async () => {
    const given = { operations: operations('Eden', { method: 'DELETE', path: '/api/film/x' }), atomic: false };
    const { structuredContent } = await callAs('ann', 'batch', given);
    expect(structuredContent.data.map(({ status }: { status: number }) => status)).toEqual([201, 201, 400]);
    expect(await countOf('Eden')).toBe(1);
  });

  test('contains writes of documents only', async () => {
    for (const path of [
      '/login',
      '/groups/x',
      '/setup',
      '/mcp',
      '/call/film/tidy',
      '/bulkwrite/film',
      '//evil.example/api/film',
      '/api/film?apikey=x',
    ]) {
      const result = await callAs('root', 'batch', { operations: [{ method: 'POST', path, body: {} }] });
      expect([path, result.isError]).toEqual([path, true]);
    }
  });
});

test('what agents do is in the audit log as theirs', async () => {
  const id = await made('ann', 'Fargo');
  await callAs('ann', 'delete', { model: 'film', id, permanent: true });
  const other = await made('ann', 'Gone');
  await server.as('ann', 'DELETE', `/api/film/${other}?_permaDelete=1`);
  const { rows } = await server.as('root', 'GET', '/audit?filter[what]=document.removed&sort=when');
  expect(rows.map(({ whom, via, who }) => ({ whom, via, who }))).toEqual([
    { whom: id, via: 'mcp', who: server.callers.ann.user_id },
    { whom: other, via: undefined, who: server.callers.ann.user_id },
  ]);
});

describe('tools are offered', () => {
  const toolsFor = async (headers: Readonly<Record<string, string>>) =>
    new Map((await (await agentAt(server.url, headers)).tools()).map((tool) => [tool.name, tool]));

  test('with hints, models, functions and fields of the caller', async () => {
    const tools = await toolsFor(server.callers.ann.headers);
    const hintsOf = (name: string): unknown => {
      const { title: _, ...hints } = tools.get(name)?.annotations ?? {};
      return Object.values(hints);
    };
    expect([...tools.keys()].slice(7)).toEqual(['create', 'update', 'delete', 'call', 'batch']);
    // read only, destructive, idempotent, open world
    expect(hintsOf('find')).toEqual([true, false, true, false]);
    expect(hintsOf('create')).toEqual([false, false, false, false]);
    expect(hintsOf('update')).toEqual([false, true, true, false]);
    expect(hintsOf('delete')).toEqual([false, true, true, false]);
    expect(hintsOf('call')).toEqual([false, true, false, true]);
    expect(hintsOf('batch')).toEqual([false, true, false, false]);
    const argumentsOf = (name: string) => tools.get(name)?.inputSchema['properties'];
    expect(argumentsOf('create').model.enum).toEqual(['film', 'note']);
    expect(argumentsOf('call')).toMatchObject({
      model: { enum: ['film'] },
      name: { enum: ['tidy', 'fails', 'shout'] },
    });
    const [film] = argumentsOf('create').document.anyOf;
    expect(Object.keys(film.properties)).toEqual(['title', 'year', 'code']);
    expect(film).toMatchObject({ required: ['title'], properties: { year: { minimum: 1880 } } });
  });

  test('to no caller that may not use them', async () => {
    expect([...(await toolsFor({})).keys()]).toEqual([
      ...['list_models', 'describe_model', 'find', 'get', 'count', 'distinct', 'aggregate', 'call'],
    ]);
    const scopes = { film: 'c' };
    const key = await server.as('ann', 'POST', '/login/keys', { body: { name: 'writer', scopes } });
    expect([...(await toolsFor({ 'x-api-key': String(key.body['data'].key) })).keys()]).toEqual([
      ...['list_models', 'describe_model', 'create', 'batch'],
    ]);
  });
});

test('where MCP is read, they do not exist', async () => {
  const reading = await openPeople(['root'], { models });
  const given = { model: 'film', document: { title: 'x' } };
  const { error } = await callAt(reading, 'create', given, reading.callers.root.headers);
  expect(error?.message).toContain('there is no tool "create"');
});
