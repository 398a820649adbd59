/** The paths that the server stores in documents for its own use do not exist for callers, whichever way they ask (docs/models.md). */
import { beforeAll, expect, test } from '@jest/globals';
import { ownPaths } from '../../src/models/built-in/own-paths.ts';
import { ObjectId } from '../../src/models/object-id.ts';
import { listen } from '../support/event-stream.ts';
import { type Ask, asks } from '../support/fixtures/path-asks.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

let server: PeopledServer<'root' | 'ann'>;
beforeAll(async () => {
  server = await openPeople(['root', 'ann'], {
    models: {
      user: `import { Schema } from 'mongoose';
export default new Schema({ nick: String }, { perms: { user: 'r', admin: 'crud', owner: 'ru' }, advanced_queries: { bulkwrite: true } });`,
      note: `import { Schema } from 'mongoose';
export default new Schema({ title: String, by_id: { type: Schema.Types.ObjectId, link: 'user' } }, { perms: { all: 'crud' } });`,
    },
  });
  await server.post('/api/note', { title: 'a', by_id: server.callers.ann.user_id });
});

const steps = { startWith: '$by_id', connectFromField: 'nick', connectToField: '_id', as: 'x' };

/** Answers that contain all that callers may read. */
const wholes = (model: string, id: string): readonly Ask[] => [
  ['GET', `/api/${model}`],
  ['GET', `/api/${model}?fields=*`],
  ['GET', `/api/${model}/${id}?fields=*`],
  ['GET', `/csv/${model}`],
  ['GET', `/model/${model}`],
  ['GET', '/openapi.json'],
  ['GET', '/me'],
  ['GET', '/api/note?populate=by,_owner'],
  ['GET', '/api/note?autopopulate=1'],
  ['POST', `/aggregate/${model}`, []],
  ['POST', `/aggregate/${model}`, [{ $project: { all: { $objectToArray: '$$ROOT' } } }]],
  ['POST', '/aggregate/note', [{ $lookup: { from: model, pipeline: [], as: 'x' } }]],
  ['POST', '/aggregate/note', [{ $graphLookup: { ...steps, from: model } }]],
  ['PUT', `/api/${model}/${id}`, { nick: 'new' }],
  ['PUT', `/update/${model}/${id}`, { nick: 'newer' }],
];

const cases = Object.entries(ownPaths).flatMap(([model, paths]) => paths.map((path) => ({ model, path })));

test('the server has such paths', () => {
  expect(cases.length).toBeGreaterThan(0);
});

test.each(cases)('$path of $model', async ({ model, path }) => {
  const { root, ann } = server.callers;
  const stored = await server.dossier.services.connection
    .collection(`${model}s`)
    .findOne({ _id: new ObjectId(ann.user_id) });
  const value = String(stored?.[path]);
  expect(value).toMatch(/.{8}/);
  const missing = `${path.slice(0, -1)}_`;
  for (const caller of [root, ann]) {
    for (const [at, [method, url, body]] of asks(model, path, ann.user_id).entries()) {
      const [, otherUrl = '', otherBody] = asks(model, missing, ann.user_id)[at] ?? [];
      const answer = await server.send(method, url, { ...caller, body });
      const other = await server.send(method, otherUrl, { ...caller, body: otherBody });
      const text = answer.text.replaceAll(path, missing).replace(/"request_id":"[^"]*"/, '');
      expect([url, body, answer.status, text]).toEqual([
        url,
        body,
        other.status,
        other.text.replace(/"request_id":"[^"]*"/, ''),
      ]);
      expect(answer.text).not.toContain(value);
    }
    for (const [method, url, body] of wholes(model, ann.user_id)) {
      const { status, text } = await server.send(method, url, { ...caller, body });
      expect([url, status]).toEqual([url, caller === ann && url.includes('*') ? 403 : 200]);
      expect([url, text]).toEqual([url, expect.not.stringContaining(path)]);
      expect(text).not.toContain(value);
    }
  }
});

test('events have none of them', async () => {
  const { root, ann } = server.callers;
  const stream = await listen(`${server.url}/events/user`, root.headers);
  await server.put(`/api/user/${ann.user_id}`, { nick: 'changed' }, root);
  await stream.when(() => stream.received.length > 0);
  for (const path of ownPaths['user'] ?? []) expect(JSON.stringify(stream.received)).not.toContain(path);
  stream.close();
});
