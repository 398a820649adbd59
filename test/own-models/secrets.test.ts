/** Paths with `secret: true` do not exist for callers, whichever way they ask: those of own models, and those of a project (docs/models.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { internalCollection, type Row } from '../../src/models/mongoose.ts';
import { ObjectId } from '../../src/models/object-id.ts';
import { listen } from '../support/event-stream.ts';
import { asks } from '../support/fixtures/path-asks.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { startServer } from '../support/server.ts';

const vault = `import { Schema } from 'mongoose';
const schema = new Schema(
  { title: String, pin: { type: String, secret: true, alias: 'opener' }, codes: { type: [String], secret: true } },
  {
    perms: { all: 'crud' }, history: true, audit: true, advanced_queries: { bulkwrite: true },
    callable_statics: { lock: { needs: 'u', on: 'document' }, opens: { needs: 'r', on: 'document' } },
  },
);
schema.statics.lock = async (document, pin) => { document.set({ pin, codes: [pin + '-1'], title: document.title + 'x' }); await document.save(); return document; };
schema.statics.opens = (document, pin) => document.pin === pin;
export default schema;`;
const note = `import { Schema } from 'mongoose';
export default new Schema({ title: String }, { perms: { all: 'crud' } });`;

const pin = 'the-pin-4711';
let server: PeopledServer<'root' | 'ann'>;
let ids: Readonly<Record<string, string>>;
beforeAll(async () => {
  server = await openPeople(['root', 'ann'], { models: { vault, note } });
  const idOf = async (path: string, body: object, person: 'root' | 'ann' = 'root'): Promise<string> => {
    const { data } = (await server.as(person, 'POST', path, { body })).body as { data: { _id?: string; id: string } };
    return data._id ?? data.id;
  };
  const made = await idOf('/api/vault', { title: 'a' });
  expect((await server.as('root', 'POST', `/call/vault/${made}/lock`, { body: JSON.stringify(pin) })).status).toBe(200);
  const hook = await idOf('/webhooks', { url: 'https://x.test/a', models: ['note'], active: false });
  await server.as('root', 'POST', `/webhooks/${hook}/rotate`, { body: { overlap: 3600 } });
  const key = await idOf('/login/keys', { name: 'reports' }, 'ann');
  await server.as('ann', 'POST', `/login/keys/${key}/rotate`, { body: { overlap: 3600 } });
  ids = { vault: made, _webhook: hook, _key: key };
});

const secrets: readonly (readonly [model: string, path: string])[] = [
  ['vault', 'pin'],
  ['vault', 'codes'],
  ['_webhook', 'secret'],
  ['_webhook', 'earlier'],
  ['_webhook', 'incarnation'],
  ['_key', 'digest'],
  ['_key', 'earlier'],
  ['_key', 'resets'],
];

const stored = async (model: string): Promise<Row> => {
  const _id = new ObjectId(ids[model]);
  const { connection, registry } = server.dossier.services;
  const collection = model.startsWith('_')
    ? internalCollection(registry, model as '_key')
    : connection.collection<Row>(registry.get(model).collection);
  return (await collection.findOne({ _id } as never)) ?? {};
};

/** The texts in a value that no answer may have. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null && !(value instanceof Date)
      ? Object.values(value).flatMap(textsIn)
      : [];

const withoutIds = (text: string): string => text.replace(/"request_id":"[^"]*"/, '');

describe.each(secrets)('%s: %s', (model, path) => {
  test('is stored', async () => {
    expect(await stored(model)).toHaveProperty(path);
  });

  test.each(['root', 'ann'] as const)('is asked for in vain by %s', async (person) => {
    const texts = textsIn((await stored(model))[path]);
    const missing = `${path.slice(0, -1)}_`;
    const others = asks(model, missing, ids[model] ?? '');
    for (const [at, [method, url, body]] of asks(model, path, ids[model] ?? '').entries()) {
      const [, otherUrl = '', otherBody] = others[at] ?? [];
      const answer = await server.as(person, method, url, { body });
      const other = await server.as(person, method, otherUrl, { body: otherBody });
      expect([url, body, answer.status, withoutIds(answer.text.replaceAll(path, missing))]).toEqual([
        url,
        body,
        other.status,
        withoutIds(other.text),
      ]);
      for (const text of texts) expect([url, answer.text]).toEqual([url, expect.not.stringContaining(text)]);
    }
  });
});

const wholes = (model: string, id: string): readonly (readonly [method: string, path: string, body?: unknown])[] => [
  ['GET', `/api/${model}?fields=*`],
  ['GET', `/api/${model}/${id}?fields=*`],
  ['GET', `/csv/${model}`],
  ['GET', `/model/${model}`],
  ['GET', `/changes/${model}`],
  ['GET', `/history/${model}/${id}`],
  ['GET', `/history/${model}`],
  ['GET', '/audit?limit=1000'],
  ['POST', `/query/${model}`, { query: {} }],
  ['POST', `/aggregate/${model}`, [{ $project: { all: { $objectToArray: '$$ROOT' } } }]],
  ['POST', '/aggregate/note', [{ $unionWith: { coll: model, pipeline: [] } }]],
  ['POST', '/aggregate/note', [{ $lookup: { from: model, pipeline: [], as: 'x' } }]],
];

test.each(['vault', '_webhook', '_key'])('no whole answer about %s has one of them', async (model) => {
  const texts = secrets
    .filter(([name]) => name === model)
    .map(async ([, path]) => textsIn((await stored(model))[path]));
  for (const [method, url, body] of wholes(model, ids[model] ?? '')) {
    const { text, status } = await server.as('root', method, url, { body });
    // pipelines of other models do not reach own ones
    const isRefused = model !== 'vault' && url === '/aggregate/note';
    expect([url, status]).toEqual([url, isRefused ? 400 : 200]);
    const names = secrets.filter(([name]) => name === model).map(([, path]) => `"${path}"`);
    for (const hidden of [...names, ...(await Promise.all(texts)).flat()])
      expect([url, text]).toEqual([url, expect.not.stringContaining(hidden)]);
  }
});

test('events and the log have none of them', async () => {
  const streams = await Promise.all(
    ['vault', '_webhook', '_key'].map((model) => listen(`${server.url}/events/${model}`, server.callers.root.headers)),
  );
  await server.as('root', 'POST', `/call/vault/${ids['vault'] ?? ''}/lock`, { body: JSON.stringify(pin) });
  await server.as('root', 'POST', `/webhooks/${ids['_webhook'] ?? ''}/rotate`, { body: { overlap: 60 } });
  await server.as('ann', 'POST', `/login/keys/${ids['_key'] ?? ''}/rotate`, { body: { overlap: 60 } });
  await Promise.all(streams.map((stream) => stream.until(1)));
  const all = JSON.stringify(streams.map(({ received }) => received)) + server.log.join('\n');
  for (const [model, path] of secrets) {
    for (const text of textsIn((await stored(model))[path])) expect(all).not.toContain(text);
    if (model !== 'vault') expect(all).not.toContain(`"${path}":`);
  }
  streams.forEach((stream) => stream.close());
});

describe('a secret path of a project', () => {
  const path = (): string => `/api/vault/${ids['vault'] ?? ''}`;

  test.each(['pin', 'opener', 'codes'])('%s is not written by callers', async (name) => {
    const before = await stored('vault');
    for (const [method, body] of [
      ['PUT', { [name]: 'mine' }],
      ['PATCH', { [name]: 'mine' }],
    ] as const)
      await server.as('root', method, path(), { body });
    await server.as('root', 'POST', '/bulkwrite/vault', {
      body: [{ updateOne: { filter: {}, update: { $set: { [name]: 'mine' } } } }],
    });
    const after = await stored('vault');
    expect([after['pin'], after['codes']]).toEqual([before['pin'], before['codes']]);
    const made = await server.as('root', 'POST', '/api/vault', { body: { title: 'b', [name]: 'mine' } });
    expect(made.text).not.toContain('mine');
  });

  test('is read and written by code', async () => {
    const answer = await server.as('ann', 'POST', `/call/vault/${ids['vault'] ?? ''}/opens`, {
      body: JSON.stringify(pin),
    });
    expect(answer.body).toMatchObject({ data: true });
  });
});

test.each([
  ['nested', `{ login: { pin: { type: String, secret: true } } }`, /secret of login\.pin: set it on a path at the top/],
  ['no boolean', `{ pin: { type: String, secret: 'yes' } }`, /secret of pin must be true or false/],
  ['the id', `{ _id: { type: String, secret: true } }`, /secret of _id/],
  ['a member of a list', `{ list: [{ pin: { type: String, secret: true } }] }`, /secret of list\.pin/],
])('%s is refused at the start', async (_name, paths, message) => {
  const model = `import { Schema } from 'mongoose'; export default new Schema(${paths});`;
  await expect(startServer({ models: { model } })).rejects.toThrow(message);
});

test('a text index over a secret path is refused at the start', async () => {
  const model = `import { Schema } from 'mongoose';
const schema = new Schema({ title: String, pin: { type: String, secret: true } });
schema.index({ '$**': 'text' });
export default schema;`;
  await expect(startServer({ models: { model } })).rejects.toThrow(
    /the text index over \$\*\* would make pin searchable/,
  );
});
