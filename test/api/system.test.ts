/** `api.as('system')` has all rights, whatever letters a model gives to admins (docs/api.md). */
import { beforeAll, expect, test } from '@jest/globals';
import { type Caller, makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let root: Caller;
beforeAll(async () => {
  const model = `
    const { Schema } = require('mongoose');
    const schema = new Schema(
      { code: String, locked: { type: String, perms: { admin: '' } }, secret: { type: String, perms: { user: 'r' } } },
      { perms: { admin: { r: { where: { code: 'open' } } } }, callable_statics: { close: 'd' }, history: true },
    );
    schema.statics.close = () => 'closed';
    module.exports = schema;`;
  server = await startServer({ models: { 'sealed.js': model } });
  root = await makeRoot(server);
});

test('the system writes, reads, calls and deletes, and an admin does not', async () => {
  const sealed = server.dossier.api.as('system').model('sealed');
  const made = await sealed.create({ code: 'c1', locked: 'l', secret: 's' });
  expect(made).toMatchObject({ code: 'c1', locked: 'l', secret: 's' });
  const id = String(made['_id']);
  expect(await sealed.set(id, { locked: 'm' })).toMatchObject({ locked: 'm' });
  expect(await sealed.count({ filter: { locked: 'm' } })).toBe(1);
  expect(await sealed.call('close')).toBe('closed');
  expect((await server.get(`/api/sealed/${id}`, root)).status).toBe(404);
  expect((await server.post('/api/sealed', { code: 'c2' }, root)).status).toBe(403);
  expect((await server.put(`/api/sealed/${id}`, { code: 'c3' }, root)).status).toBe(403);
  await sealed.remove(id);
  expect(await sealed.count()).toBe(0);
});
