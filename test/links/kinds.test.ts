/** Links that only the documents of a kind have, and those of kinds of nested documents (docs/links.md, "Links of discriminators"). */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startWarnings, warningLine } from '../../src/models/loading/start-warnings.ts';
import { ObjectId } from '../../src/models/mongoose.ts';
import { typesModule } from '../../src/typegen/index.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { startServer } from '../support/server.ts';

const start = `const mongoose = require('mongoose');\nconst { Schema } = mongoose;\nconst id = Schema.ObjectId;\n`;
/** @param more code that makes the model computed, so that its documents are shaped in another way */
const post = (name: string, more: string): string => `${start}
const block = () => new Schema({ text: String }, { _id: false, discriminatorKey: 'type' });
const schema = new Schema({ title: String, blocks: [block()], lead: block(), code: String },
  { discriminatorKey: 'kind', perms: { all: 'crud' }, check_links: true, advanced_queries: { query: true, bulkwrite: true } });
schema.path('blocks').discriminator('quote', new Schema({ by_id: { type: id, ref: 'Person' }, draft: { type: id, ref: 'Draft' } }, { _id: false }));
schema.path('lead').discriminator('quote', new Schema({ by: { type: id, ref: 'Person' } }, { _id: false }));
${more}
const Model = mongoose.model('${name}', schema);
const video = new Schema({ director_id: { type: id, ref: 'Person', reverse: '${name.toLowerCase()}s' }, cast: [{ type: id, ref: 'Person' }], note: { type: id, ref: 'Draft' },
  hidden: { type: id, ref: 'Person', perms: { admin: 'cru' } }, which: { type: id, ref: 'Person' }, other_id: { type: id, ref: 'Person' } });
video.virtual('likes', { ref: 'Like', localField: '_id', foreignField: 'of' });
video.virtual('count', { ref: 'Like', localField: '_id', foreignField: 'of', count: true });
video.virtual('twins', { ref: '${name}', localField: 'code', foreignField: 'code' });
Model.discriminator('${name}Video', video, 'video');
const link = new Schema({ url: String, which: { type: id, ref: 'Draft' }, other: String });
link.virtual('twins', { ref: '${name}', localField: 'title', foreignField: 'code' });
Model.discriminator('${name}Link', link, 'link');
module.exports = Model;`;

const models = {
  'post.js': post('Post', ''),
  'page.js': post('Page', `schema.virtual('shout').get(function () { return this.title + '!'; });`),
  'person.js': `${start}module.exports = new Schema({ name: String, secret: { type: String, perms: { admin: 'cru' } } }, { perms: { all: 'r', admin: 'crud' }, on_referenced_delete: 'refuse' });`,
  'draft.js': `${start}module.exports = new Schema({ text: String }, { perms: { admin: 'crud' } });`,
  'like.js': `${start}module.exports = mongoose.model('Like', new Schema({ of: id, n: Number }, { perms: { all: { r: { where: { n: { $gt: 0 } } } }, admin: 'crud' } }));`,
};

type Json = Record<string, any>;
let server: PeopledServer<'root'>;
let root: { headers: Record<string, string> };
const ids: Record<string, string> = {};
const missing = 'a'.repeat(24);

beforeAll(async () => {
  server = await openPeople(['root'], { models });
  root = server.callers.root;
  const make = async (model: string, name: string, document: object): Promise<void> => {
    const answer = await server.post(`/api/${model}`, document, root);
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    ids[name] = String(answer.document['_id']);
  };
  for (const name of ['ann', 'bob']) await make('person', name, { name, secret: 'CANARY' });
  await make('draft', 'draft', { text: 'CANARY' });
  for (const model of ['post', 'page']) {
    const quotes = [{ type: 'quote', by_id: ids['bob'], draft: ids['draft'] }, { text: 'x' }];
    await make(model, `${model} film`, {
      kind: 'video',
      title: 'film',
      director_id: ids['ann'],
      cast: [ids['bob'], ids['ann']],
      note: ids['draft'],
      hidden: ids['bob'],
      which: ids['ann'],
    });
    await make(model, `${model} short`, { kind: 'video', title: 'short', director_id: ids['bob'] });
    await make(model, `${model} site`, { kind: 'link', title: 'site', url: 'https://x.test', other: 'text' });
    await make(model, `${model} plain`, { title: 'plain', blocks: quotes, lead: { type: 'quote', by: ids['ann'] } });
    // what a kind does not declare is stored all the same, and not shown
    const { collection } = server.dossier.services.connection.model(model);
    const stale = (await collection.findOne({ title: 'film' })) as Json;
    await collection.updateOne({ title: 'site' }, { $set: { director_id: stale['director_id'], cast: stale['cast'] } });
    for (const n of [0, 1, 2]) await make('like', 'like', { of: ids[`${model} film`], n });
    await make('like', 'like', { of: ids[`${model} site`], n: 1 });
  }
});
afterAll(() => server.dossier.close());

