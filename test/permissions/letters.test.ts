/** Letters of paths: who sees and writes which fields, and that a field without `r` does not exist for the caller (docs/permissions.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Document } from '../support/client.ts';
import { type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

type Person = 'root' | 'ann' | 'bob' | 'ed';
let server: TestServer;
let callers: Callers<Person>;
let own: string;
let others: string;

const person = `export default ({ Schema, ObjectId }) => {
  const schema = new Schema(
    {
      name: String,
      salary: { type: Number, perms: { admin: 'cru', owner: 'r' }, alias: 'pay' },
      grade: { type: String, default: 'junior', perms: { editors: 'ru' } },
      note: { type: String, perms: { user: 'cu' } },
      mine: { type: String, perms: { owner: 'cru' } },
      motto: { type: Schema.Types.Mixed, perms: { user: 'r', owner: 'cru' } },
      address: { street: String, zip: { type: String, perms: { admin: 'cru' } } },
      jobs: [{ _id: false, title: String, cost: { type: Number, alias: 'price', perms: { admin: 'cru' } } }],
      boss_id: { type: ObjectId, link: 'person', perms: { admin: 'cru' } },
    },
    { perms: { user: 'cru', owner: 'crud', editors: 'ru' }, advanced_queries: { bulkwrite: true } },
  );
  schema.index({ name: 'text', salary: 'text' });
  return schema;
};`;

const secrets = { salary: 100, address: { street: 's', zip: 'c' }, jobs: [{ title: 't', cost: 5 }], note: 'n' };

beforeAll(async () => {
  server = await startServer({ models: { 'person.ts': person } });
  callers = await makeCallers(server, ['root', 'ann', 'bob', 'ed']);
  await server.put(`/api/user/${callers.ed.user_id}`, { groups: ['editors'] }, callers.root);
  const make = async (name: string, owner: Person): Promise<string> => {
    const made = await server.post('/api/person', { name, ...secrets, note: undefined }, callers.root);
    if (made.status !== 201) throw new Error(made.text);
    const id = String(made.document['_id']);
    await server.put(`/api/person/${id}`, { _owner_id: callers[owner].user_id }, callers.root);
    return id;
  };
  own = await make('Ann', 'ann');
  others = await make('Bob', 'bob');
});

const rowOf = async (by: Person, id: string, query = ''): Promise<Document> =>
  (await server.get(`/api/person/${id}${query}`, callers[by])).document;

describe('reading', () => {
  test('each caller sees the fields that their roles may read, wherever the document is shown', async () => {
    const shownTo = async (by: Person, id: string): Promise<string[]> =>
      Object.keys(await rowOf(by, id)).filter((name) => !name.startsWith('_') && !/At$|^id$/.test(name));
    expect(await shownTo('ann', own)).toEqual(['name', 'salary', 'address', 'jobs']);
    expect(await shownTo('ann', others)).toEqual(['name', 'address', 'jobs']);
    expect(await shownTo('ed', others)).toEqual(['name', 'grade', 'address', 'jobs']);
    expect(await shownTo('root', own)).toEqual(['name', 'salary', 'address', 'jobs']);
    expect(await rowOf('ann', own)).toMatchObject({ address: { street: 's' }, jobs: [{ title: 't' }] });
    for (const text of [
      (await server.get('/api/person', callers.bob)).text,
      (await server.get('/csv/person', callers.bob)).text,
      (await server.post('/query/person', { query: {} }, callers.bob)).text,
      (await server.post('/aggregate/person', [{ $match: {} }], callers.bob)).text,
      (await server.get('/openapi.json', callers.bob)).text,
      (await server.get('/model/person', callers.bob)).text,
    ])
      expect(text).not.toMatch(/"cost"|"zip"|grade|boss|jobs\.cost/);
    const list = await server.get('/api/person?sort=name', callers.bob);
    expect(list.rows.map(({ salary }) => salary)).toEqual([undefined, 100]);
    const csv = (await server.get('/csv/person?sort=name&fields=name,salary', callers.bob)).text;
    expect(
      csv
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',').slice(1).join().trim()),
    ).toEqual(['Ann,', 'Bob,100']);
    expect((await rowOf('bob', own, '?fields=name,salary'))['salary']).toBeUndefined();
    expect((await rowOf('bob', others, '?fields=name,salary'))['salary']).toBe(100);
  });

  const asks: readonly (readonly [string, (name: string) => string])[] = [
    ['filter', (name) => `/api/person?filter[${name}]=1`],
    ['filter $exists', (name) => `/count/person?filter[${name}][$exists]=true`],
    ['sort', (name) => `/api/person?sort=${name}`],
    ['search', (name) => `/api/person?search[${name}]=a`],
    ['csv', (name) => `/csv/person?sort=-${name}`],
  ];
  test.each(asks)('a field without r is an unknown name to %s', async (_, url) => {
    for (const name of ['salary', 'grade', 'address.zip', 'jobs.cost', 'jobs.0.cost', 'note']) {
      const unknown = name.replace(/\w+$/, 'nosuch');
      const [hidden, missing] = [await server.get(url(name), callers.bob), await server.get(url(unknown), callers.bob)];
      expect([name, hidden.status]).toEqual([name, 400]);
      expect(hidden.text.replaceAll(name, unknown)).toBe(missing.text);
    }
  });

  test('queries, subscriptions and a leading $match take it for unknown, and pipelines find it missing', async () => {
    for (const query of [{ salary: 1 }, { pay: 1 }, { jobs: { $elemMatch: { cost: 5 } } }, { $or: [{ grade: 'x' }] }]) {
      expect((await server.post('/query/person', { query }, callers.bob)).status).toBe(400);
      expect((await server.post('/aggregate/person', [{ $match: query }], callers.bob)).status).toBe(400);
    }
    const stages = [{ $group: { _id: null, sum: { $sum: '$salary' }, costs: { $push: '$jobs.cost' } } }];
    const [found] = (await server.post('/aggregate/person', stages, callers.bob)).rows;
    expect(found).toMatchObject({ sum: 0, costs: [[], []] });
    expect((await server.post('/query/person', { query: { salary: 100 } }, callers.root)).rows).toHaveLength(2);
    const joined = [
      { $lookup: { from: 'person', localField: '_id', foreignField: '_id', as: 'same' } },
      { $unionWith: { coll: 'person' } },
    ];
    expect((await server.post('/aggregate/person', joined, callers.bob)).text).not.toMatch(/salary|cost|zip/);
    expect((await server.get('/api/person?search=Ann', callers.bob)).status).toBe(400);
    expect((await server.get('/api/person?search=Ann', callers.root)).status).toBe(200);
    expect((await server.get('/api/person?populate=boss', callers.bob)).status).toBe(400);
    expect((await server.get('/api/person?sort=address', callers.bob)).status).toBe(400);
  });
});

describe('writing', () => {
  const bodies: readonly (readonly [Person, Document, number, string])[] = [
    ['bob', { name: 'B' }, 200, ''],
    ['bob', { salary: 1 }, 403, 'salary'],
    ['bob', { pay: 1 }, 403, 'salary'],
    ['bob', { grade: 'x', 'address.zip': 'x' }, 403, 'grade,address.zip'],
    ['bob', { address: { street: 'x' } }, 403, 'address'],
    ['bob', { address: null }, 403, 'address'],
    ['bob', { 'address.street': 'x' }, 200, ''],
    ['bob', { jobs: [] }, 403, 'jobs'],
    ['bob', { 'jobs.0.cost': 1 }, 403, 'jobs.0.cost'],
    ['bob', { 'jobs.0.price': 1 }, 403, 'jobs.0.cost'],
    ['bob', { 'jobs.0': { price: 1 } }, 403, 'jobs.0,jobs.0.cost'],
    ['bob', { 'jobs.0.title': 'x' }, 200, ''],
    ['bob', { note: 'x' }, 200, ''],
    ['bob', { mine: 'x' }, 403, 'mine'],
    ['ann', { mine: 'x' }, 200, ''],
    ['ed', { grade: 'senior' }, 200, ''],
    ['root', { grade: 'x' }, 403, 'grade'],
    ['root', { 'jobs.0.price': 6 }, 200, ''],
    ['root', { salary: 100, jobs: [{ title: 't', cost: 5 }], 'address.zip': 'c' }, 200, ''],
  ];
  test.each(bodies)('%s changes %j: %s %s', async (by, body, status, paths) => {
    for (const path of [`/api/person/${own}`, `/update/person/${own}`]) {
      const before = await server.get(`/api/person/${own}`, callers.root);
      const answer = await server.put(path, body, callers[by]);
      expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
      if (status === 200) continue;
      expect((answer.body['errors'] as readonly Document[]).map(({ path }) => path).join()).toBe(paths);
      expect((await server.get(`/api/person/${own}`, callers.root)).text).toBe(before.text);
    }
    const operation = { updateOne: { filter: { _id: own }, update: { $set: body } } };
    expect((await server.post('/bulkwrite/person', [operation], callers[by])).status).toBe(
      // an operation of a bulk write matches no row of others
      paths === 'mine' ? 200 : status,
    );
  });

  test('only owners rename a field to one that only owners write', async () => {
    const update = { $rename: { name: 'motto.text' } };
    const before = (await server.get(`/api/person/${own}`, callers.root)).document;
    const patched = await server.send('PATCH', `/api/person/${own}`, { ...callers.bob, body: update });
    expect([patched.status, patched.text]).toEqual([403, expect.stringContaining('motto')]);
    const operation = { updateOne: { filter: { _id: own }, update } };
    const { body } = await server.post('/bulkwrite/person', [operation], callers.bob);
    expect(body).toMatchObject({ data: { nMatched: 0 } });
    expect((await server.get(`/api/person/${own}`, callers.root)).document).toEqual(before);
  });

  const updates: readonly (readonly [Document, number, string])[] = [
    [{ $unset: { salary: 1 } }, 403, 'salary'],
    [{ $inc: { salary: 1 } }, 403, 'salary'],
    [{ $max: { salary: 1 } }, 403, 'salary'],
    [{ $rename: { salary: 'name' } }, 403, 'salary'],
    [{ $rename: { name: 'salary' } }, 403, 'salary'],
    [{ $unset: { address: 1 } }, 403, 'address'],
    [{ $push: { jobs: { title: 'x', cost: 1 } } }, 403, 'jobs'],
    [{ $pull: { jobs: { cost: 5 } } }, 403, 'jobs'],
    [{ $set: { name: 'B2', grade: 'x' }, $inc: { salary: 1 }, $unset: { jobs: 1 } }, 403, 'grade,salary,jobs'],
    [{ $max: { note: 'zz' } }, 400, 'note'],
    [{ $set: { name: 'B2' } }, 200, ''],
  ];
  test.each(updates)('an update of a user by %j is a %s', async (update, status, paths) => {
    const before = (await server.get(`/api/person/${own}`, callers.root)).document;
    const operation = { updateOne: { filter: { _id: own }, update } };
    for (const answer of [
      await server.post('/bulkwrite/person', [operation], callers.bob),
      await server.send('PATCH', `/api/person/${own}`, { ...callers.bob, body: update }),
    ]) {
      expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
      if (status === 200) continue;
      expect((answer.body['errors'] as readonly Document[]).map(({ path }) => path).join()).toBe(paths);
      expect((await server.get(`/api/person/${own}`, callers.root)).document).toEqual(before);
    }
  });

  test('a new document has the fields that its creator may set, a replacement keeps the others', async () => {
    const created = await server.post('/api/person', { name: 'N', mine: 'm', note: 'n' }, callers.bob);
    expect(created.status).toBe(201);
    for (const body of [{ salary: 1 }, { address: { zip: 'x' } }, { jobs: [{ cost: 1 }] }, { grade: 'x' }])
      expect((await server.post('/api/person', body, callers.bob)).status).toBe(403);
    expect((await server.post('/api/person', { address: { street: 'x' } }, callers.bob)).status).toBe(201);
    const replacement = { name: 'R' };
    const replaced = await server.post(
      '/bulkwrite/person',
      [{ replaceOne: { filter: { _id: own }, replacement } }],
      callers.bob,
    );
    expect([replaced.status, replaced.text]).toEqual([200, expect.any(String)]);
    expect(await rowOf('root', own)).toMatchObject({ name: 'R', salary: 100, address: { zip: 'c' } });
    const seeded = [{ updateOne: { filter: { name: 'U', salary: 5 }, update: { $set: { name: 'U' } }, upsert: true } }];
    expect((await server.post('/bulkwrite/person', seeded, callers.bob)).status).toBe(400);
  });
});

test('admins see rules and letters in the description, others only the fields that they may read', async () => {
  const [admins, others] = [
    await server.get('/model/person', callers.root),
    await server.get('/model/person', callers.bob),
  ];
  expect(admins.document['fields']).toMatchObject({ salary: { perms: { admin: 'cru', owner: 'r' } } });
  expect(others.text).not.toMatch(/"perms":\{"admin":"cru"/);
  expect(Object.keys(others.document['fields'] as object)).toEqual(expect.arrayContaining(['name', 'salary', 'mine']));
  expect(Object.keys(others.document['fields'] as object)).not.toContain('grade');
});

describe('rights', () => {
  test('lists rows and fields of the caller, of a user, and of one document', async () => {
    const rights = async (query: string, by: Person): Promise<Document> =>
      (await server.get(`/model/person/rights${query}`, callers[by])).body['data'] as Document;
    const ofBob = await rights('', 'bob');
    expect(ofBob).toMatchObject({ model: 'person', rows: { c: 'all', r: 'all', u: 'all', d: 'own' } });
    expect(ofBob['fields']).toMatchObject({
      name: 'cru',
      salary: 'r',
      note: 'cu',
      mine: 'cru',
      'address.street': 'cru',
    });
    expect(ofBob['fields']).not.toHaveProperty('grade');
    expect(await rights(`?user=${callers.bob.user_id}`, 'root')).toEqual(ofBob);
    for (const query of ['', '=true', '=1']) {
      const { rows } = await server.get(`/model?rights${query}`, callers.bob);
      expect(rows.map(({ name }) => name)).toEqual(
        (await server.get('/model', callers.bob)).rows.map(({ name }) => name),
      );
      expect(rows.find(({ name }) => name === 'person')?.['rights']).toEqual(ofBob);
      for (const { name, rights: one } of rows)
        expect((await server.get(`/model/${String(name)}/rights`, callers.bob)).body['data']).toEqual(one);
    }
    for (const query of ['', '?rights=0', '?rights=false'])
      expect((await server.get(`/model${query}`, callers.bob)).rows.filter((row) => 'rights' in row)).toEqual([]);
    expect((await server.get('/model?rights=maybe', callers.bob)).status).toBe(400);
    const ofRow = await rights(`?id=${own}`, 'bob');
    expect(ofRow).toMatchObject({ rows: { c: true, r: true, u: true, d: false }, fields: { name: 'cru' } });
    expect(ofRow['fields']).not.toHaveProperty('salary');
    expect((await server.get(`/model/person/rights?user=${own}`, callers.bob)).status).toBe(403);
    expect((await server.get('/model/person/rights?id=64b000000000000000000009', callers.bob)).status).toBe(404);
    expect((await server.get('/model/person/rights?id=x', callers.bob)).status).toBe(400);
    expect((await server.get(`/model/person/rights?user=${own}`, callers.root)).status).toBe(404);
    expect((await server.get('/model/person/rights?user=x', callers.root)).status).toBe(400);
  });
});
