/** A path of type String with `ref` is a link by the texts of ids, as Mongoose's `populate` casts them (docs/links.md). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { documentFaults } from '../../src/cli/check/documents.ts';
import { modelOf } from '../../src/models/mongoose.ts';
import { importSources } from '../../src/transfer/import/import.ts';
import { sourcesOf } from '../../src/transfer/import/source.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { newFolder } from '../transfer/folders.ts';

const start = `const { Schema, model } = require('mongoose');\nconst perms = { all: 'r', admin: 'crud' };\n`;
const person = (name: string, code = ''): string => `${start}
const schema = new Schema(
  {
    name: String,
    realmId: { type: String, ref: 'Realm' },
    all: [{ type: String, ref: 'Realm' }],
    home: { realm_id: { type: String, ref: 'Realm' } },
    trips: [{ realm: { type: String, ref: 'Realm' } }],
    number: { type: String, ref: 'Numbered' },
  },
  { perms, check_links: true },
);
${code}
module.exports = model('${name}', schema);`;

const models = {
  'realm.js': `${start}
const schema = new Schema({ name: String }, { perms, toJSON: { virtuals: true } });
for (const [name, options] of Object.entries({ people: {}, first: { justOne: true }, count: { count: true } }))
  schema.virtual(name, { ref: 'Person', localField: '_id', foreignField: 'realmId', ...options });
schema.virtual('members', { ref: 'Person', localField: '_id', foreignField: 'all' });
module.exports = model('Realm', schema);`,
  'numbered.js': `${start}module.exports = model('Numbered', new Schema({ _id: Number, name: String }, { perms }));`,
  'person.js': person('Person'),
  'computed.js': person('Computed', `schema.virtual('shout').get(function () { return this.name + '!'; });`),
  'held.js': `${start}module.exports = model('Held', new Schema({ name: String }, { perms, on_referenced_delete: 'refuse' }));`,
  'holder.js': `${start}module.exports = model('Holder', new Schema({ held_id: { type: String, ref: 'Held' }, held: String }, { perms }));`,
  'secret.js': `${start}module.exports = model('Secret', new Schema({ name: String }, { perms: { admin: 'crud' } }));`,
  'keeper.js': `${start}module.exports = model('Keeper', new Schema({ secret_id: { type: String, ref: 'Secret' } }, { perms }));`,
  'loose.js': `${start}module.exports = model('Loose', new Schema({ realm: { type: String, ref: 'Realm' } }, { perms }));`,
};

let server: PeopledServer<'root' | 'ann'>;
let root: { headers: Record<string, string> };
const ids: Record<string, string> = {};
beforeAll(async () => {
  server = await openPeople(['root', 'ann'], { models });
  root = server.callers.root;
  for (const name of ['a', 'b']) ids[name] = String((await server.post('/api/realm', { name }, root)).document['_id']);
  await server.post('/api/numbered', { _id: 7, name: 'seven' }, root);
  for (const model of ['person', 'computed']) {
    const links = {
      realmId: ids['a'],
      all: [ids['a'], ids['b']],
      home: { realm_id: ids['b'] },
      trips: [{ realm: ids['a'] }],
    };
    const made = await server.post(`/api/${model}`, { name: 'linked', number: '7', ...links }, root);
    expect([made.status, made.text]).toEqual([201, expect.stringContaining('linked')]);
    await server.post(`/api/${model}`, { name: 'none' }, root);
  }
});

type Row = Record<string, any>;

describe.each(['person', 'computed'])('%s', (model) => {
  test('shows the linked documents as Mongoose does', async () => {
    const populate = 'populate=realmId,all,home.realm_id,trips.realm,number';
    const { rows } = await server.get(`/api/${model}?sort=name&${populate}`);
    const [found] = await modelOf(server.dossier.services.registry.get(model))
      .find({ name: 'linked' })
      .populate(['realmId', 'all', 'home.realm_id', 'trips.realm', 'number'])
      .lean<Row[]>();
    const nameOf = (one: Row | null | undefined): unknown => one?.['name'];
    const namesOf = (row: Row, home: string) => [
      [nameOf(row['realmId']), row['all'].map(nameOf), nameOf(row['home'][home])],
      [row['trips'].map((trip: Row) => nameOf(trip['realm'])), nameOf(row['number'])],
    ];
    expect(namesOf(rows[0] as Row, 'realm')).toEqual(namesOf(found as Row, 'realm_id'));
    expect(namesOf(rows[0] as Row, 'realm')).toEqual([
      ['a', ['a', 'b'], 'b'],
      [['a'], 'seven'],
    ]);
    expect(rows[1]).toMatchObject({ name: 'none', realmId: null, number: null });
  });

  test.each([
    ['filter[realmId.name]=a', 1],
    ['filter[all.name]=b', 1],
    ['filter[home.realm.name]=b', 1],
    ['filter[trips.realm.name]=b', 0],
    ['filter[number.name]=seven', 1],
    ['filter[realmId]=ID', 1],
    ['filter[number]=7', 1],
  ])('is found by %s', async (filter, count) => {
    const { rows } = await server.get(`/api/${model}?${filter.replace('ID', ids['a'] ?? '')}`);
    expect(rows).toHaveLength(count);
  });

  test.each([
    ['a missing document', '64b7f0000000000000000001', 'realmId links to realm 64b7f0000000000000000001'],
    ['a text that is no id', 'here', 'realmId links to realm here'],
  ])('check_links refuses %s', async (_what, realmId, message) => {
    const refused = await server.post(`/api/${model}`, { name: 'x', realmId }, root);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(message)]);
  });

  test('a linked document may be sent in place of its id, and is stored as its text', async () => {
    const { document } = await server.post(`/api/${model}`, { name: 'sent', realmId: { _id: ids['b'] } }, root);
    expect(document).toMatchObject({ realmId: ids['b'] });
    await server.remove(`/api/${model}/${String(document['_id'])}?_permaDelete=1`, root);
  });
});

describe.each(['person', 'computed'])('an id in capital letters is that of the document: %s', (model) => {
  const given = (): string => (ids['b'] ?? '').toUpperCase();
  const ways: readonly (readonly [method: string, path: string, body: () => object])[] = [
    ['POST', 'realmId', () => ({ realmId: given() })],
    ['POST', 'all', () => ({ all: [given()] })],
    ['POST', 'home.realm_id', () => ({ home: { realm_id: given() } })],
    ['POST', 'trips.realm', () => ({ trips: [{ realm: given() }] })],
    ['PUT', 'realmId', () => ({ realmId: given() })],
    ['PUT', 'home.realm_id', () => ({ 'home.realm_id': given() })],
    ['PUT', 'all', () => ({ all: [given()] })],
    ['PATCH', 'realmId', () => ({ $set: { realmId: given() } })],
    ['PATCH', 'all', () => ({ $push: { all: given() } })],
    ['PATCH', 'all', () => ({ $addToSet: { all: given() } })],
    ['PATCH', 'trips.realm', () => ({ $push: { trips: { realm: given() } } })],
  ];
  test.each(ways)('%s of %s', async (method, path, body) => {
    let sent = { name: 'capital', ...body() } as Row;
    let id = '';
    if (method !== 'POST') {
      id = `/${String((await server.post(`/api/${model}`, { name: 'capital' }, root)).document['_id'])}`;
      sent = body();
    }
    const answer = await server.send(method, `/api/${model}${id}`, { body: sent, ...root });
    expect([answer.status, answer.text]).toEqual([method === 'POST' ? 201 : 200, expect.any(String)]);
    const { rows } = await server.get(`/api/${model}?filter[name]=capital&populate=${path}`, root);
    const shown = JSON.stringify(rows);
    expect(shown).toContain('"name":"b"');
    expect(shown).not.toContain(given());
    expect((await server.get(`/api/${model}?filter[name]=capital&filter[${path}]=${given()}`)).rows).toHaveLength(1);
    await server.remove(`/api/${model}/${String(rows[0]?.['_id'])}?_permaDelete=1`, root);
  });
});

test('virtuals show the documents that link by texts', async () => {
  const { rows } = await server.get('/api/realm?sort=name&populate=people,first,count,members');
  expect(rows).toMatchObject([
    { name: 'a', people: [{ name: 'linked' }], first: { name: 'linked' }, count: 1, members: [{ name: 'linked' }] },
    { name: 'b', people: [], first: null, count: 0, members: [{ name: 'linked' }] },
  ]);
});

test('texts that are no ids are shown as nothing, and stay', async () => {
  for (const realm of ['here', '', ids['a']]) await server.post('/api/loose', { realm }, root);
  const shown = await server.get('/api/loose?sort=_id&populate=realm');
  expect(shown.rows.map(({ realm }) => (realm as Row | null)?.['name'])).toEqual([undefined, undefined, 'a']);
  expect((await server.get('/api/loose?sort=_id')).rows.map(({ realm }) => realm)).toEqual(['here', '', ids['a']]);
  expect((await server.get('/api/loose?filter[realm]=here')).rows).toHaveLength(1);
});

test('the rights of the linked model hold', async () => {
  const made = await server.post('/api/secret', { name: 's' }, root);
  await server.post('/api/keeper', { secret_id: made.document['_id'] }, root);
  for (const query of ['populate=secret', 'filter[secret.name]=s']) {
    expect((await server.get(`/api/keeper?${query}`, server.callers.ann)).status).toBe(403);
    expect((await server.get(`/api/keeper?${query}`, root)).rows).toHaveLength(1);
  }
});

test('a shown name that another field has is left to it: the document stands in place of the id', async () => {
  const held = await server.post('/api/held', { name: 'h' }, root);
  const id = String(held.document['_id']);
  await server.post('/api/holder', { held_id: id, held: 'by hand' }, root);
  expect((await server.get('/api/holder?populate=held_id')).rows).toMatchObject([
    { held_id: { name: 'h' }, held: 'by hand' },
  ]);
  const refused = await server.remove(`/api/held/${id}`, root);
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('holder.held_id')]);
});

test('check finds links to nothing, and no others', async () => {
  const { registry } = server.dossier.services;
  const faults = await documentFaults(registry.get('person'), registry, () => undefined);
  expect(faults).toEqual([]);
  await modelOf(registry.get('person')).collection.insertOne({ name: 'lost', realmId: '64b7f0000000000000000001' });
  expect(await documentFaults(registry.get('person'), registry, () => undefined)).toMatchObject([{ path: 'realmId' }]);
  await modelOf(registry.get('person')).collection.deleteOne({ name: 'lost' });
});

test('a cascade deletes the documents, takes texts from lists, and is undone', async () => {
  const only = await server.post('/api/realm', { name: 'c' }, root);
  const id = String(only.document['_id']);
  await server.post('/api/person', { name: 'gone', realmId: id }, root);
  await server.post('/api/person', { name: 'stays', all: [id, ids['b']] }, root);
  const names = async (): Promise<unknown> =>
    (await server.get('/api/person?sort=name&fields=name,all')).rows.map(({ name, all }) => [
      name,
      (all as unknown[]).length,
    ]);
  const before = await names();
  expect((await server.remove(`/api/realm/${id}?_cascade=1`, root)).status).toBe(200);
  expect(await names()).toEqual([
    ['linked', 2],
    ['none', 0],
    ['stays', 1],
  ]);
  const restored = await server.put(`/api/realm/${id}`, { _deleted: false }, root);
  expect([restored.status, await names()]).toEqual([200, before]);
});

test('CSV has the texts of ids also as mongoexport writes them', async () => {
  const { collection } = modelOf(server.dossier.services.registry.internal('loose'));
  await collection.deleteMany({});
  const folder = await newFolder();
  const path = join(folder, 'loose.csv');
  const id = ids['a'] ?? '';
  const cells = [id, id.toUpperCase(), `ObjectId(${id})`, `ObjectId(${id.toUpperCase()})`, 'no id', 'ObjectId(no id)'];
  await writeFile(path, ['realm', ...cells].join('\n'));
  const sources = await sourcesOf({ path, model: undefined, input: Readable.from([]) });
  const options = { on: [], raw: false, strict: true, folder, onProgress: () => undefined };
  expect(await importSources(server.dossier.services, sources, options)).toMatchObject({ refused: 0 });
  const stored = await collection.find({}, { projection: { realm: 1, _id: 0 } }).toArray();
  expect(stored.map(({ realm }) => String(realm)).sort()).toEqual([id, id, id, id, 'no id', 'ObjectId(no id)'].sort());
});
