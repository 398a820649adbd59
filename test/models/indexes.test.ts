/** The indexes that a start creates are those that Mongoose creates for the same schema, by fewer commands. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { createIndexes } from '../../src/models/loading/indexes.ts';
import { modelOf } from '../../src/models/mongoose.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';

const thing = `import mongoose, { Schema } from 'mongoose';
const schema = new Schema(
  {
    code: { type: String, unique: true, sparse: true },
    title: { type: String, index: true, trim: true },
    text: String,
    at: { type: Date, expires: '1h' },
    n: Number,
  },
  { perms: { all: 'crud' }, discriminatorKey: 'kind' },
);
schema.index({ title: 1 });
schema.index({ n: -1, title: 1 }, { name: 'by number', partialFilterExpression: { n: { $gt: 1 } } });
schema.index({ title: 'text', text: 'text' }, { weights: { title: 3 } });
const Thing = mongoose.model('IndexedThing', schema);
Thing.discriminator('IndexedBox', new Schema({ size: { type: Number, index: true } }));
export default Thing;`;

afterEach(() => {
  jest.restoreAllMocks();
});

needs('text search')('are as Mongoose creates them, also if one is declared twice', async () => {
  jest.spyOn(process, 'emitWarning').mockReturnValue();
  const { dossier } = await startServer({ models: { thing } });
  const model = modelOf(dossier.services.registry.internal('thing'));
  const indexes = async (): Promise<readonly unknown[]> =>
    (await model.collection.indexes()).sort((a, b) => String(a.name).localeCompare(String(b.name)));
  const ours = await indexes();
  expect(ours.map((index) => (index as { name: string }).name)).toEqual(
    expect.arrayContaining(['_id_', 'at_1', 'by number', 'code_1', 'size_1', 'title_1', 'title_text_text_text']),
  );
  await model.collection.drop();
  await model.createCollection();
  for (const one of [model, ...Object.values(model.discriminators ?? {})]) await one.createIndexes();
  expect(ours).toEqual(await indexes());
});

test('a model over a view is refused with the cure', async () => {
  const server = await startServer({
    models: { 'total.cjs': `module.exports = ({ Schema }) => new Schema({ sum: Number }, { collection: 'totals' });` },
  });
  const { registry, connection } = server.dossier.services;
  await connection.dropCollection('totals');
  await connection.createCollection('totals', { viewOn: 'orders', pipeline: [] });
  await expect(createIndexes(registry.all)).rejects.toThrow(
    /total\.cjs: totals is a view of the database, and models are served from collections: \$merge can store its documents in one/,
  );
});

test('a geospatial index is left out with a warning where the database has none, the others are created', async () => {
  const place = `import { Schema } from 'mongoose';
const schema = new Schema({ code: { type: String, unique: true }, at: { type: { type: String }, coordinates: { type: [Number], index: '2dsphere' } } }, { perms: { all: 'crud' } });
export default schema;`;
  const server = await startServer({ models: { place } });
  const { registry } = server.dossier.services;
  const warnings = await createIndexes(registry.all);
  const names = (await modelOf(registry.internal('place')).collection.indexes()).map(({ name }) => name);
  expect(names).toContain('code_1');
  expect(warnings).toHaveLength(names.includes('at.coordinates_2dsphere') ? 0 : 1);
  for (const warning of warnings)
    expect(warning).toMatch(
      /^place: the database has no geospatial indexes, so that of at\.coordinates is not created/,
    );
  const made = await server.post('/api/place', { code: 'a', at: { type: 'Point', coordinates: [1, 2] } });
  expect(made.status).toBe(201);
});
