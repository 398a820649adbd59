/** The validation of long lists of documents, where a model has middleware: it lets others run, and reports what that of short ones reports. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { modelOf } from '../../src/models/mongoose.ts';
import { makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models = {
  'saved.js': `const { Schema } = require('mongoose');
    const part = { name: { type: String, required: true }, size: { type: Number, validate: async (size) => size < 10 } };
    const schema = new Schema({ title: String, parts: [part] }, { perms: { admin: 'crud' } });
    schema.pre('save', function () { this.title = 'saved'; });
    module.exports = schema;`,
};

let server: TestServer;
let headers: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  server = await startServer({ models });
  ({ headers } = await makeRoot(server));
});

const partsOf = (count: number): { name: string; size: number }[] =>
  Array.from({ length: count }, (_, at) => ({ name: `part ${at}`, size: 1 }));

describe.each([5, 200])('a list of %i documents', (count) => {
  test('is refused with the faults of all of them', async () => {
    const parts: object[] = partsOf(count);
    parts[1] = { size: 1 };
    parts[count - 1] = { name: 'last', size: 10 };
    const answer = await server.post('/api/saved', { parts }, { headers });
    expect(answer.status).toBe(400);
    const paths = (answer.body['errors'] as readonly { path: string }[]).map(({ path }) => path);
    expect(paths.sort()).toEqual(['parts.1.name', `parts.${count - 1}.size`].sort());
  });

  test('is stored, and changed', async () => {
    const made = await server.post('/api/saved', { parts: partsOf(count) }, { headers });
    expect(made.document).toMatchObject({ title: 'saved' });
    const changed = { parts: [...partsOf(count), { name: 'more', size: 2 }] };
    const { document } = await server.put(`/api/saved/${String(made.document['_id'])}`, changed, { headers });
    expect(document['parts']).toHaveLength(count + 1);
  });
});

test('others run while a long one is validated', async () => {
  const document = new (modelOf(server.dossier.services.registry.get('saved')))({ parts: partsOf(4900) });
  let [turns, isDone] = [0, false];
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  const validated = document.validate().finally(() => (isDone = true));
  setImmediate(count);
  await validated;
  expect(turns).toBeGreaterThan(1);
});
