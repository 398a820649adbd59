/** Equal pipelines whose rows come in one message: these are read without a cursor, and all rows are answered when they become more. */
import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

let server: PeopledServer<'root'>;
beforeAll(async () => {
  server = await openPeople(['root'], {
    models: {
      thing: ({ Schema }) =>
        new Schema(
          { n: Number, secret: { type: String, perms: { admin: 'cru' } } },
          { perms: { all: 'r', admin: 'crud' } },
        ),
    },
  });
});
afterEach(() => void jest.restoreAllMocks());

const rowsOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({ n: from + at, secret: 'CANARY', _deleted: false }));
const things = () => server.dossier.services.connection.collection('things');
const numbers = [{ $match: { n: { $gte: 0 } } }, { $group: { _id: '$n' } }, { $sort: { _id: 1 } }];

test('an equal pipeline needs no cursor, until its rows do not fit', async () => {
  const { db } = server.dossier.services.connection;
  if (db === undefined) throw new Error('not connected');
  const sent = jest.spyOn(db, 'command');
  const atOnce = () => sent.mock.calls.filter(([command]) => 'aggregate' in command).length;
  const answered = async (): Promise<number> => {
    const { rows } = await server.send('POST', '/aggregate/thing', { body: numbers });
    expect(rows.map(({ _id }) => _id)).toEqual(rows.map((_, at) => at));
    return rows.length;
  };
  await things().insertMany(rowsOf(0, 50));
  expect([await answered(), atOnce()]).toEqual([50, 0]);
  expect([await answered(), atOnce()]).toEqual([50, 1]);
  await things().insertMany(rowsOf(50, 300));
  expect([await answered(), atOnce()]).toEqual([300, 2]);
  expect([await answered(), atOnce()]).toEqual([300, 2]);
});

test('an equal pipeline of another caller is checked with the rights of that one', async () => {
  const hidden = [{ $match: { n: 1 } }, { $group: { _id: '$secret' } }];
  for (let times = 0; times < 3; times++) {
    const admin = await server.as('root', 'POST', '/aggregate/thing', { body: hidden });
    expect(admin.body).toEqual({ data: [{ _id: 'CANARY' }] });
    const other = await server.send('POST', '/aggregate/thing', { body: hidden });
    expect(other.text).not.toContain('CANARY');
  }
});

test('an equal pipeline that fails fails each time, with the same message', async () => {
  const body = [
    { $match: { n: { $lt: 5 } } },
    { $group: { _id: '$n' } },
    { $project: { x: { $divide: [1, '$_id'] } } },
  ];
  await things().deleteMany({ n: 0 });
  for (let times = 0; times < 2; times++)
    expect((await server.send('POST', '/aggregate/thing', { body })).status).toBe(200);
  await things().insertMany(rowsOf(0, 1));
  const fail = async (stages: object[]) =>
    (await server.send('POST', '/aggregate/thing', { body: stages })).body['err'];
  const first = await fail([...body, { $match: {} }]);
  expect(first).toContain('the database does not accept');
  expect(await fail(body)).toBe(first);
});
