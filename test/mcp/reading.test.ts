/** The tools that read: their answers are those of REST, in portions, for every kind of caller (docs/mcp.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { agentAt, callAt, type Result } from '../support/mcp.ts';

const models = {
  'film.ts': `import { Schema } from 'mongoose';
const film = new Schema(
  {
    title: { type: String, required: true },
    year: Number,
    released: Date,
    cost: { type: Number, perms: { admin: 'cru' } },
    password: String,
    tags: [String],
    maker: { type: Schema.Types.ObjectId, link: 'studio' },
    body: String,
  },
  {
    perms: { admin: 'crud', user: 'cr', owner: 'ud', all: 'r' },
    callable_statics: { shout: { needs: 'r', on: 'document' }, tidy: { needs: 'u', on: 'model' } },
  },
);
film.index({ title: 'text' });
film.statics.shout = (document) => document.title.toUpperCase();
film.statics.tidy = () => 'done';
export default film;`,
  'studio.ts': `import { Schema } from 'mongoose';
export default new Schema({ name: String }, { perms: { admin: 'crud', user: 'r' } });`,
  'diary.ts': `import { Schema } from 'mongoose';
export default new Schema({ text: String }, { perms: { admin: 'crud', user: 'c', owner: 'rud' } });`,
  'plain.ts': `import { Schema } from 'mongoose';
export default new Schema({ text: String }, {
  perms: { admin: 'crud', user: 'r' }, advanced_queries: { aggregate: false, query: false },
});`,
};

const ajv = new Ajv2020({ strict: false, validateFormats: false });

type Name = 'root' | 'ann' | 'bob';
const callers = ['root', 'ann', 'bob', 'anonymous', 'reader'] as const;
type Caller = (typeof callers)[number];

let server: PeopledServer<Name>;
let headersOf: Readonly<Record<Caller, Readonly<Record<string, string>>>>;
let id = '';
beforeAll(async () => {
  server = await openPeople(['root', 'ann', 'bob'], { models });
  const scopes = { film: 'r' };
  const made = await server.as('ann', 'POST', '/login/keys', { body: { name: 'agent', scopes } });
  const { root, ann, bob } = server.callers;
  headersOf = {
    root: root.headers,
    ann: ann.headers,
    bob: bob.headers,
    anonymous: {},
    reader: { 'x-api-key': made.body['data'].key as string },
  };
  const studio = await server.as('root', 'POST', '/api/studio', { body: { name: 'Fox' } });
  const film = Array.from({ length: 45 }, (_, n) => ({
    title: `Film ${String(n).padStart(2, '0')}`,
    year: 1980 + (n % 7),
    released: new Date(Date.UTC(1980 + n, 0, 1)),
    cost: n * 100,
    password: `secret ${n}`,
    tags: n % 2 === 0 ? ['even', 'any'] : ['any'],
    maker: studio.document['_id'],
  }));
  for (const { cost, ...one } of film)
    if (one.year % 2 === 0) await server.as('root', 'POST', '/api/film', { body: { ...one, cost } });
    else await server.as('ann', 'POST', '/api/film', { body: one });
  await server.as('ann', 'POST', '/api/diary', { body: { text: 'of Ann' } });
  await server.as('bob', 'POST', '/api/diary', { body: { text: 'of Bob' } });
  id = String((await server.as('root', 'GET', '/api/film?limit=1')).rows[0]?.['_id']);
});

const callAs = (caller: Caller, name: string, given: object): Promise<Result> =>
  callAt(server, name, given as Readonly<Record<string, unknown>>, headersOf[caller]);

/** A tool with its arguments, and the request of REST that says the same. */
const pairs: readonly (readonly [tool: string, given: () => object, rest: () => [string, string, unknown?]])[] = [
  ['list_models', () => ({}), () => ['GET', '/model']],
  ...['film', 'studio', 'diary', 'user', 'nothing', '../film'].map(
    (model) =>
      ['describe_model', () => ({ model }), () => ['GET', `/model/${encodeURIComponent(model)}`]] as [
        string,
        () => object,
        () => [string, string],
      ],
  ),
  ...['film', 'studio', 'diary', 'user', 'nothing'].map(
    (model) =>
      ['find', () => ({ model }), () => ['GET', `/api/${model}?limit=20`]] as [
        string,
        () => object,
        () => [string, string],
      ],
  ),
  [
    'find',
    () => ({
      model: 'film',
      filter: { year: { $gte: 1983 }, tags: 'even' },
      sort: ['-year', 'title'],
      fields: ['title'],
      limit: 5,
    }),
    () => ['GET', '/api/film?filter[year]=$gte:1983&filter[tags]=even&sort=-year,title&fields=title&limit=5'],
  ],
  [
    'find',
    () => ({ model: 'film', search: 'film', limit: 3, sort: 'title' }),
    () => ['GET', '/api/film?search=film&limit=3&sort=title'],
  ],
  ['find', () => ({ model: 'film', populate: ['maker'], limit: 2 }), () => ['GET', '/api/film?populate=maker&limit=2']],
  ['find', () => ({ model: 'film', filter: { cost: 100 } }), () => ['GET', '/api/film?filter[cost]=100&limit=20']],
  [
    'find',
    () => ({ model: 'film', filter: { password: 'secret 1' } }),
    () => ['GET', '/api/film?filter[password]=secret 1&limit=20'],
  ],
  [
    'find',
    () => ({ model: 'film', filter: { released: { $lt: '1983-01-01' } } }),
    () => ['GET', '/api/film?filter[released]=$lt:1983-01-01&limit=20'],
  ],
  [
    'find',
    () => ({ model: 'film', filter: { $or: [{ year: 1981 }, { title: { $regex: '0$' } }] }, sort: 'title' }),
    () => ['GET', '/api/film?filter[$or][0][year]=1981&filter[$or][1][title]=$regex:/0$/&sort=title&limit=20'],
  ],
  [
    'find',
    () => ({ model: 'film', filter: { year: { $mod: [2, 0] } } }),
    () => ['POST', '/query/film?limit=20', { query: { year: { $mod: [2, 0] } } }],
  ],
  [
    'find',
    () => ({ model: 'film', filter: { $where: 'true' } }),
    () => ['POST', '/query/film?limit=20', { query: { $where: 'true' } }],
  ],
  ['find', () => ({ model: 'film', filter: { titel: 'x' } }), () => ['GET', '/api/film?filter[titel]=x&limit=20']],
  ['find', () => ({ model: 'film', sort: 'password' }), () => ['GET', '/api/film?sort=password&limit=20']],
  ['find', () => ({ model: 'film', fields: ['*'] }), () => ['GET', '/api/film?fields=*&limit=20']],
  ['find', () => ({ model: 'film', after: 'forged' }), () => ['GET', '/api/film?after=forged&limit=20']],
  ['find', () => ({ model: 'film', filter: { year: 'no' } }), () => ['GET', '/api/film?filter[year]=no&limit=20']],
  ['get', () => ({ model: 'film', id }), () => ['GET', `/api/film/${id}`]],
  [
    'get',
    () => ({ model: 'film', id, fields: ['title'], populate: ['maker'] }),
    () => ['GET', `/api/film/${id}?fields=title&populate=maker`],
  ],
  ['get', () => ({ model: 'film', id: 'none/../x' }), () => ['GET', `/api/film/${encodeURIComponent('none/../x')}`]],
  [
    'get',
    () => ({ model: 'film', id: '0123456789abcdef01234567' }),
    () => ['GET', '/api/film/0123456789abcdef01234567'],
  ],
  ['count', () => ({ model: 'film' }), () => ['GET', '/count/film']],
  ['count', () => ({ model: 'diary' }), () => ['GET', '/count/diary']],
  [
    'count',
    () => ({ model: 'film', filter: { tags: { $in: ['even'] } } }),
    () => ['GET', '/count/film?filter[tags]=$in:["even"]'],
  ],
  ['distinct', () => ({ model: 'film', path: 'year' }), () => ['GET', '/distinct/film/year']],
  ['distinct', () => ({ model: 'film', path: 'cost', limit: 3 }), () => ['GET', '/distinct/film/cost?limit=3']],
  ['distinct', () => ({ model: 'film', path: 'password' }), () => ['GET', '/distinct/film/password']],
  ...['film', 'diary', 'plain'].map(
    (model) =>
      [
        'aggregate',
        () => ({ model, pipeline: [{ $group: { _id: '$year', n: { $sum: 1 } } }, { $sort: { _id: 1 } }] }),
        () => ['POST', `/aggregate/${model}`, [{ $group: { _id: '$year', n: { $sum: 1 } } }, { $sort: { _id: 1 } }]],
      ] as [string, () => object, () => [string, string, unknown]],
  ),
  [
    'aggregate',
    () => ({ model: 'film', pipeline: [{ $group: { _id: null, n: { $sum: '$cost' } } }] }),
    () => ['POST', '/aggregate/film', [{ $group: { _id: null, n: { $sum: '$cost' } } }]],
  ],
  [
    'aggregate',
    () => ({ model: 'film', pipeline: [{ $lookup: { from: 'diary', pipeline: [], as: 'x' } }, { $limit: 1 }] }),
    () => ['POST', '/aggregate/film', [{ $lookup: { from: 'diary', pipeline: [], as: 'x' } }, { $limit: 1 }]],
  ],
];

