/** Filters through links: `filter[director.name]`, under the rights on the linked model (docs/queries.md, "Filters through links"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ObjectId } from '../../src/models/object-id.ts';
import { connect } from '../support/connection.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import type { ModelFiles } from '../support/models.ts';

const models: ModelFiles = {
  film: ({ Schema, ObjectId: id }) =>
    new Schema(
      {
        title: String,
        year: Number,
        director_id: { type: id, link: 'person' },
        tag_id: [{ type: id, link: 'tag' }],
        label: [{ type: id, link: 'tag' }],
        cast: [{ _id: false, part: String, actor_id: { type: id, link: 'person' } }],
        vault_id: { type: id, link: 'vault' },
        note_id: { type: id, link: 'note' },
        hidden_id: { type: id, link: 'person', perms: { admin: 'cru' } },
      },
      { perms: { all: 'r', user: 'crud' }, advanced_queries: { bulkwrite: true } } as object,
    ),
  person: ({ Schema, ObjectId: id }) =>
    new Schema(
      {
        name: { type: String, lowercase: true },
        born: Number,
        password: String,
        pay: { type: Number, perms: { admin: 'r' } },
        diary: { type: String, perms: { owner: 'r' } },
        meta: Schema.Types.Mixed,
        town_id: { type: id, link: 'town' },
      },
      { perms: { all: { r: { where: { born: { $lt: 2000 } } } }, admin: 'crud' } } as object,
    ),
  town: ({ Schema, ObjectId: id }) =>
    new Schema({ name: String, mayor_id: { type: id, link: 'person' } }, { perms: { all: 'r' } } as object),
  user: ({ Schema, ObjectId: id }) =>
    new Schema({ name: String, town_id: { type: id, link: 'town' }, vault_id: { type: id, link: 'vault' } }, {
      perms: { admin: 'crud', owner: 'ru' },
    } as object),
  tag: ({ Schema }) => new Schema({ name: String, weight: Number }, { perms: { all: 'r', user: 'crud' } } as object),
  vault: ({ Schema }) => new Schema({ word: String }),
  note: ({ Schema }) => new Schema({ text: String }, { perms: { owner: 'r' } } as object),
};

const id = (kind: number, number: number): ObjectId =>
  new ObjectId(`${kind.toString(16).padStart(2, '0')}${number.toString(16).padStart(22, '0')}`);
const person = (number: number): ObjectId => id(1, number);
const town = (number: number): ObjectId => id(2, number);
const tag = (number: number): ObjectId => id(3, number);
const film = (number: number): ObjectId => id(4, number);
const vault = (number: number): ObjectId => id(5, number);
const note = (number: number): ObjectId => id(6, number);

let server: PeopledServer<'root' | 'ann'>;
const fill = async (name: string, rows: readonly object[]): Promise<void> => {
  const { connection, registry } = server.dossier.services;
  const base = { _deleted: false, createdAt: new Date(0), updatedAt: new Date(0), __v: 0 };
  await connection.collection(registry.get(name).collection).insertMany(rows.map((row) => ({ ...base, ...row })));
};

beforeAll(async () => {
  server = await openPeople(['root', 'ann'], { models, cache: { enabled: true, ttl: 3600 } });
  const ann = new ObjectId(server.callers.ann.user_id);
  await fill('town', [
    { _id: town(1), name: 'Oslo', mayor_id: person(2) },
    { _id: town(2), name: 'Rome', mayor_id: person(1) },
  ]);
  await fill('person', [
    { _id: person(1), name: 'ada', born: 1950, town_id: town(1), pay: 5, meta: { colour: 'red' }, password: '$2b$x' },
    { _id: person(2), name: 'bo', born: 1960, town_id: town(2), pay: 9, diary: 'dear', _owner_id: ann },
    { _id: person(3), name: 'kid', born: 2010, town_id: town(1) },
    { _id: person(4), name: 'gone', born: 1940, _deleted: true },
  ]);
  await server.put(`/api/user/${String(ann)}`, { town_id: String(town(1)) }, server.callers.root);
  await fill('tag', [
    { _id: tag(1), name: 'drama', weight: 1 },
    { _id: tag(2), name: 'war', weight: 5 },
    { _id: tag(3), name: 'funny', weight: 9 },
  ]);
  await fill('vault', [{ _id: vault(1), word: 'CANARY' }]);
  await fill('note', [
    { _id: note(1), text: 'mine', _owner_id: ann },
    { _id: note(2), text: 'mine' },
  ]);
  await fill('film', [
    { _id: film(1), title: 'A', year: 1, director_id: person(1), tag_id: [tag(1), tag(2)], label: [tag(3)] },
    {
      _id: film(2),
      title: 'B',
      year: 2,
      director_id: person(2),
      tag_id: [tag(2)],
      note_id: note(1),
      cast: [
        { part: 'x', actor_id: person(1) },
        { part: 'y', actor_id: person(2) },
      ],
    },
    { _id: film(3), title: 'C', year: 3, director_id: person(3), cast: [{ part: 'y', actor_id: person(1) }] },
    { _id: film(4), title: 'D', year: 4, director_id: person(4), note_id: note(2), hidden_id: person(1) },
    { _id: film(5), title: 'E', year: 5, director_id: null, vault_id: vault(1), _owner_id: ann },
  ]);
});

const titles = (rows: readonly object[]): string => rows.map((row) => (row as { title: string }).title).join('');

describe('in a URL', () => {
  test.each<[string, string]>([
    ['filter[director.name]=ada', 'A'],
    ['filter[director][name]=ada', 'A'],
    ['filter[director.name]=ADA', 'A'],
    ['filter[director.name]=$in:ada,bo', 'AB'],
    ['filter[director.name][$in][]=ada&filter[director.name][$in][]=bo', 'AB'],
    ['filter[director][name][$regex]=/^b/', 'B'],
    ['filter[director.born]=$gte:1950&filter[director.born]=$lt:1960', 'A'],
    ['filter[director.born][$gte]=1950&filter[director.name]=bo', 'B'],
    ['filter[director._id]=' + String(id(1, 2)), 'B'],
    ['filter[director.id]=' + String(id(1, 2)), 'B'],
    ['filter[director.meta.colour]=red', 'A'],
    ['filter[director.name]=$exists:true', 'AB'],
    ['filter[director.name]=ada&filter[year]=2', ''],
    ['filter[director.name]=nobody', ''],
    // documents whose linked document fulfils the condition
    ['filter[director.name]=$ne:ada', 'B'],
    ['filter[director.name]=$nin:ada,bo', ''],
    ['filter[director.name]=null', ''],
    ['filter[$nor][0][director.name]=ada', 'BCDE'],
    ['filter[$or][0][director.name]=ada&filter[$or][1][year]=5', 'AE'],
    ['filter[$or][0][director.name]=ada&filter[$or][1][tag.name]=war', 'AB'],
    // any member of a list
    ['filter[tag.name]=war', 'AB'],
    ['filter[tag.name]=war&filter[tag.name]=drama', 'A'],
    ['filter[tag.name]=drama&filter[tag.weight]=5', 'A'],
    ['filter[tag.name]=$ne:war', 'A'],
    ['filter[label.name]=funny', 'A'],
    ['filter[cast.actor.name]=ada', 'BC'],
    // links of links
    ['filter[director.town.name]=Oslo', 'A'],
    ['filter[director.town.name]=Rome&filter[director.name]=bo', 'B'],
    ['filter[director.town.mayor.name]=bo', 'A'],
    // what the caller may read, and no more
    ['filter[director.born]=$gt:2000', ''],
    ['filter[director.name]=gone', ''],
    ['filter[director.name]=gone&showDeleted=true', 'D'],
  ])('%s finds %j', async (query, expected) => {
    const { rows, text } = await server.get(`/api/film?${query}&fields=title`);
    expect([titles(rows), text]).toEqual([expected, text]);
    const { body } = await server.get(`/count/film?${query}`);
    expect(body).toEqual({ count: expected.length });
  });

  test.each<[string, number, string]>([
    ['director=x', 400, 'director is the name under which answers show the linked document: use director_id'],
    ['director.nmae]=x', 400, 'filter through director: nmae is not in the schema; did you mean \\"name\\"?'],
    ['director.pay]=5', 400, 'filter through director: pay is not in the schema'],
    ['director.diary]=dear', 400, 'filter through director: diary is not in the schema'],
    ['director.password]=x', 400, 'password cannot be queried'],
    ['director.town.nmae]=x', 400, 'filter through director through town: nmae is not in the schema'],
    ['director.town]=x', 400, 'filter through director: town is the name under which answers show the linked document'],
    ['hidden.name]=ada', 400, 'filter: hidden.name is not in the schema'],
    ['hidden]=ada', 400, 'filter: hidden is not in the schema'],
    ['hiden]=ada', 400, 'hiden is not in the schema"'],
    ['vault.word]=CANARY', 403, 'you may not read vaults'],
    ['director.born]=x', 400, 'born must be a finite number'],
    ['director.$where]=x', 400, ''],
    ['director.__proto__]=x', 400, ''],
    ['director.name][$where]=x', 400, '$where is not allowed here'],
    ['director.town.mayor.town.name]=x', 400, 'a name that leads through links must have at most 3 levels'],
  ])('filter[%s is a %d', async (query, status, reason) => {
    const answer = await server.get(`/api/film?filter[${query.includes(']') ? query : query.replace('=', ']=')}`);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(reason)]);
  });

  test('the refusal of a hidden field does not depend on the documents', async () => {
    const ask = async (name: string): Promise<string> =>
      (await server.get(`/api/film?filter[director.${name}]=1`)).text.replaceAll(name, 'x');
    expect(await ask('pay')).toBe(await ask('zzz'));
  });

  test('at most ten conditions lead through links', async () => {
    const many = (count: number): string =>
      Array.from({ length: count }, (_, n) => `filter[tag.weight]=$ne:${n}`).join('&');
    expect((await server.get(`/api/film?${many(10)}`)).status).toBe(200);
    expect((await server.get(`/api/film?${many(11)}`)).text).toContain('at most 10 conditions through links');
  });
});

describe('rights on the linked model', () => {
  const list = async (who: 'root' | 'ann' | 'anonymous', query: string): Promise<string> => {
    const { status, rows } = await server.as(who, 'GET', `/api/film?${query}`);
    return status === 200 ? titles(rows) : String(status);
  };

  test('admins read what others do not', async () => {
    expect(await list('root', 'filter[director.pay]=5')).toBe('A');
    expect(await list('root', 'filter[director.name]=kid')).toBe('C');
    expect(await list('root', 'filter[vault.word]=CANARY')).toBe('E');
    expect(await list('root', 'filter[hidden.name]=ada')).toBe('D');
  });

  test('own documents only', async () => {
    expect(await list('ann', 'filter[note.text]=mine')).toBe('B');
    expect(await list('anonymous', 'filter[note.text]=mine')).toBe('403');
  });

  test('users are found by name and id, and by email for admins only', async () => {
    expect(await list('anonymous', 'filter[_owner.name]=ann')).toBe('E');
    expect(await list('anonymous', `filter[_owner._id]=${server.callers.ann.user_id}`)).toBe('E');
    expect(await list('anonymous', 'filter[_owner.email]=ann@x.test')).toBe('400');
    expect(await list('ann', 'filter[_owner.email]=ann@x.test')).toBe('400');
    expect(await list('root', 'filter[_owner.email]=ann@x.test')).toBe('E');
  });

  test('no link of a user is followed by those who see only the name', async () => {
    for (const caller of ['anonymous', 'ann'] as const)
      for (const path of ['_owner.town.name', '_owner.town._id', '_owner.vault.word', '_owner._owner.name'])
        expect([path, await list(caller, `filter[${path}]=Oslo`)]).toEqual([path, '400']);
    const { status } = await server.post('/query/film', { query: { '_owner.town.name': 'Oslo' } }, server.callers.ann);
    expect(status).toBe(400);
    expect(await list('root', 'filter[_owner.town.name]=Oslo')).toBe('E');
  });
});

describe('in a body', () => {
  test.each<[object, string]>([
    [{ 'director.name': 'ada' }, 'A'],
    [{ 'director.name': { $regex: '^A', $options: 'i' } }, 'A'],
    [{ 'director.name': { $not: { $eq: 'ada' } } }, 'B'],
    [{ 'director.born': { $mod: [20, 0] } }, 'B'],
    [{ 'director.name': 'ada', 'director.born': 1950, director_id: { $oid: String(id(1, 1)) } }, 'A'],
    [{ 'director.name': 'ada', $and: [{ year: 1 }] }, 'A'],
    [{ $and: [{ 'tag.name': 'war' }, { 'tag.name': 'drama' }] }, 'A'],
    [{ $or: [{ $nor: [{ 'director.name': { $exists: true } }] }, { 'director.name': 'bo' }] }, 'BCDE'],
    [{ 'cast.actor.name': 'ada', 'cast.part': 'y' }, 'BC'],
    [{ cast: { $elemMatch: { 'actor.name': 'ada', part: 'y' } } }, 'C'],
    [{ 'director.town.name': 'Oslo' }, 'A'],
  ])('%j finds %j', async (query, expected) => {
    const { rows, text } = await server.post('/query/film?fields=title', { query });
    expect([titles(rows), text]).toEqual([expected, text]);
  });

  test.each<[object, string]>([
    [{ 'director.pay': 5 }, 'pay is not in the schema'],
    [{ 'director.meta': { colour: 'red' } }, 'meta cannot be compared as a whole object'],
    [{ 'director.name': { $where: '1' } }, '$where is not allowed here'],
    [{ director: { $elemMatch: { name: 'ada' } } }, 'director is the name under which answers show'],
    [{ label: { $elemMatch: { name: 'funny' } } }, 'label.name is in the linked document'],
  ])('%j is a 400', async (query, reason) => {
    const answer = await server.post('/query/film', { query });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(reason)]);
  });

  test('both filters must match', async () => {
    const query = { query: { 'tag.name': 'war' } };
    expect(titles((await server.post('/query/film?filter[director.name]=bo', query)).rows)).toBe('B');
  });
});

describe('elsewhere', () => {
  test('CSV', async () => {
    const { text } = await server.get('/csv/film?filter[director.name]=ada&fields=title');
    expect(text).toBe(`_id,title\r\n${String(film(1))},A\r\n`);
  });

  const refusal = 'director.name is in the linked document, which only filters of lists';
  test('bulk writes, pipelines, orders and searches refuse it', async () => {
    const filter = { 'director.name': 'ada' };
    const answers = [
      await server.as('root', 'POST', '/bulkwrite/film', {
        body: [{ updateMany: { filter, update: { $set: { year: 0 } } } }],
      }),
      await server.as('root', 'POST', '/bulkwrite/film', { body: [{ deleteMany: { filter } }] }),
      await server.post('/aggregate/film', [{ $match: filter }]),
      await server.get('/api/film?sort=director.name'),
      await server.get('/api/film?search[director.name]=a'),
      await server.get('/events/film?filter[director.name]=ada'),
    ];
    for (const { status, text } of answers) expect([status, text]).toEqual([400, expect.stringContaining(refusal)]);
  });

  test('a subscription refuses it, because an event concerns one document', async () => {
    const socket = await connect(server.url, server.callers.ann.headers);
    const answer = await socket.ask('subscribe', { model: 'film', filter: { 'director.name': 'ada' } });
    expect(answer).toMatchObject({ message: expect.stringContaining(refusal) });
    socket.socket.terminate();
  });
});

test('cached answers are dropped when the linked model changes', async () => {
  const ask = async (): Promise<unknown[]> => {
    const { rows, headers } = await server.get('/api/film?filter[tag.name]=renamed');
    return [titles(rows), headers.get('x-cache')];
  };
  expect(await ask()).toEqual(['', 'miss']);
  expect(await ask()).toEqual(['', 'hit']);
  const { headers } = server.callers.ann;
  expect((await server.put(`/api/tag/${String(tag(3))}`, { name: 'renamed' }, { headers })).status).toBe(200);
  expect(await ask()).toEqual(['', 'miss']);
  const film1 = { tag_id: [String(tag(3))] };
  expect((await server.put(`/api/film/${String(film(1))}`, film1, { headers })).status).toBe(200);
  expect(await ask()).toEqual(['A', 'miss']);
  await server.put(`/api/tag/${String(tag(3))}`, { name: 'again' }, { headers });
  expect(await ask()).toEqual(['', 'miss']);
});

test('a condition may match at most 10,000 linked documents', async () => {
  const { connection, registry } = server.dossier.services;
  const tags = connection.collection(registry.get('tag').collection);
  const name = { $cond: [{ $eq: ['$weight', 0] }, 'first', 'many'] };
  // not from the tags themselves: not every database writes a collection that it reads
  const seeds = connection.collection('seeds');
  await seeds.insertOne({ weight: Array.from({ length: 10_001 }, (_, n) => n), _deleted: false });
  const stages = [{ $unwind: '$weight' }, { $set: { name } }, { $unset: '_id' }, { $out: tags.collectionName }];
  await seeds.aggregate(stages).toArray();
  const linked = await tags.find({ weight: { $in: [1, 10_000] } }).toArray();
  await fill('film', [{ _id: film(9), title: 'Z', tag_id: linked.map(({ _id }) => _id) }]);
  const query = '/api/film?filter[tag.name]=$in:many,first';
  const answer = await server.get(query);
  expect(answer.status).toBe(400);
  expect(answer.body['err']).toBe(
    'the filter through tag matches more than 10000 linked documents: make it match fewer',
  );
  expect(titles((await server.get('/api/film?filter[tag.name]=many')).rows)).toBe('Z');
});
