/** Password-named fields that a schema does not name, left by an older schema or another program: no pipeline sees them. */
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await world.server.services.connection.collection('tags').insertMany(
    ['CANARY-b', 'CANARY-a', 'CANARY-c'].map((password, at) => ({
      label: `stray ${at}`,
      password,
      _deleted: false,
    })),
  );
});
afterAll(() => world.close());

const only = { $match: { label: { $regex: '^stray' } } };

describe.each([
  ['grouped by what the schema names', [only, { $group: { _id: '$label', n: { $sum: 1 } } }, { $sort: { _id: 1 } }], 3],
  ['counted', [only, { $count: 'n' }], 1],
  ['grouped by it', [only, { $group: { _id: '$password' } }], 1],
  ['an expression in a filter', [only, { $match: { $expr: { $gt: ['$password', 'CANARY'] } } }], 0],
  ['the whole', [only, { $group: { _id: null, all: { $push: '$$ROOT' } } }], 1],
  ['the whole by another name', [only, { $group: { _id: null, all: { $push: { $objectToArray: '$$CURRENT' } } } }], 1],
  ['a name given to an operator', [only, { $group: { _id: { $getField: 'password' } } }], 1],
  [
    'a name that is put together',
    [only, { $group: { _id: { $getField: { field: { $concat: ['pass', 'word'] }, input: '$$ROOT' } } } }],
    undefined,
  ],
  [
    'an order inside a group',
    [only, { $group: { _id: null, top: { $top: { output: '$label', sortBy: { password: 1, label: 1 } } } } }],
    undefined,
  ],
  ['projected', [only, { $project: { password: 1, copy: '$password' } }, { $sort: { _id: 1 } }], 3],
  ['fields before a group', [only, { $addFields: { copy: '$password' } }, { $group: { _id: '$copy' } }], 1],
  ['a facet', [only, { $facet: { a: [{ $group: { _id: '$password' } }] } }], 1],
])('%s', (_name, pipeline, rows) => {
  test('tells nothing of it', async () => {
    const { status, body, text } = await world.send('POST', '/aggregate/tag', { as: 'eve', body: pipeline });
    expect(text).not.toContain('CANARY');
    // the order of what is hidden must not show either: the first by it would be "stray 1"
    if (status === 200) expect(text).not.toContain('"top":"stray 1"');
    if (rows === undefined) return;
    expect([status, text]).toEqual([200, expect.any(String)]);
    expect(body['data']).toHaveLength(rows);
  });
});
