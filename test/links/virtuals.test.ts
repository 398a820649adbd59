/** Mongoose's virtuals with `ref` are served as reverse links are, with their rights and limits (docs/links.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { startWarnings, warningLine } from '../../src/models/loading/start-warnings.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { startServer } from '../support/server.ts';

const start = `const mongoose = require('mongoose');\nconst id = mongoose.ObjectId;\n`;
/** @param more code that makes the model computed, so that its documents are shaped in another way */
const tour = (name: string, more: string): string => `${start}
const schema = new mongoose.Schema({ name: String, code: String, hidden: { type: String, perms: { admin: 'cru' } } }, { perms: { all: 'r', admin: 'crud' }, toJSON: { virtuals: true } });
schema.virtual('reviews', { ref: 'Review', foreignField: 'tour', localField: '_id' });
schema.virtual('best', { ref: 'Review', foreignField: 'tour', localField: '_id', justOne: true });
schema.virtual('ratings', { ref: 'Review', foreignField: 'tour', localField: '_id', count: true });
schema.virtual('stops', { ref: () => 'Stop', foreignField: 'codes', localField: 'code' });
schema.virtual('twin', { ref: 'Stop', foreignField: 'codes', localField: 'hidden', justOne: true });
schema.virtual('secrets', { ref: 'Stop', foreignField: 'hidden', localField: 'code', count: true });
schema.virtual('drafts', { ref: 'Draft', foreignField: 'tour', localField: '_id', count: true });
schema.virtual('recent', { ref: 'Review', foreignField: 'tour', localField: '_id', options: { sort: { rating: -1 }, limit: 1 } });
${more}
module.exports = mongoose.model('${name}', schema);`;

const models = {
  'tourModel.js': tour('Tour', ''),
  'computedModel.js': tour('Computed', `schema.virtual('shout').get(function () { return this.name + '!'; });`),
  'reviewModel.js': `${start}
const schema = new mongoose.Schema({ text: String, rating: Number, tour: { type: id, ref: 'Tour' } }, { perms: { all: { r: { where: { rating: { $gt: 0 } } } } } });
module.exports = mongoose.model('Review', schema);`,
  'stop.js': `${start}module.exports = new mongoose.Schema({ name: String, codes: [String], hidden: { type: String, perms: { admin: 'cru' } },
  kind: String, target: { type: id, refPath: 'kind' }, targets: [{ type: id, refPath: 'kind' }], nested: new mongoose.Schema({ target: { type: id, refPath: 'kind' } }), any: { type: id, ref: function () { return this.kind; } }, fixed: { type: id, ref: () => 'Tour' } }, { perms: { all: 'r', admin: 'crud' } });`,
  'draft.js': `${start}module.exports = new mongoose.Schema({ tour: id }, { perms: { admin: 'r' } });`,
};

let server: PeopledServer<'root'>;
let root: { headers: Record<string, string> };
beforeAll(async () => {
  server = await openPeople(['root'], { models });
  root = server.callers.root;
  const ids: Record<string, unknown> = {};
  for (const model of ['tour', 'computed']) {
    for (const [name, code] of [
      ['full', 'a'],
      ['many', 'b'],
      ['none', undefined],
    ]) {
      const { document } = await server.post(`/api/${model}`, { name, code, hidden: 'x' }, root);
      ids[`${model} ${String(name)}`] = document['_id'];
    }
    const review = (name: string, rating: number) => ({
      text: `${name} ${rating}`,
      rating,
      tour: ids[`${model} ${name}`],
    });
    const reviews = [review('full', 0), review('full', 1), review('full', 2)];
    const many = Array.from({ length: 101 }, (_, at) => review('many', at + 1));
    const operations = [...reviews, ...many].map((document) => ({ insertOne: { document } }));
    await server.dossier.services.connection.model('review').bulkWrite(operations as never);
  }
  for (const [name, codes, hidden] of [
    ['s', ['a', 'z'], 'a'],
    ['t', ['a'], ''],
    ['u', ['b', 'x'], 'b'],
    ['v', [], ''],
  ] as const)
    await server.post('/api/stop', { name, codes, hidden }, root);
});

