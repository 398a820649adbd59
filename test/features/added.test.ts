/** A feature is its folder and a row of the list: nothing else has to know it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Context } from '../../src/context.ts';
import type { Feature } from '../../src/features/feature.ts';
import { features } from '../../src/features/index.ts';
import { ownService, recorder } from '../../src/features/ports.ts';
import { internalSchema } from '../../src/models/built-in/internal-model.ts';
import type { ModelEntry } from '../../src/models/entry.ts';
import { inSession, internalCollection } from '../../src/models/mongoose.ts';
import type { AddedOption } from '../../src/models/options/added-option.ts';
import { json } from '../../src/operations/answer.ts';
import type { Interceptor } from '../../src/operations/interceptor.ts';
import { adminAccess } from '../../src/operations/operation.ts';
import type { Core, RecorderParts } from '../../src/ports/parts.ts';
import { provide } from '../../src/ports/port.ts';
import type { Recorder } from '../../src/write/contract.ts';
import { emailOf, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Counts the deletions of documents by model. */
const deletions = ({ registry }: RecorderParts): Recorder<string> => ({
  name: 'tally',
  needs: ({ kind }) => kind === 'remove',
  entriesOf: (model) => [model.name],
  async write(names, session) {
    const collection = internalCollection(registry, '_tally');
    for (const name of names) await collection.insertOne({ name }, inSession(session));
  },
});

let closed = 0;
const counter = ({ services, onClose }: Core): { readonly count: () => Promise<number> } => {
  onClose(() => Promise.resolve(void (closed += 1)));
  return { count: () => internalCollection(services.registry, '_tally').countDocuments({}) };
};

/** The kinds of answers that it has received. */
const received: string[] = [];
/** Answers creations in place of the operation, or receives their answers. */
const noting: Interceptor = {
  header: 'Tally',
  meaning: 'How creations are tallied',
  answerHeaders: ['Tallied'],
  failures: [424],
  accepts: ({ name }) => name === 'documents.create',
  prepare: (operation) =>
    operation.name !== 'documents.create'
      ? undefined
      : ({ value, authorise }, next) => {
          authorise();
          if (value === 'instead') return Promise.resolve(json({ status: 'ok', message: 'tallied' }, 201));
          return next((answer, { unit }) => {
            received.push(`${answer.kind} ${unit === undefined ? 'alone' : 'in a unit'}`);
            return Promise.resolve();
          });
        },
};

/** How many documents of a model are expected. */
const expectedOption: AddedOption<number | undefined> = {
  name: 'tally_expects',
  meaning: 'How many documents are expected',
  read: (value) => {
    if (value === undefined || typeof value === 'number') return value;
    throw new Error('tally_expects must be a number');
  },
  index: { title: 1 },
  isDescribed: true,
};

const tally: Feature = {
  name: 'tally',
  modelOptions: [expectedOption],
  interceptors: [noting],
  config: {
    settings: [
      { variable: 'TALLY_LIMIT', key: 'tally_limit', kind: 'count', default: '3', meaning: 'How far the tally counts' },
    ],
  },
  models: [{ name: 'tally', collection: '_dossier_tally', schema: () => internalSchema({ name: String }) }],
  provides: [provide(recorder, deletions), provide(ownService, counter)],
  operations: [
    {
      title: 'Tally',
      operations: [
        {
          name: 'tally.count',
          http: { method: 'GET', path: '/tally' },
          summary: 'Counts the documents that were deleted',
          access: adminAccess,
          answers: { 200: { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } } },
          run: async ({ services }: Context) => json({ count: await services.of(counter).count() }),
        },
      ],
    },
  ],
};

let server: TestServer;
const root = { headers: rootBasic };

beforeAll(async () => {
  const models = {
    'note.js': `module.exports = new (require('mongoose').Schema)({ title: String }, { tally_expects: 7 });`,
  };
  const options = { tally_limit: 5 } as object;
  server = await startServer({ models, ...options, features: [...features, tally] });
  await server.post('/setup', { email: emailOf('root'), password: passwordOf('root') });
});

afterAll(async () => {
  await server.close();
  expect(closed).toBe(1);
});

