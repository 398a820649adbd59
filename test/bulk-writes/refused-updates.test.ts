/** Updates that are refused before anything is read or written, each for one reason, as a PATCH and in a bulk write. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { as, openPeople, type PeopledServer } from '../support/fixtures/people.ts';

const models = {
  thing: `export default ({ Schema, Mixed }) => new Schema({
    n: Number, m: Number, tags: [String], parts: [{ x: Number }], free: Mixed, list: [Mixed],
    cost: { type: Number, perms: { admin: 'cru' } }, rate: { type: Number, perms: { admin: 'cru' } },
    login: { password: String },
  }, { perms: { admin: 'crud', user: 'crud' }, advanced_queries: { bulkwrite: true } });`,
  user: `export default ({ Schema }) => new Schema({ name: String }, {
    perms: { admin: 'crud' }, advanced_queries: { bulkwrite: true } });`,
};

let server: PeopledServer<'root' | 'ann'>;
beforeAll(async () => {
  server = await openPeople(['root', 'ann'], { models });
});

type Sender = 'root' | 'ann';
type Update = Readonly<Record<string, unknown>>;
interface Sent {
  readonly sender: Sender;
  readonly model: string;
  readonly id: string;
  readonly update: Update;
}

const ways = {
  'a PATCH': ({ sender, model, id, update }: Sent) =>
    server.send('PATCH', `/api/${model}/${id}`, as(server.callers[sender], { body: update })),
  'a bulk write': ({ sender, model, id, update }: Sent) =>
    server.post(`/bulkwrite/${model}`, [{ updateOne: { filter: { _id: id }, update } }], as(server.callers[sender])),
};
const names = Object.keys(ways) as (keyof typeof ways)[];

const make = async (): Promise<string> => {
  const body = {
    n: 1,
    m: 1,
    tags: ['a'],
    parts: [{ x: 1 }, { x: 2 }],
    free: { x: 1 },
    list: [{ x: 1 }],
    cost: 5,
    rate: 5,
  };
  const { status, document } = await server.as('root', 'POST', '/api/thing', { body });
  expect(status).toBe(201);
  return String(document['_id']);
};
const stored = async (model: string, id: string): Promise<unknown> => {
  const { connection, registry } = server.dossier.services;
  const rows = await connection.collection(registry.get(model).collection).find().toArray();
  return rows.find(({ _id }) => String(_id) === id);
};

type Case = readonly [update: Update, status: number, text: RegExp];
const ofThings: readonly Case[] = [
  [{ $set: { n: 2 }, m: 3 }, 400, /mixes operators and fields|either fields or update operators/],
  [{ m: 3, $inc: { n: 2 } }, 400, /mixes operators and fields|either fields or update operators/],
  [{ $addToSet: { tags: { $each: ['b'], $slice: 1 } } }, 400, /\$slice/],
  [{ $addToSet: { tags: { $each: ['b'], $position: 0 } } }, 400, /\$position/],
  [{ $addToSet: { tags: { $each: ['b'], $sort: 1 } } }, 400, /\$sort/],
  [{ $unset: { 'parts.0': '' } }, 400, /parts\.0 must be an object/],
  [{ $unset: { 'login.password': '' } }, 400, /password/],
  [{ $unset: { login: '' } }, 400, /login/],
  [{ $rename: { 'free.x': 'login.password' } }, 400, /password/],
  [{ $push: { list: { PassWord: 'clear' } } }, 400, /PassWord/],
  [{ $addToSet: { list: { $each: [{ deep: { password: 'clear' } }] } } }, 400, /password/],
  [{ $max: { free: { password: 'clear' } } }, 400, /password/],
  [{ $unset: { _deleted: '' } }, 400, /\$unset may not touch _deleted/],
];

describe('of any caller', () => {
  test.each(names.flatMap((way) => ofThings.map((one) => [way, ...one] as const)))(
    '%s of %j is a %i',
    async (way, update, status, text) => {
      for (const sender of ['root', 'ann'] as const) {
        const id = await make();
        const before = await stored('thing', id);
        const answer = await ways[way]({ sender, model: 'thing', id, update });
        expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(text)]);
        expect(await stored('thing', id)).toEqual(before);
      }
    },
  );
});

const unwritable: readonly Case[] = [
  [{ $inc: { cost: 1 } }, 403, /cost/],
  [{ $min: { cost: 1 } }, 403, /cost/],
  [{ $unset: { cost: '' } }, 403, /cost/],
  [{ $inc: { rate: 1 }, $set: { cost: 1 } }, 403, /cost[^]*rate|rate[^]*cost/],
];

test.each(names.flatMap((way) => unwritable.map((one) => [way, ...one] as const)))(
  'of a field that the caller may neither read nor write, %s of %j is a %i that names each',
  async (way, update, status, text) => {
    const id = await make();
    const before = await stored('thing', id);
    const answer = await ways[way]({ sender: 'ann', model: 'thing', id, update });
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(text)]);
    expect(await stored('thing', id)).toEqual(before);
    expect((await ways[way]({ sender: 'root', model: 'thing', id, update })).status).toBe(200);
  },
);

const ofUsers: readonly Update[] = [
  { $unset: { email: '' } },
  { $unset: { admin: '' } },
  { $unset: { email_verified: '' } },
  { $max: { email: 'z@x.test' } },
  { $rename: { name: 'email' } },
];

test.each(names.flatMap((way) => ofUsers.map((update) => [way, update] as const)))(
  'what only $set may write in users is refused elsewhere: %s of %j',
  async (way, update) => {
    const id = server.callers.ann.user_id;
    const before = await stored('user', id);
    const answer = await ways[way]({ sender: 'root', model: 'user', id, update });
    expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(/: use \$set/)]);
    expect(await stored('user', id)).toEqual(before);
  },
);
