/** Slow writes through the front door: what is inserted, what Mongoose saves, and bulk writes, with the time of their commands. */
import { setTimeout as later } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { modelOf } from '../../src/models/mongoose.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';

/** Milliseconds that each command takes at least. */
const delay = 40;

let server: PeopledServer<'root'>;
beforeAll(async () => {
  server = await openPeople(['root'], {
    slow_ms: delay / 2,
    models: {
      film: ({ Schema }) =>
        new Schema(
          { title: String, year: Number },
          { perms: { admin: 'crud' }, advanced_queries: { bulkwrite: true } },
        ),
      saved: ({ Schema }) => {
        const schema = new Schema({ title: String }, { perms: { admin: 'crud' } });
        schema.pre('save', () => undefined);
        return schema;
      },
    },
  });
  for (const name of ['film', 'saved']) {
    const { collection } = modelOf(server.dossier.services.registry.get(name));
    const own = collection as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
    for (const command of ['insertOne', 'insertMany', 'updateOne', 'bulkWrite']) {
      const send = own[command]?.bind(collection);
      own[command] = async (...given) => {
        await later(delay);
        return send?.(...given);
      };
    }
  }
});

type Slow = Readonly<Record<string, unknown>>;
const slow = async (model: string, shape: object): Promise<Slow | undefined> => {
  const { body } = await server.as('root', 'GET', '/server/slow?limit=100');
  return (body['data'] as readonly Slow[]).find(
    (one) => one['model'] === model && one['shape'] === JSON.stringify(shape),
  );
};
/** With the version that Mongoose has loaded. */
const byId = [{ __v: '?' }, { _id: '?' }];
const insertOne = { filter: [], sort: {}, write: 'insertOne' };

async function listed(model: string, shape: object): Promise<Slow | undefined> {
  await until(async () => (await slow(model, shape)) !== undefined);
  return slow(model, shape);
}

test('an insert has the plan INSERT, and no advice', async () => {
  expect((await server.as('root', 'POST', '/api/film', { body: { title: 'secret' } })).status).toBe(201);
  const found = await listed('film', insertOne);
  expect(found).toMatchObject({ plan: 'INSERT', returned: 1, count: 1 });
  expect(Number(found?.['max_ms'])).toBeGreaterThanOrEqual(delay - 1);
  expect(Object.keys(found ?? {})).not.toEqual(expect.arrayContaining(['examined', 'advice', 'index']));
  await until(() => server.log.some((line) => line.includes('"slow write"') && line.includes('INSERT')));
  expect(server.log.filter((line) => line.includes('slow write')).join()).not.toContain('secret');
});

test('what Mongoose saves is listed as the command that it sends', async () => {
  const { document, status } = await server.as('root', 'POST', '/api/saved', { body: { title: 'secret' } });
  expect(status).toBe(201);
  expect(await listed('saved', insertOne)).toMatchObject({ plan: 'INSERT', returned: 1 });
  const path = `/api/saved/${String(document['_id'])}`;
  expect((await server.as('root', 'PUT', path, { body: { title: 'new' } })).status).toBe(200);
  expect(await listed('saved', { filter: byId, sort: {}, write: 'updateOne' })).toMatchObject({
    count: 1,
    returned: 1,
  });
});

test('the inserts of a bulk write are one operation', async () => {
  const body = [1, 2, 3].map((year) => ({ insertOne: { document: { title: 'secret', year } } }));
  expect((await server.as('root', 'POST', '/bulkwrite/film', { body })).status).toBe(200);
  expect(await listed('film', { filter: [], sort: {}, write: 'insertMany' })).toMatchObject({ count: 1, returned: 3 });
});
