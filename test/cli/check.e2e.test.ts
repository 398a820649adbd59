/** `dossier check`: each kind of fault is found and reported, and nothing is written. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { checkProject } from '../../src/cli/check/project.ts';
import { runDossier } from '../support/command.ts';
import { runHere } from '../support/command-here.ts';
import { writeModels } from '../support/models.ts';
import { startServer } from '../support/server.ts';

const none = new Types.ObjectId();
/** The models of this test are open to everyone. */
const notices = ['author', 'book'].map((model) => expect.objectContaining({ code: 'open-writes', model }));
let data: string;
let models: Awaited<ReturnType<typeof writeModels>>;
const ids: Record<string, Types.ObjectId> = {};

/** The checked project, on its embedded store. */
const check = (environment: Readonly<Record<string, string>> = {}): ReturnType<typeof checkProject> =>
  checkProject({ MODELS_DIR: models.folder, DATA_DIR: data, MONGODB_URL: '', ...environment }, () => undefined);

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'dossier-check-'));
  models = await writeModels({
    author: ({ Schema }) => new Schema({ name: { type: String, required: true } }, { perms: { all: 'crud' } }),
    book: ({ Schema, ObjectId }) => {
      const schema = new Schema(
        {
          title: { type: String, required: true },
          year: { type: Number, min: 0, index: true },
          password: { type: String, maxlength: 5 },
          author_id: { type: ObjectId, link: 'author' },
          parts: [{ label: { type: String, enum: ['a', 'b'] }, author_id: [{ type: ObjectId, link: 'author' }] }],
        },
        { perms: { all: 'crud' } },
      );
      schema.index({ title: 1, year: -1 }, { unique: true });
      // a check must not run it, because it changes the document
      schema.pre('validate', function () {
        this.set('title', 'changed');
      });
      return schema;
    },
  });
});
afterAll(async () => {
  await models.remove();
  await rm(data, { recursive: true });
});

const open = (): ReturnType<typeof startServer> =>
  startServer({ models: models.folder, data_dir: data, inMemory: false, mongodb_url: undefined });

describe('a project without faults', () => {
  test('has none, before its first start and with documents', async () => {
    expect(await check()).toEqual({
      models: 3,
      documents: 0,
      faults: [],
      notices,
      details: expect.any(Array),
      advice: [],
    });
    const server = await open();
    const admin = { email: 'root@x.test', password: 'pw-root-1' };
    expect((await server.post('/setup', admin)).status).toBe(201);
    const author = (await server.post('/api/author', { name: 'Jane' })).body['data'] as Record<string, unknown>;
    const book = { title: 'Emma', year: 1815, author_id: author['_id'], parts: [{ label: 'a' }] };
    expect((await server.post('/api/book', book)).status).toBe(201);
    await server.close();
    expect(await check()).toMatchObject({ documents: 3, faults: [], notices, details: expect.any(Array) });
  });
});

describe('faults', () => {
  test('of stored documents and links are counted with examples, in batches', async () => {
    const server = await open();
    const books = server.dossier.services.connection.collection('books');
    const name = server.dossier.services.registry.get('book').collection;
    const rows = Array.from({ length: 1200 }, (_, n) => ({ title: `t${n}`, year: n % 2 === 0 ? -1 : 1 }));
    expect(name).toBe(books.name);
    await books.insertMany(rows);
    ids['untyped'] = (await books.insertOne({ title: 'x', year: 'long ago' })).insertedId;
    ids['untitled'] = (await books.insertOne({ year: 3 })).insertedId;
    ids['part'] = (await books.insertOne({ title: 'p', parts: [{ label: 'c', author_id: [none] }] })).insertedId;
    ids['secret'] = (await books.insertOne({ title: 's', password: 'not to be shown' })).insertedId;
    ids['linked'] = (await books.insertOne({ title: 'l', author_id: none })).insertedId;
    await books.dropIndex('title_1_year_-1');
    await server.close();

    const { documents, faults, notices: all, advice } = await check();
    expect(documents).toBe(1208);
    const index = { kind: 'index', model: 'book', message: expect.stringContaining('{"title":1,"year":-1}') };
    const found = (kind: string, path: string, count: number, at?: string): object =>
      expect.objectContaining({
        ...{ kind, model: 'book', path, count },
        examples: at === undefined ? expect.any(Array) : [String(ids[at])],
      });
    expect(all).toEqual([...notices, index]);
    expect(faults).toHaveLength(7);
    expect(faults).toEqual(
      expect.arrayContaining([
        found('document', 'year', 600),
        found('document', 'year', 1, 'untyped'),
        found('document', 'title', 1, 'untitled'),
        found('document', 'parts.label', 1, 'part'),
        found('document', 'password', 1, 'secret'),
        found('link', 'author_id', 1, 'linked'),
        found('link', 'parts.author_id', 1, 'part'),
      ]),
    );
    expect(JSON.stringify(faults)).not.toContain('not to be shown');
    // a second check finds the same: nothing was written, and no index was created
    expect(await check()).toEqual({ models: 3, documents, faults, notices: all, details: expect.any(Array), advice });
  });

  test('of the command are printed as lines or JSON, with exit code 1', async () => {
    const environment = { MODELS_DIR: models.folder, DATA_DIR: data };
    const { code, output } = await runDossier(['check'], { environment });
    expect(code).toBe(1);
    const all = output.trim().split('\n');
    const begin = all.findIndex((line) => line.startsWith('Model author ('));
    const advice = all.filter((line) => line.startsWith('Advice '));
    const [lines, sections] = [all.slice(0, begin - advice.length), all.slice(begin)];
    expect(advice).toContainEqual(expect.stringMatching(/^Advice book: callers who have not signed in may /));
    expect(lines).toHaveLength(8 + notices.length);
    expect(sections).toEqual([
      expect.stringMatching(/^Model author \(.*\): changes are one atomic update$/),
      expect.stringMatching(/^Model book \(.*\): changes load and save the document, because of pre\('validate'\)$/),
      expect.stringMatching(/^ {2}pre\('validate'\): POST, PUT, /),
    ]);
    expect(lines).toContain(
      `Link book.author_id: points to a missing author in 1 document, such as ${String(ids['linked'])}`,
    );
    const json = await runHere(data, ['check', '--json'], { environment });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.output)).toMatchObject({ ok: false, documents: 1208, faults: { length: 7 } });
  });

  test('of settings, models and the database are reported together, each with its place', async () => {
    expect(await check({ PORT: 'x', BCRYPT_COST: 'y' })).toMatchObject({
      faults: [
        { kind: 'setting', message: expect.stringMatching(/^PORT: /) },
        { kind: 'setting', message: expect.stringMatching(/^BCRYPT_COST: /) },
      ],
    });
    const unreachable = 'mongodb://user:hidden@127.0.0.1:1/?serverSelectionTimeoutMS=100';
    const wrong = await writeModels({ lone: 'export default ;' });
    const { faults } = await check({ MODELS_DIR: wrong.folder, MONGODB_URL: unreachable });
    await wrong.remove();
    expect(faults).toMatchObject([
      { kind: 'model', message: expect.stringMatching(/lone\.ts: /) },
      { kind: 'database', message: expect.stringMatching(/^MONGODB_URL: /) },
    ]);
    expect(JSON.stringify(faults)).not.toContain('hidden');
  });
});
