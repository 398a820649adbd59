/** Webhooks: whose rights a message has, and what follows when the secret of one is lost. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { makeStoredSealer } from '../../src/adapters/sealing.ts';
import { internalCollection, ObjectId } from '../../src/models/mongoose.ts';
import { basic, emailOf, makeUsers, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';
import { isSigned, type Received, type Receiver, startReceiver } from './receiver.ts';

const models = {
  'film.js': `module.exports = new (require('mongoose').Schema)(
  { title: String, budget: { type: Number, perms: { accounts: 'cru' } } },
  { perms: { user: 'r', admin: 'crud', accounts: 'crud' } },
);`,
};
const root = { headers: rootBasic };
const rita = { headers: basic(emailOf('rita'), passwordOf('rita')) };
let server: TestServer;
let receiver: Receiver;
let ids: Readonly<Record<'root' | 'rita', string>>;

beforeAll(async () => {
  receiver = await startReceiver();
  server = await startServer({ models, webhook: { allow: ['127.0.0.1'] } });
  ids = await makeUsers(server, ['root', 'rita']);
  expect((await server.post(`/groups/${ids.root}`, { group: ['accounts'] }, root)).status).toBe(200);
});
beforeEach(() => void (receiver.received.length = 0));
afterAll(async () => {
  await server.close();
  await receiver.close();
});

interface Made {
  readonly id: string;
  readonly secret: string;
}
const create = async (): Promise<Made> => {
  const answer = await server.post('/webhooks', { url: receiver.url, models: ['film'] }, root);
  expect([answer.status, answer.body['err']]).toEqual([201, undefined]);
  return answer.document as unknown as Made;
};
const change = async ({ id }: Made, values: object, by = root) => server.put(`/webhooks/${id}`, values, by);
const remove = async ({ id }: Made): Promise<void> => void (await server.remove(`/webhooks/${id}`, root));
const film = async (): Promise<void> =>
  expect((await server.post('/api/film', { title: 'Alien', budget: 7 }, root)).status).toBe(201);
const received = async (): Promise<Received> => {
  await until(() => receiver.received.length > 0);
  return receiver.received.splice(0)[0] as Received;
};

test('who changes the URL is the maker: another admin gets no more than they may read', async () => {
  const made = await create();
  await film();
  expect((await received()).message.data.item).toMatchObject({ budget: 7 });
  // what stays keeps its maker, also where it names the URL
  for (const values of [{ description: 'films' }, { url: receiver.url, active: true }])
    expect((await change(made, values, rita)).document['user_id']).toBe(ids.root);
  const moved = await change(made, { url: `${receiver.url}/of-rita` }, rita);
  expect(moved.document).toMatchObject({ url: `${receiver.url}/of-rita`, user_id: ids.rita });
  await film();
  const { item } = (await received()).message.data;
  expect(item).toMatchObject({ title: 'Alien' });
  expect(item).not.toHaveProperty('budget');
  // deliveries that are repeated are judged by the rights of the new maker
  await until(async () => (await server.get(`/webhooks/${made.id}/deliveries?status=ok`, root)).rows.length === 2);
  const replayed = await server.post(`/webhooks/${made.id}/replay`, { since: '2020-01-01' }, rita);
  expect(replayed.document['replayed']).toBe(2);
  await until(() => receiver.received.length === 2);
  for (const { message } of receiver.received) expect(message.data.item).not.toHaveProperty('budget');
  expect((await change(made, { url: receiver.url }, root)).document['user_id']).toBe(ids.root);
  await remove(made);
});

test('a webhook whose secret is lost sends nothing: it is off, with the reason, until it has another secret', async () => {
  const made = await create();
  const rows = internalCollection(server.dossier.services.registry, '_webhook');
  const own = { _id: new ObjectId(made.id) };
  // as another SHARED_SECRET has sealed it; the one before can still be opened
  const secret = makeStoredSealer(['another secret'], 'webhook secret').seal(made.secret, made.id);
  const before = (await rows.findOne(own)) as unknown as { readonly secret: string };
  const earlier = [{ secret: before.secret, until: new Date(Date.now() + 3_600_000) }];
  await rows.updateOne(own, { $set: { secret, earlier } });
  await film();
  const shown = async (): Promise<Readonly<Record<string, unknown>>> =>
    (await server.get(`/webhooks/${made.id}`, root)).document;
  await until(async () => (await shown())['active'] === false);
  const reason = expect.stringContaining('SHARED_SECRET has changed');
  expect(await shown()).toMatchObject({ off_reason: reason, deliveries: { dead: 1 } });
  expect((await server.post(`/webhooks/${made.id}/test`, {}, root)).status).toBe(202);
  await until(async () => (await server.get(`/webhooks/${made.id}/deliveries?status=dead`, root)).rows.length === 2);
  expect(receiver.received).toEqual([]);
  const { rows: advice } = await server.get('/server/advice', root);
  expect(advice).toContainEqual(expect.objectContaining({ kind: 'webhook', about: made.id, advice: reason }));
  const refused = await change(made, { active: true });
  expect([refused.status, refused.body['err']]).toEqual([400, expect.stringContaining('/rotate')]);
  const { document } = await server.post(`/webhooks/${made.id}/rotate`, { overlap: 60 }, root);
  expect((await change(made, { active: true })).status).toBe(200);
  await film();
  expect(isSigned(await received(), String(document['secret']))).toBe(true);
  await remove(made);
});
