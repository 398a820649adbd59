/** A `ref` to a model that files compile and do not export is a plain id for requests, and a link for Mongoose (docs/models.md). */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startWarnings, warningLine } from '../../src/models/loading/start-warnings.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { startServer } from '../support/server.ts';

const models = {
  'film.js': `const mongoose = require('mongoose');
const { Schema } = mongoose;
const Audit = mongoose.model('Audit', new Schema({ note: String, film: { type: Schema.ObjectId, ref: 'Film' } }));
Audit.discriminator('Review', new Schema({ by: String }));
const schema = new Schema({
  title: String,
  audit_id: { type: Schema.ObjectId, ref: 'Audit' },
  reviews: [{ type: Schema.ObjectId, ref: 'Review' }],
  log: { type: Schema.ObjectId, ref: 'Log' },
  nested: { part: { type: Schema.ObjectId, ref: () => 'Audit' } },
}, { perms: { all: 'crud' }, check_links: true, callable_statics: { audited: 'r' } });
schema.virtual('audits', { ref: 'Audit', localField: '_id', foreignField: 'film' });
schema.statics.audited = async function () {
  const audit = await this.db.model('Audit').create({ note: 'seen' });
  const film = await this.create({ title: 'Alien', audit_id: audit._id });
  const found = await this.findById(film._id).populate('audit_id');
  return found.audit_id.note;
};
module.exports = mongoose.model('Film', schema);
`,
  // a file that exports the schema of the model that it compiles: the model is served
  'actor.js': `const mongoose = require('mongoose');
const schema = new mongoose.Schema({ name: String, rival: { type: mongoose.ObjectId, ref: 'Actor' } }, { perms: { all: 'crud' } });
mongoose.model('Actor', schema);
module.exports = schema;
`,
  // its name comes close to the one that a file compiles, which is the exact one
  'log.js': `const mongoose = require('mongoose');
mongoose.model('Logs', new mongoose.Schema({ text: String }));
module.exports = new mongoose.Schema({ text: String, other: { type: mongoose.ObjectId, ref: 'Logs' } }, { perms: { all: 'crud' } });
`,
};

let server: PeopledServer<'root'>;
beforeAll(async () => {
  server = await openPeople(['root'], { models });
});
afterAll(() => server.dossier.close());

const unknown = 'a'.repeat(24);

describe('a path', () => {
  test('is stored, filtered and shown as an id, also where links are checked', async () => {
    const sent = { title: 'Up', audit_id: unknown, reviews: [unknown], nested: { part: unknown } };
    const { status, document } = await server.post('/api/film', sent);
    expect(status).toBe(201);
    expect(document).toMatchObject(sent);
    const { rows } = await server.get(`/api/film?filter[audit_id]=${unknown}&autopopulate=1`);
    expect(rows).toMatchObject([sent]);
    expect(rows[0]).not.toHaveProperty('audit');
  });

  test.each(['audit', 'audit_id', 'reviews', 'nested.part', 'audits'])('populate=%s is a 400', async (name) => {
    expect((await server.get(`/api/film?populate=${name}`)).status).toBe(400);
  });

  test('leads no filter to the other model', async () => {
    expect((await server.get('/api/film?filter[audit.note]=seen')).status).toBe(400);
  });

  test("is followed by Mongoose's own populate", async () => {
    expect((await server.post('/call/film/audited', {})).body.data).toBe('seen');
  });

  test('is described without a link', async () => {
    const { data } = (await server.get('/model/film', server.callers.root)).body;
    expect(data.fields.audit_id).toMatchObject({ type: 'ObjectId' });
    expect(data.fields.audit_id).not.toHaveProperty('link');
    expect(data.fields.log).toMatchObject({ link: 'log' });
    expect((await server.get('/model/actor')).body.data.fields.rival).toMatchObject({ link: 'actor' });
  });
});

test('the model is not served', async () => {
  for (const name of ['audit', 'Audit', 'audits', 'Review'])
    expect((await server.get(`/api/${name}`, server.callers.root)).status).toBe(404);
});

test('the start names path, model, file and cure', () => {
  const { settings, registry } = server.dossier.services;
  const file = (name: string): string => registry.get(name).file ?? '';
  expect(
    startWarnings(settings.models_dir, registry.all)
      .map(warningLine)
      .filter((text) => text.includes('populate')),
  ).toEqual([
    `film: populate does not show audit_id (Audit of ${file('film')}), reviews (Audit of ${file('film')}), nested.part (Audit of ${file('film')}), audits (Audit of ${file('film')}): no file exports the model, so it is not served; export it to serve it`,
    `log: populate does not show other (Logs of ${file('log')}): no file exports the model, so it is not served; export it to serve it`,
  ]);
});

test('a link of the option `link` needs a served model', async () => {
  const film = models['film.js'].replace("ref: 'Audit' },\n  reviews", "link: 'Audit' },\n  reviews");
  await expect(startServer({ models: { 'film.js': film, 'log.js': models['log.js'] } })).rejects.toThrow(
    'audit_id links to Audit, but no model has this name',
  );
});
