/** Ids of one's own in events, batches, repeated requests, files, the audit log and the descriptions of a server. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createClient } from 'dossier-client';
import { modelOf } from '../../../src/models/mongoose.ts';
import { exportModels } from '../../../src/transfer/export.ts';
import { type ImportOptions, importSources } from '../../../src/transfer/import/import.ts';
import { sourcesOf } from '../../../src/transfer/import/source.ts';
import { typesModule } from '../../../src/typegen/index.ts';
import type { Answer } from '../../support/client.ts';
import { faultsOf, language } from '../../support/compile.ts';
import { connect } from '../../support/connection.ts';
import { listen } from '../../support/event-stream.ts';
import { as, type Callers, openPeople } from '../../support/fixtures/people.ts';
import { needs } from '../../support/needs.ts';
import type { TestServer } from '../../support/server.ts';
import { until } from '../../support/waiting.ts';
import { linesOf, newFolder, textsIn } from '../../transfer/folders.ts';
import { idCases, modelsWith } from './types.ts';

type Json = Record<string, unknown>;

const encoded = (id: unknown): string => encodeURIComponent(String(id));
const testInUnit = needs('transactions');

describe.each(idCases)('$name', ({ name: typeName, type, ids, same, refused }) => {
  const [first, second, third] = ids;
  let server: TestServer;
  let callers: Callers<'root' | 'ann'>;
  const make = (model: string, body: object): Promise<Answer> => server.post(`/api/${model}`, body, callers.ann);
  const at = (id: unknown): string => `/api/item/${encoded(id)}`;
  const clear = (model: string): Promise<unknown> =>
    modelOf(server.dossier.services.registry.internal(model)).collection.deleteMany({});

  beforeAll(async () => {
    const started = await openPeople(['root', 'ann'], { models: modelsWith(type) });
    server = started;
    callers = started.callers;
  });

  beforeEach(async () => void (await Promise.all([clear('item'), clear('part')])));

  test('events of one document, and of all', async () => {
    await make('item', { _id: first, name: 'a' });
    const text = same[0] ?? String(first);
    const [one, all] = await Promise.all([
      listen(`${server.url}/events/item/${encodeURIComponent(text)}`, callers.ann.headers),
      listen(`${server.url}/events/item?filter[_id]=${encoded(second)}`, callers.ann.headers),
    ]);
    await make('item', { _id: second, name: 'b' });
    await server.put(at(first), { name: 'c' }, callers.ann);
    await server.post(
      '/bulkwrite/item',
      [{ updateOne: { filter: { _id: first }, update: { $set: { rank: 1 } } } }],
      callers.ann,
    );
    await server.remove(at(first), callers.ann);
    await Promise.all([one.until(3), all.until(1)]);
    expect(one.received.map(({ event, item }) => [event, (item as Json)['_id'], (item as Json)['id']])).toEqual([
      ['put', first, first],
      ['put', first, first],
      ['del', first, first],
    ]);
    expect(all.received.map(({ event, item }) => [event, (item as Json)['_id']])).toEqual([['post', second]]);
    one.close();
    all.close();
    const socket = await connect(server.url, callers.ann.headers);
    expect(await socket.ask('subscribe', { model: 'item', id: first })).toMatchObject({ status: 'okay' });
    await make('item', { _id: third, name: 'd' });
    await server.put(at(first), { _deleted: false }, callers.ann);
    await socket.until(1);
    expect(socket.received.at(-1)).toMatchObject({ data: { event: 'post', item: { _id: first } } });
    const ended = { model: 'item', id: same[0] ?? first };
    expect(await socket.ask('unsubscribe', ended)).toMatchObject({ status: 'okay' });
    socket.socket.terminate();
  });

  testInUnit('references of a batch, in bodies and in paths', async () => {
    const operations = [
      { ref: 'a', method: 'POST', path: '/api/item', body: { _id: first, name: 'a' } },
      { ref: 'b', method: 'POST', path: '/api/part', body: { name: 'bolt', item_id: '$a._id', item_ids: ['$a._id'] } },
      { method: 'PUT', path: '/api/item/$b.item_id', body: { rank: 3 } },
    ];
    const answer = await server.post('/batch', { operations }, callers.ann);
    expect([answer.status, answer.body['err']]).toEqual([200, undefined]);
    const { rows } = await server.get('/api/part?populate=item');
    expect(rows).toMatchObject([{ item: { rank: 3 }, item_ids: [rows[0]?.['item_id']] }]);
  });

  testInUnit('a request that is sent again', async () => {
    const sent = { body: { _id: first, name: 'a' }, headers: { 'idempotency-key': `again-${typeName}` } };
    const [made, again] = [
      await server.send('POST', '/api/item', as(callers.ann, sent)),
      await server.send('POST', '/api/item', as(callers.ann, sent)),
    ];
    expect([made.status, again.status, again.text]).toEqual([201, 201, made.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('the audit log finds a removed document by its id', async () => {
    await make('item', { _id: third, name: 'a' });
    await server.remove(`${at(third)}?_permaDelete=1`, callers.ann);
    const { rows } = await server.get(`/audit?filter[whom]=${encoded(third)}`, callers.root);
    expect(rows).toMatchObject([{ what: 'document.removed', model: 'item', whom: String(third) }]);
  });

  test('setup data, with links between the models', async () => {
    const data = { part: [{ name: 'bolt', item_id: first }], item: [{ _id: first, name: 'a' }] };
    const done = await server.post('/setup/data', data, callers.root);
    expect(done.body).toMatchObject({ results: { item: { insertedIds: { 0: String(first) } } } });
    expect((await server.get('/api/part?populate=item')).rows).toMatchObject([{ item_id: first, item: { name: 'a' } }]);
    const none = await server.post('/setup/data', { item: [{ name: 'a' }] }, callers.root);
    expect([none.status, none.body['err']]).toEqual([400, expect.stringContaining('_id is required')]);
  });

  describe('files', () => {
    const load = async (file: string, text: string, more: Partial<ImportOptions> = {}): Promise<unknown[]> => {
      const folder = await newFolder();
      const path = join(folder, file);
      await writeFile(path, text);
      const sources = await sourcesOf({ path, model: undefined, input: Readable.from([]), delimiter: undefined });
      const options = { on: [], raw: false, strict: false, folder, onProgress: () => undefined, ...more };
      await importSources(server.dossier.services, sources, options);
      const { 'refused.ndjson': list = '' } = await textsIn(folder);
      return linesOf(list).map(({ line, path: where }) => [line, where]);
    };
    const extended = typeName === 'UUID' ? (id: unknown) => ({ $uuid: id }) : (id: unknown) => id;
    const cell = (id: unknown): string => `"${String(id).replaceAll('"', '""')}"`;

    test.each([
      ['JSON', 'item.ndjson', ids.map((_id) => JSON.stringify({ _id, name: 'x' })).join('\n')],
      ['Extended JSON', 'item.ndjson', ids.map((_id) => JSON.stringify({ _id: extended(_id), name: 'x' })).join('\n')],
      ['CSV', 'item.csv', ['_id,name', ...ids.map((id) => `${cell(id)},x`)].join('\n')],
    ])('%s is imported, and changes the documents of its ids', async (_form, file, text) => {
      expect(await load(file, text)).toEqual([]);
      expect(await load(file, text.replaceAll('x', 'x'))).toEqual([]);
      const { rows } = await server.get('/api/item');
      expect(rows.map(({ _id }) => _id)).toEqual(ids);
    });
    test('--raw stores documents as they are', async () => {
      const text = ids.map((_id) => JSON.stringify({ _id: extended(_id), any: 1 })).join('\n');
      expect(await load('item.ndjson', text, { raw: true })).toEqual([]);
      expect((await server.get('/api/item')).rows.map(({ _id }) => _id)).toEqual(ids);
    });
    test('records without an id, or with another one, are refused', async () => {
      // half a surrogate is a fault of the line
      const wrong = refused
        .filter((value) => value !== '' && !JSON.stringify(value).includes('$') && value !== 'a\0b')
        .filter((value) => !/\p{Surrogate}/u.test(String(value)));
      const records = [{ name: 'none' }, ...wrong.map((_id) => ({ _id, name: 'x' }))];
      const faults = await load('item.ndjson', records.map((record) => JSON.stringify(record)).join('\n'));
      expect(faults).toEqual(records.map((_, index) => [index + 1, '_id']));
      expect((await server.get('/api/item')).rows).toEqual([]);
    });
    test('an export is imported again', async () => {
      for (const _id of ids) await make('item', { _id, name: 'x', above_id: _id });
      const folder = await newFolder();
      await exportModels([server.dossier.services.registry.internal('item')], folder, {
        withoutSecrets: false,
        onProgress: () => undefined,
      });
      const before = (await server.get('/api/item')).rows;
      await clear('item');
      const { 'item.ndjson': text = '' } = await textsIn(folder);
      expect(await load('item.ndjson', text)).toEqual([]);
      const after = (await server.get('/api/item?populate=above')).rows;
      expect(after.map(({ _id, above_id, above }) => [_id, above_id, (above as Json)['_id']])).toEqual(
        before.map(({ _id }) => [_id, _id, _id]),
      );
    });
  });

  test('dossier-client takes them, and shows them', async () => {
    const { email, password } = callers.ann;
    const client = createClient({ url: server.url });
    await client.login({ email, password });
    const items = client.model('item');
    const watch = items.watch({ id: first as string });
    const opened = new Promise((open) => watch.addEventListener('open', open));
    const changes: unknown[] = [];
    watch.addEventListener('change', ({ detail }) => changes.push([detail.event, detail.item._id]));
    await opened;
    await items.create({ _id: first, name: 'a' });
    await items.set(first as string, { rank: 1 });
    expect(await items.one(first as string)).toMatchObject({ _id: first, rank: 1 });
    expect(await items.list({ filter: { _id: first } })).toMatchObject({ data: [{ _id: first }] });
    expect(await items.call('twice', {}, { id: first as string })).toEqual({ name: 'aa' });
    expect(await items.rights({ id: first as string })).toMatchObject({ rows: { u: true } });
    await items.remove(first as string);
    await until(() => changes.length === 3);
    expect(changes).toEqual([
      ['post', first],
      ['put', first],
      ['del', first],
    ]);
    watch.close();
  });

  describe('descriptions', () => {
    const json = typeName === 'Number' ? 'integer' : 'string';
    test('OpenAPI has the type of ids in paths, bodies and answers', async () => {
      const { body } = await server.get('/openapi.json', callers.root);
      const { paths, components } = body as Json as {
        paths: Record<string, any>;
        components: { schemas: Record<string, any> };
      };
      const [parameter] = paths['/api/item/{id}'].get.parameters;
      expect(parameter).toMatchObject({ name: 'id', in: 'path', schema: { type: json } });
      const { 'item.create': created, item, 'item.change': changed } = components.schemas;
      expect([created.required, created.properties._id.type]).toEqual([['_id'], json]);
      expect(changed.properties._id).toBeUndefined();
      const shown = typeName === 'Number' ? 'number' : 'string';
      expect([item.properties._id.type, item.properties.id.type]).toEqual([shown, shown]);
    });
    test('types have it, too', () => {
      const types = typesModule(server.dossier.services.registry.served);
      const [value, other] = typeName === 'Number' ? ['1', `'1'`] : [`'1'`, '1'];
      const program = (
        id: string,
      ): string => `import { createClient } from 'dossier-client'; import type { Models } from './types.ts';
export const created: Models['item']['create'] = { _id: ${id} };
export const filter: Partial<Models['item']['filter']> = { _id: ${id}, above_id: ${id} };
declare const item: Models['item']['document'];
export const _id: ${typeName === 'Number' ? 'number' : 'string'} = item._id;
export const id: ${typeName === 'Number' ? 'number' : 'string'} = item.id;
const items = createClient<Models>({ url: 'https://x.example' }).model('item');
export const one = items.one(${id});
export const watched = items.watch({ id: ${id} });`;
      expect(faultsOf({ 'types.ts': types, 'program.ts': program(value) }, language)).toEqual([]);
      const faults = faultsOf({ 'types.ts': types, 'program.ts': program(other) }, language);
      expect(faults.map(({ line }) => line)).toEqual(expect.arrayContaining([2, 3, 8, 9]));
    });
  });
});