describe.each(['post', 'page'])('the links of %s', (model) => {
  const shown = async (query: string, by?: typeof root): Promise<Json> => {
    const { rows, status, text } = await server.get(`/api/${model}?${query}&fields=title,code`, by);
    if (status !== 200) throw new Error(text);
    return Object.fromEntries(
      (rows as Json[]).map(({ _id, id: _, title, code: _code, ...others }) => [title as string, others]),
    );
  };
  const person = (name: string): object => ({ _id: ids[name], id: ids[name], name });

  test.each(['populate[director]=name', 'populate[director_id]=name'])(
    '%s shows it in its kind alone',
    async (query) => {
      expect(await shown(query)).toEqual({
        film: { director: person('ann') },
        short: { director: person('bob') },
        site: {},
        plain: {},
      });
    },
  );

  test('lists, in place of the ids', async () => {
    const { film, short, site } = await shown('populate[cast]=name');
    expect(film).toEqual({ cast: [person('bob'), person('ann')] });
    expect([short, site]).toEqual([{ cast: [] }, {}]);
  });

  test('in kinds of nested documents', async () => {
    const { rows } = await server.get(
      `/api/${model}?filter[title]=plain&populate[blocks.by]=name&populate[lead.by]=name`,
    );
    const blocks = [{ type: 'quote', by_id: ids['bob'], by: person('bob'), draft: ids['draft'] }, { text: 'x' }];
    expect(rows).toMatchObject([{ blocks, lead: { type: 'quote', by: person('ann') } }]);
    expect((rows as Json[])[0]?.['blocks'][1]).toEqual({ text: 'x' });
  });

  test('by autopopulate, with the rights of the other models', async () => {
    const { rows, text } = await server.get(`/api/${model}?autopopulate=1`);
    expect((rows as Json[]).find(({ title }) => title === 'film')).toMatchObject({
      director: { name: 'ann' },
      note: ids['draft'],
      which: ids['ann'],
    });
    expect(text).not.toContain('CANARY');
    expect((await server.get(`/api/${model}?autopopulate=1`, root)).text).toContain('CANARY');
  });

  test.each([
    ['note', 403],
    ['blocks.draft', 403],
    ['hidden', 400],
    ['which', 400],
    ['other', 400],
    ['twins', 400],
  ])('populate=%s is a %i', async (name, status) => {
    expect((await server.get(`/api/${model}?populate=${name}`)).status).toBe(status);
  });

  test.each([
    ['filter[director.name]=ann', ['film']],
    ['filter[director_id.name]=ann', undefined],
    ['filter[cast.name]=bob', ['film']],
    ['filter[blocks.by.name]=bob', ['plain']],
    ['filter[lead.by.name]=ann', ['plain']],
    ['filter[director.name]=$in:["ann","bob"]&sort=title', ['film', 'short']],
    ['filter[note.text]=CANARY', undefined],
    ['filter[hidden.name]=bob', undefined],
    ['filter[director.secret]=CANARY', undefined],
  ])('%s', async (query, expected) => {
    const { rows, status } = await server.get(`/api/${model}?${query}`);
    if (expected === undefined) expect(status).toBeGreaterThanOrEqual(400);
    else expect(rows.map(({ title }) => title)).toEqual(expected);
    const { body } = await server.get(`/count/${model}?${query}`);
    expect(body.data ?? body.count ?? undefined).toEqual(expected === undefined ? undefined : expected.length);
  });

  test('POST /query follows them, too', async () => {
    const { rows } = await server.post(`/query/${model}`, { query: { 'director.name': 'ann' } }, root);
    expect(rows.map(({ title }) => title)).toEqual(['film']);
  });

  test('they are followed backwards, from the documents of the kind alone', async () => {
    const { rows } = await server.get(`/api/person?populate[${model}s]=title&filter[name]=$in:["ann","bob"]&sort=name`);
    const titles = (rows as Json[]).map((row) => row[`${model}s`].map(({ title }: Json) => title));
    expect(titles).toEqual([['film'], ['short']]);
  });

  test('virtuals of a kind are shown in its documents alone', async () => {
    const { film, short, site, plain } = await shown('populate[likes]=n&populate[count]=n');
    expect(film).toMatchObject({ likes: [{ n: 1 }, { n: 2 }], count: 2 });
    expect([short, site, plain]).toEqual([{ likes: [], count: 0 }, {}, {}]);
  });

  test('check_links refuses what they do not lead to, by every way', async () => {
    const sent = { kind: 'video', title: 'new' };
    const faults = async (answer: ReturnType<typeof server.post>): Promise<unknown> => {
      const { status, body } = await answer;
      return [status, (body.errors as Json[] | undefined)?.map(({ path }) => path)];
    };
    const path = `/api/${model}/${String(ids[`${model} film`])}`;
    for (const wrong of [{ director_id: missing }, { cast: [ids['ann'], missing] }]) {
      const [name] = Object.keys(wrong);
      expect(await faults(server.post(`/api/${model}`, { ...sent, ...wrong }))).toEqual([400, [name]]);
      expect(await faults(server.put(path, wrong))).toEqual([400, [name]]);
    }
    const block = { type: 'quote', by_id: missing };
    expect(await faults(server.post(`/api/${model}`, { blocks: [block] }))).toEqual([400, ['blocks.by_id']]);
    const bulk = { updateOne: { filter: { _id: ids[`${model} film`] }, update: { $set: { director_id: missing } } } };
    expect((await server.post(`/bulkwrite/${model}`, [bulk], root)).text).toContain(missing);
  });

  test('a linked document stands for its id', async () => {
    const director = { _id: ids['bob'], name: 'bob' };
    const { document } = await server.post(`/api/${model}`, { kind: 'video', title: 'sent', director });
    expect(document).toMatchObject({ director_id: ids['bob'] });
    await server.remove(`/api/${model}/${String(document['_id'])}`, root);
  });

  test('they are described, in the types too', async () => {
    const { fields } = (await server.get(`/model/${model}`, root)).body.data;
    expect(fields.director_id).toMatchObject({ kinds: ['video'], link: 'person', map_to: 'director' });
    expect(fields['blocks.by_id']).toMatchObject({ link: 'person', map_to: 'blocks.by' });
    expect(fields.which).not.toHaveProperty('link');
    const { schemas } = (await server.get('/openapi.json', root)).body.components;
    const video = schemas[`${model}.kind.video`].properties;
    expect(Object.keys(video)).toEqual(expect.arrayContaining(['director', 'likes', 'count', 'cast']));
    for (const name of ['link', '']) {
      const { properties } = schemas[[model, 'kind', name].filter(Boolean).join('.')];
      for (const key of ['director', 'likes', 'count']) expect(properties).not.toHaveProperty(key);
    }
    const types = typesModule(server.dossier.services.registry.served);
    expect(types).toContain('director: { id: "director_id"; model: "person"; many: false }');
  });

  test('CSV has the ids', async () => {
    const { text } = await server.get(`/csv/${model}?filter[director.name]=ann&fields=title,director_id`);
    expect(text.trim().split(/\r?\n/)).toEqual([
      '_id,title,director_id',
      `${ids[`${model} film`] ?? ''},film,${ids['ann'] ?? ''}`,
    ]);
  });

  test('a cascade follows them, in documents of the kind alone', async () => {
    const made = await server.post('/api/person', { name: 'cat' }, root);
    const cat = String(made.document['_id']);
    const of = async (document: object): Promise<string> => {
      const answer = await server.post(`/api/${model}`, document, root);
      return String(answer.document['_id']);
    };
    const [film, list, site] = [
      await of({ kind: 'video', title: 'gone', director_id: cat }),
      await of({ kind: 'video', title: 'list', cast: [cat, ids['ann']] }),
      await of({ kind: 'link', title: 'stays' }),
    ];
    const { connection } = server.dossier.services;
    const stale = { director_id: new ObjectId(cat), cast: [new ObjectId(cat)] };
    await connection.model(model).collection.updateOne({ title: 'stays' }, { $set: stale });
    expect((await server.remove(`/api/person/${cat}?_cascade=1`, root)).status).toBe(200);
    expect((await server.get(`/api/${model}/${film}`)).status).toBe(404);
    expect((await server.get(`/api/${model}/${list}`)).document).toMatchObject({ cast: [ids['ann']] });
    expect((await server.get(`/api/${model}/${site}`)).status).toBe(200);
    for (const id of [list, site]) await server.remove(`/api/${model}/${id}`, root);
  });

  test('a deletion counts them', async () => {
    const { status, text } = await server.remove(`/api/person/${ids['ann'] ?? ''}`, root);
    expect([status, text]).toEqual([409, expect.stringContaining(`${model}.director_id`)]);
  });
});

test('the start names the paths that kinds declare in different ways', () => {
  const { settings, registry } = server.dossier.services;
  expect(
    startWarnings(settings.models_dir, registry.all)
      .map(warningLine)
      .filter((text) => text.includes('populate')),
  ).toEqual(
    ['page', 'post'].map(
      (name) =>
        `${name}: populate does not show which, other_id, twins: the service follows links to one model, by all documents (docs/links.md)`,
    ),
  );
});

test('an unknown model of a kind stops the start', async () => {
  const film = `${start}const schema = new Schema({ title: String });
schema.discriminator('short', new Schema({ by: { type: id, link: 'Nothing' } }));\nmodule.exports = schema;`;
  await expect(startServer({ models: { 'film.js': film } })).rejects.toThrow(
    /film\.js: by links to Nothing, but no model has this name/,
  );
});
