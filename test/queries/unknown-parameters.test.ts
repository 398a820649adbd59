/** An unknown parameter that is the name of a field is answered with the filter that was meant, for fields that the caller may see. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { operationGroups } from '../../src/start/operations.ts';
import { type Caller, makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const options = `perms: { all: 'crud' }, history: true, advanced_queries: { query: true, aggregate: true, bulkwrite: true }`;
const models = {
  task: `module.exports = ({ Schema, Mixed }) => {
  const task = new Schema({
    title: { type: String, alias: 'heading' },
    status: String,
    price: Number,
    password: String,
    address: { city: String },
    meta: Mixed,
    salary: { type: Number, perms: { admin: 'cru' } },
  }, { ${options}, discriminatorKey: 'kind' });
  task.virtual('label').get(function () { return this.title; });
  task.discriminator('chore', new Schema({ room: String }));
  return task;
};`,
  free: `module.exports = ({ Schema }) => new Schema({ n: Number }, { strict: false, ${options} });`,
};

let server: TestServer;
let root: Caller;
beforeAll(async () => {
  server = await startServer({ models });
  root = await makeRoot(server);
});

/** Parameters of a few endpoints, which others refuse. */
const elsewhere: ReadonlySet<string> = new Set(['status', 'at', 'position', 'explain', 'request_id']);
interface Described {
  readonly paths: Record<string, Record<string, { readonly requestBody: Body }>>;
}
interface Body {
  readonly content: { readonly 'application/json': { readonly schema: { readonly additionalProperties?: boolean } } };
}

const unknown = (name: string, hint = ''): object => ({
  status: 400,
  body: {
    message: 'Unknown parameter',
    err: `${name} is not a parameter of ${elsewhere.has(name) ? 'this' : 'any'} endpoint${hint}`,
  },
});
const meant = (name: string, filter: string): object => unknown(name, `; to filter by the field, write ${filter}`);

describe('the name of a field', () => {
  test.each([
    ['status=open', 'status', 'filter[status]=open'],
    ['status', 'status', 'filter[status]='],
    ['status=in+progress%26more', 'status', 'filter[status]=in%20progress%26more'],
    ['status=$ne:done,open', 'status', 'filter[status]=$ne:done,open'],
    ['status=a&status=b', 'status', 'filter[status]=a'],
    ['price[$gte]=5', 'price', 'filter[price][$gte]=5'],
    ['status[$in][]=a&status[$in][]=b', 'status', 'filter[status][$in][0]=a'],
    ['address[city]=Rome', 'address', 'filter[address][city]=Rome'],
    ['address.city=Rome', 'address.city', 'filter[address.city]=Rome'],
    ['meta.colour=red', 'meta.colour', 'filter[meta.colour]=red'],
    ['heading=one', 'heading', 'filter[heading]=one'],
    ['room=hall', 'room', 'filter[room]=hall'],
    [`status=${'x'.repeat(61)}`, 'status', 'filter[status]=<value>'],
    ['limit=5&status=open', 'status', 'filter[status]=open'],
  ])('%s', async (query, name, filter) => {
    expect(await server.get(`/api/task?${query}`)).toMatchObject(meant(name, filter));
  });

  test('what is written filters', async () => {
    await server.post('/api/task', { title: 'a', status: 'in progress&more', price: 7 });
    for (const query of ['status=in+progress%26more', 'price[$gte]=5', 'status[$in][]=in+progress%26more']) {
      const { body } = await server.get(`/api/task?${query}`);
      const filter = String(body['err']).split('write ')[1] ?? '';
      expect((await server.get(`/api/task?${filter}`)).rows).toHaveLength(1);
    }
  });

  test('of a schema that accepts any name is one that it declares', async () => {
    expect(await server.get('/api/free?n=1')).toMatchObject(meant('n', 'filter[n]=1'));
    expect(await server.get('/api/free?filtr[n]=1')).toMatchObject(unknown('filtr', '; did you mean "filter"?'));
  });

  test('that the caller may not see is like any other name', async () => {
    for (const name of ['salary', 'password', 'nothing', 'label'])
      expect(await server.get(`/api/task?${name}=1`)).toMatchObject(unknown(name));
    expect(await server.get('/api/task?salary=1', { headers: root.headers })).toMatchObject(
      meant('salary', 'filter[salary]=1'),
    );
  });
});

test.each(['/api/task', '/count/task', '/csv/task', '/distinct/task/title', '/history/task'])(
  'a time (at) is refused where no document is read as it was: GET %s',
  async (path) => {
    expect(await server.get(`${path}?at=2026-01-01T00:00:00Z`, root)).toMatchObject(unknown('at'));
  },
);

