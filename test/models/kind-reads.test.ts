/** The fields of each kind are read by their types, and shown in exports and descriptions (docs/models.md, "Discriminators"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { listen } from '../support/event-stream.ts';
import { makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const form = `module.exports = ({ Schema }) => {
  const step = new Schema({ n: Number }, { _id: false, discriminatorKey: 'form' });
  const form = new Schema({ name: String, steps: [step] }, { discriminatorKey: 'type', perms: { all: 'crud' }, advanced_queries: { query: true, aggregate: true } });
  form.discriminator('email', new Schema({
    to: { type: String, lowercase: true }, at: Date, level: Number, open: Boolean,
    answers: [{ at: Date, count: Number }], place: { city: String, zip: Number },
    secret: { type: String, perms: { admin: 'cru' } }, hidden: { type: String, select: false },
  }));
  form.discriminator('hook', new Schema({ url: String, level: String, state: { type: String, enum: ['new', 'done'] } }));
  form.path('steps').discriminator('walk', new Schema({ km: Number, at: Date }, { _id: false }));
  return form;
};`;

let server: TestServer;
let root: Awaited<ReturnType<typeof makeRoot>>;
beforeAll(async () => {
  server = await startServer({ models: { 'form.js': form } });
  root = await makeRoot(server);
  const documents = [
    {
      type: 'email',
      name: 'a',
      to: 'Ann@x.test',
      at: '2020-01-01',
      level: 5,
      open: true,
      secret: 'CANARY',
      hidden: 'h',
    },
    {
      type: 'email',
      name: 'b',
      at: '2019-06-01',
      level: 9,
      open: false,
      answers: [{ at: '2021-01-01', count: 2 }],
      place: { city: 'Ulm', zip: 5 },
    },
    { type: 'hook', name: 'c', url: 'https://x.test', level: '5', state: 'new' },
    { name: 'd', steps: [{ form: 'walk', km: 3, at: '2020-01-01' }] },
  ];
  for (const document of documents)
    expect(await server.post('/api/form', document, root)).toMatchObject({ status: 201 });
});

const names = (rows: readonly Record<string, unknown>[]): string => rows.map(({ name }) => name).join('');

const filters: readonly (readonly [filter: string, names: string])[] = [
  ['filter[at]=$gte:2020', 'a'],
  ['filter[at]=2020-01-01', 'a'],
  ['filter[at]=$lt:2020-01-01T00:00', 'b'],
  ['filter[answers.at]=$gte:2020', 'b'],
  ['filter[answers.count]=2', 'b'],
  ['filter[place.zip]=5', 'b'],
  ['filter[to]=ANN@X.TEST', 'a'],
  ['filter[open]=1', 'a'],
  ['filter[open]=$in:[0,1]', 'ab'],
  ['filter[level]=5', 'ac'],
  ['filter[level]=$in:[5,9]', 'abc'],
  ['filter[level]=$gt:5', 'b'],
  ['filter[level]=$ne:5', 'bd'],
  ['filter[state]=new', 'c'],
  ['filter[steps.km]=$gte:3', 'd'],
  ['filter[steps.at]=$gte:2020', 'd'],
  ['filter[$or][0][place.zip]=5&filter[$or][1][url]=https://x.test', 'bc'],
  ['filter[at]=null', 'cd'],
  ['search[url]=X.TEST', 'c'],
  ['search[to]=ann', 'a'],
];

describe('a filter on a field of a kind', () => {
  test.each(filters)('compares by its type: %s', async (filter, expected) => {
    for (const path of ['/api/form', '/csv/form', ...(filter.startsWith('search') ? [] : ['/count/form'])]) {
      const answer = await server.get(`${path}?${filter}${path === '/count/form' ? '' : '&sort=name'}`);
      const shown =
        path === '/api/form'
          ? names(answer.rows)
          : path === '/count/form'
            ? answer.body['count']
            : answer.text.trim().split('\r\n').length - 1;
      expect([path, answer.status, shown]).toEqual([path, 200, path === '/api/form' ? expected : expected.length]);
    }
  });

  test.each([
    ['filter[at]=tomorrow', 'at must be a date'],
    ['filter[answers.count]=two', 'answers.count must be a finite number'],
    ['filter[open]=maybe', 'open must be true or false'],
    ['filter[steps.km]=far', 'steps.km must be a finite number'],
    ['filter[state]=old', 'new, done'],
  ])('takes no other value: %s', async (filter, reason) => {
    expect(await server.get(`/api/form?${filter}`)).toMatchObject({
      status: 400,
      body: { err: expect.stringContaining(reason) },
    });
  });

  test('compares by its type in a query and in a pipeline', async () => {
    const query = { at: { $gte: '2020-01-01' } };
    expect(names((await server.post('/query/form', { query }, root)).rows)).toBe('a');
    const rows = (await server.post('/aggregate/form', [{ $match: query }, { $project: { name: 1 } }], root)).body[
      'data'
    ];
    expect(rows).toMatchObject([{ name: 'a' }]);
  });

  test('compares by its type in a subscription', async () => {
    const stream = await listen(`${server.url}/events/form?filter[at]=$gte:2020`);
    for (const at of ['2018-01-01', '2022-01-01']) await server.post('/api/form', { type: 'email', name: 'event', at });
    await stream.until(1);
    stream.close();
    expect(stream.received.map(({ item }) => item.at)).toEqual(['2022-01-01T00:00:00.000Z']);
    for (const { _id } of (await server.get('/api/form?filter[name]=event')).rows)
      await server.remove(`/api/form/${String(_id)}?_permaDelete=1`);
  });
});

test('a list is sorted by a field of a kind, and its values are counted', async () => {
  expect(names((await server.get('/api/form?sort=-at&filter[type]=email')).rows)).toBe('ab');
  expect((await server.get('/distinct/form/place.city')).body['data']).toEqual([{ value: 'Ulm', count: 1 }]);
  expect((await server.get('/distinct/form/level')).body['data']).toHaveLength(3);
});

test('CSV has the columns of all kinds, without those that the caller may not read', async () => {
  const columns = async (query: string, sent = {}): Promise<readonly string[]> =>
    (await server.get(`/csv/form?sort=name${query}`, sent)).text.split('\r\n')[0]?.split(',') ?? [];
  const kinds = ['to', 'at', 'level', 'open', 'answers', 'place.city', 'place.zip', 'url', 'state'];
  const all = await columns('');
  expect(all).toEqual(expect.arrayContaining(['_id', 'name', 'steps', 'type', ...kinds]));
  expect(new Set(all).size).toBe(all.length);
  expect(all).not.toContain('secret');
  expect(all).not.toContain('hidden');
  expect(await columns('', root)).toContain('secret');
  expect(await columns('&fields=name,place')).toEqual(['_id', 'name', 'place.city', 'place.zip']);
  expect(await columns('&fields=-place,-steps')).not.toContain('place.zip');
  const { text } = await server.get('/csv/form?sort=name&fields=name,at,level,url');
  const cells = text
    .trim()
    .split('\r\n')
    .map((line) => line.split(',').slice(1).join('|'));
  expect(cells).toEqual([
    'name|at|level|url',
    'a|2020-01-01T00:00:00.000Z|5|',
    'b|2019-06-01T00:00:00.000Z|9|',
    'c||5|https://x.test',
    'd|||',
  ]);
});

describe('the fields of kinds', () => {
  type Described = Record<string, any>;
  const described = async (sent = {}): Promise<Described> => (await server.get('/model/form', sent)).body['data'];

  test('are described with the kinds that have them, to callers who may read them', async () => {
    const { fields, kinds } = await described();
    expect(kinds).toEqual({ key: 'type', values: ['email', 'hook'] });
    expect(fields.type.enum).toEqual(['email', 'hook']);
    expect(fields.at).toMatchObject({ type: 'Date', kinds: ['email'] });
    expect(fields['place.zip']).toMatchObject({ type: 'Number', kinds: ['email'] });
    expect(fields.state).toMatchObject({ enum: ['new', 'done'], kinds: ['hook'] });
    expect(fields.level).toMatchObject({ type: 'Mixed', kinds: ['email', 'hook'] });
    expect(fields['steps.km']).toMatchObject({ type: 'Number', kinds: ['walk'] });
    expect(fields['steps.form'].enum).toEqual(['walk']);
    expect(fields.name).not.toHaveProperty('kinds');
    expect(fields).not.toHaveProperty('secret');
    expect((await described(root))['fields'].secret).toMatchObject({ kinds: ['email'] });
    const rights = (await server.get('/model/form/rights')).body['data'].fields;
    expect(rights).toMatchObject({ at: 'cru', 'place.zip': 'cru', url: 'cru' });
    expect(rights).not.toHaveProperty('secret');
  });

  test('are in OpenAPI, by a discriminator', async () => {
    const { schemas } = (await server.get('/openapi.json')).body['components'] as { schemas: Described };
    const refs = (name: string): object => ({
      oneOf: [`${name}.kind`, `${name}.kind.email`, `${name}.kind.hook`].map((one) => ({
        $ref: `#/components/schemas/${one}`,
      })),
      discriminator: {
        propertyName: 'type',
        mapping: { email: `#/components/schemas/${name}.kind.email`, hook: `#/components/schemas/${name}.kind.hook` },
      },
    });
    for (const name of ['form', 'form.create']) {
      expect(schemas[name]).toMatchObject(refs(name));
      const { properties, required } = schemas[`${name}.kind.email`];
      expect(properties).toMatchObject({ type: { const: 'email' }, at: {}, place: { properties: { zip: {} } } });
      expect([required.includes('type'), 'url' in properties, 'secret' in properties]).toEqual([true, false, false]);
      expect(schemas[`${name}.kind`].properties).not.toHaveProperty('at');
    }
    expect(schemas['form.change'].properties).toMatchObject({ at: {}, url: {}, name: {} });
    const [steps] = [schemas['form.kind'].properties.steps.items.properties];
    expect(steps).toMatchObject({ n: {}, km: {}, form: { enum: ['walk', null] } });
  });
});