/** What the result has of a list besides its rows differs: its cursors leave out the addresses of pages. */
const dataOf = ({ data, count }: any): object => ({ data, count });

describe.each(callers)('%s', (caller) => {
  test('gets what REST answers, in the described form', async () => {
    const tools = await (await agentAt(server.url, headersOf[caller])).tools();
    const validators = new Map(tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema ?? {})]));
    for (const [tool, given, rest] of pairs) {
      const [method, path, body] = rest();
      const expected = await server.send(method, encodeURI(path).replace(/%25/g, '%'), {
        body,
        headers: headersOf[caller],
      });
      const result = await callAs(caller, tool, given());
      const found = result.isError === true ? { err: result.content[0]?.text } : dataOf(result.structuredContent);
      const wanted = expected.status === 200 ? dataOf(expected.body) : { err: expected.body['err'] };
      expect([tool, given(), found]).toEqual([tool, given(), wanted]);
      if (result.isError === true) continue;
      const validate = validators.get(tool) as ValidateFunction;
      expect(validate(result.structuredContent) || validate.errors).toBe(true);
    }
  });

  test('is offered only what they may do', async () => {
    const agent = await agentAt(server.url, headersOf[caller]);
    const tools = await agent.tools();
    const modelsFor = (name: string): unknown =>
      tools.find((tool) => tool.name === name)?.inputSchema['properties'].model?.enum;
    const readable = {
      root: ['diary', 'film', 'plain', 'studio', 'user'],
      ann: ['diary', 'film', 'plain', 'studio', 'user'],
      bob: ['diary', 'film', 'plain', 'studio', 'user'],
      anonymous: ['film'],
      reader: ['film'],
    }[caller];
    expect(modelsFor('find')).toEqual(readable);
    expect(modelsFor('aggregate')).toEqual(readable.filter((name) => name !== 'plain'));
    expect(tools.map(({ name }) => name)).toEqual([
      ...['list_models', 'describe_model', 'find', 'get', 'count', 'distinct', 'aggregate'],
    ]);
    expect(tools.every(({ annotations }) => annotations?.['readOnlyHint'] === true)).toBe(true);
  });
});