test.each([
  ['/audit?search=x', 'audit has no text index'],
  ['/audit?populate=nobody', 'populate: audit has no link named nobody'],
])('a message has no internal name: GET %s', async (path, err) => {
  expect(await server.get(path, root)).toMatchObject({ status: 400, body: { err } });
});

describe('a body refuses the names that its description does not have', () => {
  const id = 'a'.repeat(24);
  const hook = { url: 'https://hooks.example', models: ['task'] };
  const cases: readonly (readonly [
    method: 'POST' | 'PUT',
    path: string,
    template: string,
    body: object,
    err: string,
  ])[] = [
    [
      'POST',
      '/query/task',
      '/query/task',
      { query: {}, limit: 1 },
      '"limit" is a parameter: send it in the URL, as in ?limit=<value>',
    ],
    [
      'POST',
      '/webhooks',
      '/webhooks',
      { ...hook, event: [] },
      'event is unknown; there are url, models, events, filter, description, active; did you mean "events"?',
    ],
    [
      'PUT',
      `/webhooks/${id}`,
      '/webhooks/{id}',
      { urls: '' },
      'urls is unknown; there are url, models, events, filter, description, active; did you mean "url"?',
    ],
    [
      'POST',
      `/webhooks/${id}/rotate`,
      '/webhooks/{id}/rotate',
      { overlaps: 60 },
      'overlaps is unknown; there is overlap; did you mean "overlap"?',
    ],
    [
      'POST',
      `/webhooks/${id}/replay`,
      '/webhooks/{id}/replay',
      { untill: '' },
      'untill is unknown; there are ids, since, until; did you mean "until"?',
    ],
    [
      'POST',
      `/login/keys/${id}/rotate`,
      '/login/keys/{id}/rotate',
      { overlapp: 60 },
      'overlapp is unknown; there is overlap; did you mean "overlap"?',
    ],
    [
      'POST',
      '/views',
      '/views',
      { model: 'task', title: 'a', sorts: '' },
      'sorts is unknown; there are model, title, shared, filter, search, sort, fields, deleted, figure; did you mean "sort"?',
    ],
    [
      'PUT',
      `/views/${id}`,
      '/views/{id}',
      { titel: 'a' },
      'titel is unknown; there are model, title, shared, filter, search, sort, fields, deleted, figure; did you mean "title"?',
    ],
  ];
  test.each(cases)('%s %s', async (method, path, template, body, err) => {
    const answer = await server.send(method, path, { headers: root.headers, body });
    expect([answer.status, answer.body['err']]).toEqual([400, err]);
    const { paths } = (await server.get('/openapi.json', root)).body as unknown as Described;
    const described = paths[template]?.[method.toLowerCase()]?.requestBody.content['application/json'].schema;
    expect(described?.additionalProperties).toBe(false);
  });
});

const ofModels = operationGroups
  .flatMap(({ operations }) => operations)
  .filter(({ http, input }) => http.path.includes(':model') && input?.freeQuery !== true);

test.each(ofModels.map(({ name, http, input }) => [name, http, input] as const))('%s', async (_name, http, input) => {
  const path = http.path.replace(':model', 'task').replace(':id', '0'.repeat(24)).replace(/:\w+/g, 'title');
  const sent = { headers: root.headers, ...(http.method === 'GET' ? {} : { body: {} }) };
  const takesFilters = input?.query?.some(({ name }) => name === 'filter') === true;
  expect(await server.send(http.method, `${path}?status=open`, sent)).toMatchObject(
    takesFilters ? meant('status', 'filter[status]=open') : unknown('status'),
  );
});

const withOwnNames = operationGroups
  .flatMap(({ operations }) => operations)
  .filter(({ input, access }) => input?.freeQuery !== true && !('guard' in access));

describe('a parameter that is given twice, has brackets or is no number is refused, also where it has no effect', () => {
  test.each(withOwnNames.map(({ http, input }) => [`${http.method} ${http.path}`, http, input] as const))(
    '%s',
    async (_name, http, input) => {
      const path = http.path.replace(':model', 'task').replace(/:\w+/g, '0'.repeat(24));
      const sent = { headers: root.headers, ...(http.method === 'GET' ? {} : { body: {} }) };
      const own = new Set(input?.query?.map(({ name }) => name));
      const malformed = ['limit[$gt]=1', 'limit=1&limit=2', 'limit=few', 'page=0', 'user[]=a', 'who[$ne]=a'];
      for (const query of malformed.filter((one) => !own.has(/^\w+/.exec(one)?.[0] ?? ''))) {
        const { status, body } = await server.send(http.method, `${path}?${query}`, sent);
        expect([query, status, body['err']]).toEqual([query, 400, expect.stringMatching(/^(limit|page|user|who): /)]);
      }
    },
  );
});
