/** A value that the schema's `enum` does not have is a 400 in every filter, and null and documents from before a change are found. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { operatorRows } from '../../src/query/operators.ts';
import { connect } from '../support/connection.ts';
import { type Caller, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const options = `advanced_queries: { query: true, aggregate: true, bulkwrite: true }`;
const models = {
  task: `module.exports = ({ Schema, ObjectId }) => {
  const status = { type: String, enum: ['open', 'done'], alias: 'state' };
  const task = new Schema({
    title: String,
    status,
    level: { type: Number, enum: [1, 2, 3] },
    size: { type: String, enum: ['small', 'large'], lowercase: true, trim: true },
    labels: [{ type: String, enum: ['red', 'blue'] }],
    tones: { type: [String], enum: ['warm', 'cold'] },
    steps: [{ name: String, state: { type: String, enum: ['todo', 'ready'] } }],
    marks: { type: Map, of: { type: String, enum: ['a', 'b'] } },
    secret: { type: String, enum: ['spy', 'mole'], perms: { admin: 'cru' } },
    note: { type: String, enum: ['null', 'full'] },
    parent_id: { type: ObjectId, link: 'task' },
  }, { perms: { all: 'crud' }, discriminatorKey: 'kind', ${options} });
  task.discriminator('bug', new Schema({ severity: { type: String, enum: ['low', 'high'] } }));
  task.discriminator('chore', new Schema({ severity: { type: String, enum: ['dull'] }, room: { type: String, enum: ['hall'] } }));
  task.discriminator('plan', new Schema({ room: String, status: { type: String, enum: ['open', 'done', 'draft'] } }));
  return task;
};`,
  ruled: `module.exports = ({ Schema }) => new Schema(
    { title: String, status: { type: String, enum: ['open', 'done'] } },
    { perms: { all: { r: { where: { status: { $ne: 'gone' } } } } }, ${options} });`,
};

const statusValues = 'status must be one of open, done, draft';
let server: TestServer;
let root: Caller;
let ann: Caller;
beforeAll(async () => {
  server = await startServer({ models });
  ({ root, ann } = await makeCallers(server, ['root', 'ann']));
  const { connection } = server.dossier.services;
  await connection.collection('tasks').insertMany([
    {
      title: 'a',
      status: 'open',
      level: 1,
      size: 'small',
      labels: ['red'],
      tones: ['warm'],
      steps: [{ state: 'todo' }],
    },
    { title: 'b', status: 'done', level: 2, size: 'large', labels: ['blue'], tones: ['cold'], marks: { x: 'a' } },
    // from before the enum has changed
    { title: 'old', status: 'waiting', level: 9, labels: ['green', 'red'] },
    { title: 'none', status: null },
  ]);
  await connection.collection('ruleds').insertMany([
    { title: 'a', status: 'open' },
    { title: 'b', status: 'gone' },
  ]);
});

const refusal = (path: string, err: string): object => ({
  status: 400,
  body: { message: 'Bad value', err, errors: [{ path, kind: 'enum', message: err }] },
});
const titlesAt = async (path: string): Promise<unknown[]> => {
  const { status, rows, body } = await server.get(path);
  expect({ status, err: body['err'] }).toEqual({ status: 200, err: undefined });
  return rows.map(({ title }) => title);
};
const found = (filter: string): Promise<unknown[]> => titlesAt(`/api/task?sort=title&fields=title&filter${filter}`);

describe('refused, with the values', () => {
  test.each([
    ['[status]=opne', 'status', `${statusValues}`],
    ['[state]=zzzzzzzz', 'status', statusValues],
    ['[status]=OPEN', 'status', `${statusValues}`],
    ['[status]=', 'status', statusValues],
    ['[level]=9', 'level', 'level must be one of 1, 2, 3'],
    ['[size]=MEDIUM', 'size', 'size must be one of small, large'],
    ['[labels]=gren', 'labels', 'labels must be one of red, blue'],
    ['[labels.0]=gren', 'labels.0', 'labels.0 must be one of red, blue'],
    ['[tones]=tepid', 'tones', 'tones must be one of warm, cold'],
    ['[steps.state]=reddy', 'steps.state', 'steps.state must be one of todo, ready'],
    ['[marks.x]=c', 'marks.x', 'marks.x must be one of a, b'],
    ['[note]=nil', 'note', 'note must be one of null, full'],
    // of any discriminator
    ['[severity]=hihg', 'severity', 'severity must be one of low, high, dull'],
    ['[parent.status]=opne', 'status', `${statusValues}`],
    ['[$or][0][title]=a&filter[$or][1][status]=opne', 'status', `${statusValues}`],
  ])('filter%s', async (filter, path, err) => {
    expect(await server.get(`/api/task?filter${filter}`)).toMatchObject(refusal(path, err));
  });

  const exact = operatorRows.filter(({ isExact }) => isExact === true).map(({ name }) => name);
  test('these operators compare with certain values', () => {
    expect(exact).toEqual(['$eq', '$ne', '$in', '$nin', '$all']);
  });

  test.each(exact)('%s, in a URL and in JSON', async (name) => {
    const isList = !['$eq', '$ne'].includes(name);
    const value = isList ? ['open', 'waiting'] : 'waiting';
    const expected = refusal('status', statusValues);
    expect(await server.get(`/api/task?filter[status]=${name}:${String(value)}`)).toMatchObject(expected);
    const condition = { [name]: value };
    for (const filter of [
      { status: condition },
      { $and: [{ $or: [{ status: condition }] }] },
      ...(name === '$all' ? [] : [{ status: { $not: condition } }]),
    ])
      expect(await server.post('/query/task', { query: filter })).toMatchObject(expected);
    if (isList)
      expect(
        await server.get(`/api/task?filter[status][${name}][]=open&filter[status][${name}][]=waiting`),
      ).toMatchObject(expected);
  });

  test.each([
    [{ labels: ['red', 'green'] }, 'labels'],
    [{ labels: { $in: [['red', 'green']] } }, 'labels'],
    [{ labels: { $elemMatch: { $eq: 'green' } } }, 'labels'],
    [{ steps: { $elemMatch: { state: 'done' } } }, 'steps.state'],
    [{ level: 9 }, 'level'],
    [{ level: { $in: [1, '9'] } }, 'level'],
  ])('in JSON: %j', async (query, path) => {
    const { status, body } = await server.post('/query/task', { query });
    expect([status, body['errors']]).toEqual([400, [expect.objectContaining({ path, kind: 'enum' })]]);
  });

  const filter = { status: 'waiting' };
  const asRoot = () => ({ headers: root.headers });
  test.each<[string, () => Promise<unknown>]>([
    ['a count', () => server.get('/count/task?filter[status]=waiting')],
    ['a CSV', () => server.get('/csv/task?filter[status]=waiting')],
    ['distinct values', () => server.get('/distinct/task/title?filter[status]=waiting')],
    ['an event stream', () => server.get('/events/task?filter[status]=waiting')],
    ['a query', () => server.post('/query/task', { query: filter })],
    ['$match', () => server.post('/aggregate/task', [{ $match: filter }])],
    ['a later $match', () => server.post('/aggregate/task', [{ $sort: { title: 1 } }, { $match: filter }])],
    ['$match in $facet', () => server.post('/aggregate/task', [{ $facet: { x: [{ $match: filter }] } }])],
    [
      '$match in $lookup',
      () => server.post('/aggregate/ruled', [{ $lookup: { from: 'task', pipeline: [{ $match: filter }], as: 'x' } }]),
    ],
    [
      '$graphLookup',
      () => {
        const connect = { connectFromField: 'parent_id', connectToField: '_id' };
        const stage = { from: 'task', startWith: '$_id', ...connect, as: 'x', restrictSearchWithMatch: filter };
        return server.post('/aggregate/task', [{ $graphLookup: stage }]);
      },
    ],
    [
      'a bulk write',
      () => server.post('/bulkwrite/task', [{ updateMany: { filter, update: { title: 'x' } } }], asRoot()),
    ],
    ['a bulk deletion', () => server.post('/bulkwrite/task', [{ deleteOne: { filter } }], asRoot())],
  ])('by %s', async (_name, request) => {
    expect(await request()).toMatchObject({ status: 400, body: { err: expect.stringContaining(statusValues) } });
  });

  test('by a subscription over the WebSocket', async () => {
    const socket = await connect(server.url, ann.headers);
    const answer = await socket.ask('subscribe', { model: 'task', filter });
    socket.socket.terminate();
    expect(answer).toMatchObject({ status: 'error', message: `Bad value: ${statusValues}` });
  });
});

describe('a field that the caller may not read', () => {
  test.each(['secret', 'nothing'])('has no values: %s', async (name) => {
    const answers = [
      await server.get(`/api/task?filter[${name}]=moel`),
      await server.post('/query/task', { query: { [name]: { $in: ['moel'] } } }),
      await server.post('/aggregate/task', [{ $match: { [name]: 'moel' } }]),
    ];
    for (const { status, body } of answers)
      expect([status, body['message'], body['err']]).toEqual([
        400,
        'Unknown field',
        `filter: ${name} is not in the schema`,
      ]);
  });

  test('and an admin gets them', async () => {
    expect(await server.get('/api/task?filter[secret]=moel', { headers: root.headers })).toMatchObject(
      refusal('secret', 'secret must be one of spy, mole'),
    );
  });
});

describe('accepted', () => {
  test.each<[string, readonly string[]]>([
    ['[status]=open', ['a']],
    ['[status]=null', ['none']],
    ['[status]=$ne:null', ['a', 'b', 'old']],
    ['[status]=$in:open,null', ['a', 'none']],
    ['[status]=$exists:true', ['a', 'b', 'none', 'old']],
    ['[size]=LARGE', ['b']],
    ['[size]=%20Small%20', ['a']],
    ['[labels]=red', ['a', 'old']],
    ['[labels]=$all:red', ['a', 'old']],
    ['[note]=null', ['a', 'b', 'none', 'old']],
    ['[note]=$in:["null"]', []],
    ['[room]=anything', []],
    ['[severity]=dull', []],
    ['[status]=draft', []],
    // documents from before the enum has changed
    ['[status]=$nin:open,done,draft,null', ['old']],
    ['[status]=$regex:/^waiting$/', ['old']],
    ['[status]=$gte:waiting', ['old']],
    ['[level]=$gt:3', ['old']],
    ['[labels]=$regex:/green/', ['old']],
  ])('filter%s', async (filter, titles) => {
    expect(await found(filter)).toEqual(titles);
  });

  test('null and existence in JSON', async () => {
    const titles = async (query: object) =>
      (await server.post('/query/task?sort=title&fields=title', { query })).rows.map(({ title }) => title);
    expect(await titles({ status: null })).toEqual(['none']);
    expect(await titles({ status: { $in: [null, 'open'] } })).toEqual(['a', 'none']);
    expect(await titles({ status: { $exists: false } })).toEqual([]);
    expect(await titles({ status: { $type: 'null' } })).toEqual(['none']);
  });

  test('a $match on what a stage has made', async () => {
    const pipeline = [{ $project: { _id: 0, title: 1, status: 1 } }, { $match: { status: 'waiting' } }];
    expect((await server.post('/aggregate/task', pipeline)).rows).toEqual([{ title: 'old', status: 'waiting' }]);
  });

  test('a row rule of the model', async () => {
    expect(await titlesAt('/api/ruled')).toEqual(['a']);
  });

  test('an update that removes an old value', async () => {
    const update = { $pull: { labels: { $in: ['green'] } } };
    const bulk = [{ updateMany: { filter: { labels: { $regex: '^green$' } }, update } }];
    expect((await server.post('/bulkwrite/task', bulk, { headers: root.headers })).status).toBe(200);
    expect(await found('[labels]=$regex:/green/')).toEqual([]);
  });
});