describe('portions', () => {
  const walk = async (tool: string, given: object, caller: Caller = 'root'): Promise<readonly any[][]> => {
    const pages: any[][] = [];
    for (let after: string | undefined; ;) {
      const { structuredContent, isError, content } = await callAs(caller, tool, { ...given, ...(after && { after }) });
      if (isError === true) throw new Error(content[0]?.text);
      expect(Buffer.byteLength(JSON.stringify(structuredContent))).toBeLessThanOrEqual(65_536);
      pages.push(structuredContent.data);
      after = structuredContent.next_cursor;
      if (after === undefined) return pages;
    }
  };
  const sizes = (pages: readonly unknown[][]): readonly number[] => pages.map(({ length }) => length);

  test('are of 20 rows by default, and of 100 at most', async () => {
    expect(sizes(await walk('find', { model: 'film', fields: ['title'] }))).toEqual([20, 20, 5]);
    expect(sizes(await walk('find', { model: 'film', fields: ['title'], limit: 30 }))).toEqual([30, 15]);
    expect((await callAs('root', 'find', { model: 'film', limit: 1000 })).structuredContent.limit).toBe(100);
    expect(sizes(await walk('distinct', { model: 'film', path: 'title' }))).toEqual([20, 20, 5]);
    const pipeline = [{ $sort: { title: 1 } }, { $project: { title: 1 } }];
    expect(sizes(await walk('aggregate', { model: 'film', pipeline }))).toEqual([20, 20, 5]);
    expect(sizes(await walk('list_models', { limit: 2 }))).toEqual([2, 2, 1]);
  });

  test('of large rows are shorter, and together have all', async () => {
    for (let n = 0; n < 12; n++)
      await server.as('root', 'POST', '/api/diary', { body: { text: `${n} ${'ü'.repeat(6000)}` } });
    const pages = await walk('find', { model: 'diary', limit: 100 });
    expect(pages.flat().length).toBe(14);
    expect(new Set(pages.flat().map(({ _id }) => _id)).size).toBe(14);
    expect(pages.length).toBeGreaterThan(2);
    const piped = await walk('aggregate', { model: 'diary', pipeline: [{ $sort: { _id: 1 } }] });
    expect(piped.flat().map(({ _id }) => _id)).toEqual(pages.flat().map(({ _id }) => _id));
  });

  test('a row of more than 64 kB is refused, with what to do', async () => {
    const made = await server.as('root', 'POST', '/api/plain', { body: { text: 'x'.repeat(70_000) } });
    const given = { model: 'plain', id: made.document['_id'] };
    for (const [tool, args] of [
      ['get', given],
      ['find', { model: 'plain' }],
    ] as const)
      expect(await callAs('root', tool, args)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('is larger than 65536 bytes: choose less with fields') }],
      });
    const { structuredContent } = await callAs('root', 'get', { ...given, fields: ['_id'] });
    expect(structuredContent.data).toMatchObject({ _id: given.id });
  });

  test('a cursor is one of the tool', async () => {
    for (const after of ['0', '-1', '1e3', 'x', '99999999999', '7; drop'])
      expect(await callAs('root', 'distinct', { model: 'film', path: 'year', after })).toMatchObject({ isError: true });
  });
});
