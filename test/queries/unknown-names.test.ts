/** Names that a schema does not have are refused in every read, with a suggestion. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Document } from '../support/client.ts';
import { type Caller, makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models = {
  person: `module.exports = ({ Schema, ObjectId }) => new Schema(
    { name: String, town: String, password: String, friend_id: { type: ObjectId, link: 'person' } },
    { perms: { all: 'crud' } });`,
  task: `module.exports = ({ Schema, ObjectId, Mixed }) => {
  const task = new Schema({
    title: { type: String, alias: 'heading' },
    status: String,
    priority: Number,
    password: String,
    address: { city: String },
    logins: [{ site: String, at: Date, by_id: { type: ObjectId, link: 'person' } }],
    meta: Mixed,
    marks: { type: Map, of: String },
    open: new Schema({ n: Number }, { strict: false, _id: false }),
    assignee_id: { type: ObjectId, link: 'person' },
    watchers: [{ type: ObjectId, link: 'person' }],
  }, {
    perms: { all: 'crud' },
    advanced_queries: { query: true, aggregate: true, bulkwrite: true },
    discriminatorKey: 'kind',
  });
  task.virtual('label').get(function () { return this.title; });
  task.index({ title: 'text' });
  task.discriminator('chore', new Schema({ room: String }));
  return task;
};`,
  free: `module.exports = ({ Schema }) => new Schema({ n: Number },
    { strict: false, perms: { all: 'crud' }, advanced_queries: { query: true } });`,
};

let server: TestServer;
let root: Caller;
beforeAll(async () => {
  server = await startServer({ models });
  root = await makeRoot(server);
  await server.post('/api/task', { title: 'one', status: 'done', priority: 1, address: { city: 'Rome' } });
});

const refused = (err: string, message = 'Unknown field'): object => ({ status: 400, body: { message, err } });

describe('a list refuses', () => {
  test.each([
    ['filter[statsu]=$ne:done', 'filter: statsu is not in the schema; did you mean "status"?'],
    ['filter[$or][0][title]=a&filter[$or][1][statsu]=b', 'filter: statsu is not in the schema; did you mean "status"?'],
    ['filter[address][ctiy]=x', 'filter: address.ctiy is not in the schema; did you mean "address.city"?'],
    ['filter[adress.city]=x', 'filter: adress.city is not in the schema; did you mean "address.city"?'],
    ['filter[logins.0.sit]=x', 'filter: logins.0.sit is not in the schema; did you mean "logins.0.site"?'],
    ['filter[login.site]=x', 'filter: login.site is not in the schema; did you mean "logins.site"?'],
    ['filter[priority.high]=1', 'filter: priority.high is not in the schema'],
    ['filter[zzzzzz]=1', 'filter: zzzzzz is not in the schema'],
    ['filter[hasOwnProperty]=1', 'filter: hasOwnProperty is not in the schema'],
    ['sort=prioritty', 'sort: prioritty is not in the schema; did you mean "priority"?'],
    ['sort[-]=1', 'sort: - is not in the schema'],
    ['sort=score', 'sort: score is not in the schema'],
    ['fields=titel', 'fields: titel is not in the schema; did you mean "title"?'],
    ['fields=-titel', 'fields: titel is not in the schema; did you mean "title"?'],
    ['fields=lable', 'fields: lable is not in the schema; did you mean "label"?'],
    ['search[titel]=x', 'search: titel is not in the schema; did you mean "title"?'],
    ['populate[assignee]=nam', 'populate: nam is not in the schema; did you mean "name"?'],
    ['populate[assignee]=town,pasword', 'populate: pasword is not in the schema'],
  ])('%s', async (query, err) => {
    expect(await server.get(`/api/task?${query}`)).toMatchObject(refused(err));
  });

  test.each([
    [
      'filter[label]=x',
      'filter: label is a virtual: answers show it, but the database does not store it, so it cannot be used here',
    ],
    [
      'sort=-label',
      'sort: label is a virtual: answers show it, but the database does not store it, so it cannot be used here',
    ],
    [
      'filter[assignee]=x',
      'filter: assignee is the name under which answers show the linked document: use assignee_id',
    ],
    [
      'sort=assignee.name',
      'sort: assignee.name is in the linked document, which only filters of lists, counts, CSV and queries reach: use assignee_id',
    ],
    ['sort=_owner', 'sort: _owner is the name under which answers show the linked document: use _owner_id'],
  ])('a name that only answers show: %s', async (query, err) => {
    expect(await server.get(`/api/task?${query}`)).toMatchObject(refused(err));
  });

  test('a link that the model does not have', async () => {
    const answer = await server.get('/api/task?populate=asignee');
    expect(answer).toMatchObject(
      refused('populate: task has no link named asignee; did you mean "assignee"?', 'Bad parameter'),
    );
  });

  test('a misspelt parameter', async () => {
    const answer = await server.get('/api/task?filer[status]=done');
    expect(answer).toMatchObject(
      refused('filer is not a parameter of any endpoint; did you mean "filter"?', 'Unknown parameter'),
    );
  });
});

test('one document, a count, a CSV and an event stream refuse unknown names too', async () => {
  const [{ _id } = {}] = (await server.get('/api/task')).rows;
  for (const path of [
    `/api/task/${String(_id)}?fields=titel`,
    '/count/task?filter[titel]=x',
    '/csv/task?sort=titel',
    '/events/task?filter[titel]=x',
  ]) {
    const { status, body } = await server.get(path);
    expect({ path, status, body }).toMatchObject({
      status: 400,
      body: { message: 'Unknown field', err: expect.stringContaining('did you mean "title"?') },
    });
  }
});

test('names of a model that the caller may not read are not suggested', async () => {
  const shut = await startServer({
    models: {
      note: `module.exports = ({ Schema }) => new Schema({ text: String }, { perms: { all: 'r' } });`,
      user: `module.exports = ({ Schema, ObjectId }) => new Schema(
        { name: String, secretary_id: { type: ObjectId, link: 'user' } });`,
    },
  });
  for (const [query, status, err] of [
    ['_owner.secretar', 400, 'populate: user has no link named secretar'],
    ['_owner.secretary', 400, 'populate: user has no link named secretary'],
    ['_updated_by.secretary.secretary', 400, 'populate: user has no link named secretary.secretary'],
    ['_owner', 200, undefined],
  ] as const) {
    const { body, ...answer } = await shut.get(`/api/note?populate=${query}`);
    expect([query, answer.status, body['err']]).toEqual([query, status, err]);
  }
  const { status, text } = await shut.get('/api/note?populate[_owner]=secretary_i');
  expect(status).toBe(200);
  expect(text).not.toContain('secretary');
});

describe('a list accepts', () => {
  const names = [
    ...['id', '_id', 'createdAt', 'updatedAt', '_deleted', '_owner_id', '_updated_by_id', '__v', 'kind'],
    ...['heading', 'address.city', 'address', 'logins.site', 'logins.0.site', 'logins.0.by_id', 'logins', 'room'],
    ...['meta', 'meta.any.thing', 'marks', 'marks.red', 'open.any', 'assignee_id', 'watchers', 'watchers.0'],
  ];
  test.each(names)('a filter, an order and fields of %s', async (name) => {
    for (const query of [`filter[${name}]=$exists:false`, `sort=${name}`, `fields=${name}`, `fields=-${name}`])
      expect([query, (await server.get(`/api/task?${query}`)).status]).toEqual([query, 200]);
  });

  test.each([
    'fields=label,id,_owner,assignee,assignee.name,logins.by',
    'fields=password',
    'search=one&sort=score&fields=title,score',
    'search[heading]=one',
    'populate=_owner,assignee,by,watchers',
  ])('%s', async (query) => {
    expect((await server.get(`/api/task?${query}`)).status).toBe(200);
  });

  test.each(['filter[any]=1', 'sort=any.thing', 'fields=other', 'search[any]=x', 'filter[n.x]=1'])(
    '%s, where the schema accepts any field',
    async (query) => {
      expect((await server.get(`/api/free?${query}`)).status).toBe(200);
    },
  );
});

describe('a filter in a body', () => {
  const query = (filter: object): Promise<{ readonly status: number; readonly body: Document }> =>
    server.post('/query/task', { query: filter });

  test.each([
    [{ statsu: 'done' }, 'statsu is not in the schema; did you mean "status"?'],
    [{ $and: [{ title: 'a' }, { $nor: [{ statsu: 'a' }] }] }, 'statsu is not in the schema; did you mean "status"?'],
    [{ logins: { $elemMatch: { sitee: 'x' } } }, 'logins.sitee is not in the schema; did you mean "logins.site"?'],
    [{ label: 'a' }, 'label is a virtual: answers show it, but the database does not store it'],
  ])('refuses %j', async (filter, err) => {
    const { status, body } = await query(filter);
    expect({ status, body }).toMatchObject({ status: 400, body: { err: expect.stringContaining(`filter: ${err}`) } });
  });

  test.each([
    { heading: 'a', id: '0123456789abcdef01234567', room: 'x' },
    { logins: { $elemMatch: { site: 'x', _id: '0123456789abcdef01234567' } } },
    { meta: { $elemMatch: { any: 1 } }, 'meta.any': 1, 'marks.red': 'x' },
  ])('accepts %j', async (filter) => {
    expect((await query(filter)).status).toBe(200);
  });
});

describe('a pipeline', () => {
  const run = (stages: readonly object[]): ReturnType<TestServer['post']> =>
    server.post('/aggregate/task', stages, root);

  test.each([
    [[{ $match: { statsu: 'done' } }]],
    [[{ $sort: { title: 1 } }, { $match: { statsu: 'done' } }]],
    [[{ $facet: { a: [{ $match: { statsu: 'done' } }] } }]],
    [[{ $unionWith: { coll: 'task', pipeline: [{ $match: { statsu: 'done' } }] } }]],
  ])('refuses an unknown name in a filter of stored documents: %j', async (stages) => {
    expect(await run(stages)).toMatchObject(refused('filter: statsu is not in the schema; did you mean "status"?'));
  });

  test('accepts the names that its stages create', async () => {
    const answer = await run([
      { $match: { 'address.city': 'Rome' } },
      { $set: { made: 1 } },
      { $match: { made: 1, id: { $exists: false } } },
      { $count: 'n' },
    ]);
    expect(answer.rows).toEqual([{ n: 1 }]);
  });
});