describe.each(['tour', 'computed'])('in %s', (model) => {
  const shown = async (populate: string, name: string, by?: typeof root): Promise<unknown> => {
    const { rows } = await server.get(`/api/${model}?filter[name]=${name}&${populate}`, by);
    const [{ reviews, best, ratings, stops, twin, reviews_more } = {}] = rows as Record<string, any>[];
    return {
      reviews: reviews?.length,
      best: best && best.text,
      ratings,
      stops: stops?.map(({ name: stop }: { name: string }) => stop),
      twin: twin && twin.name,
      reviews_more,
    };
  };

  test.each([
    ['populate=reviews', 'full', { reviews: 2 }],
    ['populate=reviews', 'many', { reviews: 100, reviews_more: true }],
    ['populate=reviews', 'none', { reviews: 0 }],
    ['populate=best', 'full', { best: 'full 1' }],
    ['populate[best]=text', 'many', { best: 'many 1' }],
    ['populate=best', 'none', { best: null }],
    ['populate=ratings', 'full', { ratings: 2 }],
    ['populate=ratings,best', 'many', { ratings: 101, best: 'many 1' }],
    ['populate=ratings', 'none', { ratings: 0 }],
    ['populate=stops', 'full', { stops: ['s', 't'] }],
    ['populate=stops', 'many', { stops: ['u'] }],
    ['populate=stops', 'none', { stops: [] }],
    ['autopopulate=1', 'full', {}],
  ])('%s of %s', async (populate, name, expected) => {
    expect(await shown(populate, name)).toEqual(expected);
  });

  test('an admin sees the rows of all', async () => {
    expect(await shown('populate=ratings,twin', 'full', root)).toEqual({ ratings: 3, twin: 'u' });
  });

  test.each([
    ['drafts', 403],
    ['twin', 400],
    ['secrets', 400],
    ['recent', 400],
  ])('%s is refused', async (name, status) => {
    expect((await server.get(`/api/${model}?populate=${name}`)).status).toBe(status);
  });

  test('a single document shows them too', async () => {
    const { rows } = await server.get(`/api/${model}?filter[name]=full`);
    const { document } = await server.get(`/api/${model}/${String(rows[0]?.['_id'])}?populate=ratings`);
    expect(document).toMatchObject({ ratings: 2 });
    expect(document).not.toHaveProperty('reviews');
  });
});

test('the start names what only Mongoose populates', () => {
  const { settings, registry } = server.dossier.services;
  const warnings = startWarnings(settings.models_dir, registry.all).map(warningLine);
  expect(warnings.filter((text) => text.includes('populate'))).toEqual([
    'computed: populate does not show recent: the service follows links to one model, by all documents (docs/links.md)',
    'stop: populate does not show target, targets, nested.target, any: the service follows links to one model, by all documents (docs/links.md)',
    'tour: populate does not show recent: the service follows links to one model, by all documents (docs/links.md)',
  ]);
});

test('they are described', async () => {
  const { body } = await server.get('/model/tour');
  expect(body).toMatchObject({
    data: {
      reverses: {
        reviews: { model: 'review', path: 'tour' },
        best: { model: 'review', path: 'tour', shape: 'one' },
        ratings: { model: 'review', path: 'tour', shape: 'count' },
        stops: { model: 'stop', path: 'codes', local: 'code' },
      },
    },
  });
});

test('the path of the other model has an index', () => {
  const { schema } = server.dossier.services.registry.get('review');
  expect(schema.indexes).toContainEqual([{ tour: 1, _id: 1 }, expect.anything()]);
});

test.each([
  [
    'an unknown model',
    `{ ref: 'Nothing', localField: '_id', foreignField: 'a' }`,
    /a\.js: the virtual others: no model is named Nothing/,
  ],
  [
    'a path of passwords',
    `{ ref: 'a', localField: 'password', foreignField: 'name' }`,
    /a\.js: the virtual others would show which documents have the same password/,
  ],
  [
    'an unknown path',
    `{ ref: 'a', localField: '_id', foreignField: 'nme' }`,
    /a\.js: the virtual others: a has no field nme/,
  ],
])('%s stops the start', async (_what, options, reason) => {
  const file = `${start}const schema = require('dossier').defineModel({ name: String, password: String });\nschema.virtual('others', ${options});\nmodule.exports = schema;`;
  await expect(startServer({ models: { 'a.js': file } })).rejects.toThrow(reason);
});