describe('a feature that is added to the list', () => {
  test('answers its operation, keeps its documents, and records with writes', async () => {
    const { document } = await server.post('/api/note', { title: 'one' }, root);
    expect((await server.get('/tally', root)).body).toEqual({ count: 0 });
    await server.remove(`/api/note/${String(document['_id'])}?_permaDelete=1`, root);
    expect((await server.get('/tally', root)).body).toEqual({ count: 1 });
    expect((await server.get('/tally')).status).toBe(401);
  });

  test('intercepts the requests with its header, of the operations that it is prepared for', async () => {
    const creating = (headers: Record<string, string>) =>
      server.post('/api/note', { title: 'noted' }, { headers: { ...rootBasic, ...headers } });
    const count = async () => (await server.get('/api/note?count=exact', root)).body['count'] as number;
    const before = await count();
    const instead = await creating({ tally: 'instead' });
    expect([instead.status, instead.body, await count()]).toEqual([201, { status: 'ok', message: 'tallied' }, before]);
    expect((await server.post('/api/note', {}, { headers: { tally: 'instead' } })).status).toBe(401);

    expect((await creating({})).status).toBe(201);
    expect(received).toEqual([]);
    const unit = server.dossier.services.isReplicaSet ? 'in a unit' : 'alone';
    expect((await creating({ tally: 'receive' })).status).toBe(201);
    expect(received).toEqual([`json ${unit}`]);
    // through two interceptors, of which the outer one answers the second request
    const keyed = { tally: 'receive', 'idempotency-key': 'tallied' };
    const [first, again] = [await creating(keyed), await creating(keyed)];
    expect([first.status, again.body]).toEqual([201, first.body]);
    expect(received).toEqual([`json ${unit}`, `json ${unit}`]);
    expect(await count()).toBe(before + 3);

    expect((await server.get('/api/note', { headers: { ...rootBasic, tally: 'instead' } })).status).toBe(200);
  });

  test('has its option of model files, with its value, index and description', async () => {
    const expectedOf = ({ options }: ModelEntry): number | undefined => options.added.valueOf(expectedOption);
    const { registry } = server.dossier.services;
    expect(registry.served.map((entry) => [entry.name, expectedOf(entry)])).toEqual([
      ['note', 7],
      ['user', undefined],
    ]);
    const { data } = (await server.get('/model/note', root)).body;
    expect(data).toMatchObject({ tally_expects: true, indexes: expect.arrayContaining([{ fields: { title: 1 } }]) });
    expect((await server.get('/model/user', root)).body.data).not.toHaveProperty('tally_expects');
  });

  test.each([
    ["tally_expects: 'many'", 'tally_expects must be a number'],
    ['tally_expect: 7', 'did you mean "tally_expects"?'],
  ])('refuses a model file with %s', async (option, reason) => {
    const models = { 'note.js': `module.exports = new (require('mongoose').Schema)({}, { ${option} });` };
    await expect(startServer({ models, features: [...features, tally] })).rejects.toThrow(reason);
  });

  test('is in OpenAPI', async () => {
    const { paths } = (await server.get('/openapi.json', root)).body;
    expect(paths['/tally'].get).toMatchObject({ operationId: expect.stringContaining('tally.count') });
    const { parameters, responses } = paths['/api/note'].post;
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/Tally' });
    expect(responses).toHaveProperty('424');
    expect(JSON.stringify(paths['/api/note'].get)).not.toContain('Tally');
  });

  test('is in the tables of the reference', async () => {
    const { text } = await server.get('/docs', root);
    expect(text).toContain('<h3>Tally</h3>');
    expect(text).toContain('<code>/tally</code>');
    expect(text).toContain('<code>TALLY_LIMIT</code>');
    expect(text).toContain('<code>tally_expects</code>');
  });

  test('has its setting, which admins see', async () => {
    expect(server.dossier.settings).toMatchObject({ tally_limit: 5 });
    const { data } = (await server.get('/server/settings', root)).body;
    expect(data).toContainEqual(expect.objectContaining({ variable: 'TALLY_LIMIT', value: 5, default: 3 }));
  });

  test('with a setting that has a wrong value stops the start', async () => {
    const options = { tally_limit: 'many' } as object;
    await expect(startServer({ ...options, features: [...features, tally] })).rejects.toThrow(
      'TALLY_LIMIT: must be a whole number, got "many"',
    );
  });
});
