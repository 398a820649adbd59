/** What the server keeps of users ends with them. What of it publishes its changes does so then, whichever way they are removed. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listen } from '../support/event-stream.ts';
import { basic, openPeople, type PeopledServer, rootBasic } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';

const user = `import { Schema } from 'mongoose';
export default new Schema(
  { name: String, email: String },
  { perms: { admin: 'crud' }, trash: '30d', advanced_queries: { bulkwrite: true } },
);`;

const page = 'https://app.example/reset?jwt=';
const own = ['_webhook', '_key', '_view'] as const;
let mailbox: Mailbox;
let world: PeopledServer<'root'>;
beforeAll(async () => {
  mailbox = await openMailbox();
  world = await openPeople(['root'], { models: { user }, smtp: { url: mailbox.url }, password_recovery_url: page });
});
afterAll(async () => {
  await world.close();
  await mailbox.close();
});

const asRoot = (method: string, path: string, body?: unknown) =>
  world.send(method, path, { headers: rootBasic, ...(body === undefined ? {} : { body }) });

/** A new admin with a webhook, a key and a view; the ids of these, by model. */
async function owner(
  email: string,
): Promise<{ readonly id: string; readonly things: Readonly<Record<string, string>> }> {
  const made = await asRoot('POST', '/api/user', { email, password: `pw of ${email}`, name: email, admin: true });
  expect(made.status).toBe(201);
  const headers = basic(email, `pw of ${email}`);
  const idOf = async (path: string, body: object): Promise<string> => {
    const { status, document } = await world.post(path, body, { headers });
    expect(status).toBe(201);
    return String(document['id']);
  };
  return {
    id: String(made.document['_id']),
    things: {
      _webhook: await idOf('/webhooks', { url: 'https://x.test/a', models: ['user'], active: false }),
      _key: await idOf('/login/keys', { name: 'reports' }),
      _view: await idOf('/views', { model: 'user', title: 'all', filter: {} }),
    },
  };
}

describe.each<[string, (id: string) => readonly [method: string, path: string, body?: unknown]]>([
  ['a permanent deletion', (id) => ['DELETE', `/api/user/${id}?_permaDelete=1`]],
  ['a deletion with what links to it', (id) => ['DELETE', `/api/user/${id}?_permaDelete=1&_cascade=1`]],
  ['a bulk write', (_id) => ['POST', '/bulkwrite/user?_permaDelete=1', [{ deleteOne: { filter: { _id } } }]]],
])('%s', (name, removal) => {
  test('removes, publishes and records', async () => {
    const { id, things } = await owner(`${name.replaceAll(' ', '-')}@x.test`);
    const streams = await Promise.all(own.map((model) => listen(`${world.url}/events/${model}`, rootBasic)));
    expect((await asRoot(...removal(id))).status).toBe(200);
    for (const [at, model] of own.entries()) {
      await streams[at]?.until(1);
      expect([streams[at]?.events(), (await asRoot('GET', `/api/${model}/${things[model] ?? ''}`)).status]).toEqual([
        [['del', things[model]]],
        404,
      ]);
      const changes = (await asRoot('GET', `/changes/${model}`)).body;
      expect(JSON.stringify(changes)).not.toContain(things[model]);
    }
    for (const model of ['_webhook', '_key']) {
      const { rows } = await asRoot('GET', `/history/${model}/${things[model] ?? ''}`);
      expect(rows.map(({ op, who }) => [op, who])[0]).toEqual(['remove', world.callers.root.user_id]);
    }
    streams.forEach((stream) => stream?.close());
  });
});

test('a silent deletion publishes nothing, and records', async () => {
  const { id, things } = await owner('silent@x.test');
  const stream = await listen(`${world.url}/events/_key`, rootBasic);
  expect((await asRoot('DELETE', `/api/user/${id}?_permaDelete=1&_silence=1`)).status).toBe(200);
  const { id: other, things: others } = await owner('heard@x.test');
  await asRoot('DELETE', `/api/user/${other}?_permaDelete=1`);
  await stream.until(2);
  expect(stream.events()).toEqual([
    ['post', others['_key']],
    ['del', others['_key']],
  ]);
  stream.close();
  const { rows } = await asRoot('GET', `/history/_key/${things['_key'] ?? ''}`);
  expect(rows[0]).toMatchObject({ op: 'remove', who: world.callers.root.user_id });
});

test('a recovery ends the keys, as the user', async () => {
  const { id, things } = await owner('forgetful@x.test');
  const stream = await listen(`${world.url}/events/_key`, rootBasic);
  expect((await world.post('/login/recover', { email: 'forgetful@x.test' })).status).toBe(200);
  const jwt = mailbox.link().slice(page.length);
  expect((await world.post('/login/reset', { jwt, password: 'another one' })).status).toBe(200);
  await stream.until(1);
  expect(stream.events()).toEqual([['del', things['_key']]]);
  stream.close();
  const { rows } = await asRoot('GET', `/history/_key/${things['_key'] ?? ''}`);
  expect(rows[0]).toMatchObject({ op: 'remove', who: id });
  expect((await asRoot('GET', `/api/_webhook/${things['_webhook'] ?? ''}`)).status).toBe(200);
});
