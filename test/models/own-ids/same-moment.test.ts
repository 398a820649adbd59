/**
 * Upserts of documents that were created in the same millisecond: the id is known before, and the time does not distinguish them from the
 * documents that the upserts create. Many in one request are prepared faster than one a millisecond.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Callers, openPeople } from '../../support/fixtures/people.ts';
import type { TestServer } from '../../support/server.ts';
import { idCases, modelsWith } from './types.ts';

const pairs = 40;
const newIds: Readonly<Record<string, (at: number) => unknown>> = {
  String: (at) => `new ${at}`,
  Number: (at) => 1000 + at,
  UUID: () => randomUUID(),
};

describe.each(idCases)('$name', ({ name, type }) => {
  let server: TestServer;
  let callers: Callers<'root' | 'ann'>;

  beforeAll(async () => {
    const started = await openPeople(['root', 'ann'], { models: modelsWith(type) });
    server = started;
    callers = started.callers;
  });

  test.each<[string, (_id: unknown) => object, unknown[]]>([
    ['updates', (_id) => ({ updateOne: { filter: { _id }, update: { $inc: { rank: 1 } }, upsert: true } }), ['a', 2]],
    [
      'updates that would create an equal document',
      (_id) => ({ updateOne: { filter: { _id }, update: { $set: { name: 'a' }, $inc: { rank: 1 } }, upsert: true } }),
      ['a', 2],
    ],
    [
      'replacements',
      (_id) => ({ replaceOne: { filter: { _id }, replacement: { name: 'b', rank: 3 }, upsert: true } }),
      ['b', 3],
    ],
  ])('%s', async (_, upsert, [title, rank]) => {
    const ids = Array.from({ length: pairs }, (_item, at) => newIds[name]!(at));
    const operations = ids.flatMap((_id) => [{ insertOne: { document: { _id, name: 'a', rank: 1 } } }, upsert(_id)]);
    const made = await server.post('/bulkwrite/item', operations, callers.ann);
    expect(made.body['data']).toMatchObject({ nInserted: pairs, nMatched: pairs, nUpserted: 0 });
    for (const _id of ids) {
      const path = `/api/item/${encodeURIComponent(String(_id))}`;
      expect((await server.get(path)).document).toMatchObject({ name: title, rank });
      await server.remove(`${path}?_permaDelete=1`, callers.ann);
    }
  });

  test('several of one document: the first creates it, the others change it', async () => {
    const _id = newIds[name]!(0);
    const more = { updateOne: { filter: { _id }, update: { $inc: { rank: 1 } }, upsert: true } };
    const made = await server.post('/bulkwrite/item', [more, more, more], callers.ann);
    expect(made.body['data']).toMatchObject({ nMatched: 2, nUpserted: 1, upsertedIds: { 0: String(_id) } });
    expect((await server.get(`/api/item/${encodeURIComponent(String(_id))}`)).document).toMatchObject({ rank: 3 });
  });

  test('one that matches more documents than are read at once changes each of them once', async () => {
    const many = 2100;
    const inserts = Array.from({ length: many }, (_, at) => ({
      insertOne: { document: { _id: newIds[name]!(10_000 + at), name: 'many', rank: 1 } },
    }));
    for (let at = 0; at < many; at += 700)
      expect((await server.post('/bulkwrite/item', inserts.slice(at, at + 700), callers.root)).status).toBe(200);
    // a subscriber, so that images of the documents are read
    const listening = new AbortController();
    const events = await fetch(`${server.url}/events/item`, {
      headers: callers.root.headers,
      signal: listening.signal,
    });
    expect(events.status).toBe(200);
    const update = { $inc: { rank: 1 }, $setOnInsert: { _id: newIds[name]!(9999) } };
    const operation = { updateMany: { filter: { name: 'many' }, update, upsert: true } };
    const changed = await server.post('/bulkwrite/item', [operation], callers.root);
    listening.abort();
    expect(changed.body['data']).toMatchObject({ nMatched: many, nModified: many, nUpserted: 0 });
    expect((await server.get('/count/item?filter[name]=many&filter[rank]=2')).body['count']).toBe(many);
  });
});
