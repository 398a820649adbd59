/** A refused deletion or restoration names only what its caller may read (docs/links.md, "Deleting"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const names = ['root', 'ann', 'ed'] as const;
let server: TestServer;
let callers: Callers<(typeof names)[number]>;
beforeAll(async () => {
  const linking = (perms: string, path = "{ type: Schema.Types.ObjectId, ref: 'shop' }"): string =>
    `const { Schema } = require('mongoose'); module.exports = new Schema({ word: String, shop_id: ${path} }, { perms: ${perms} });`;
  server = await startServer({
    models: {
      'shop.js': `module.exports = new (require('mongoose').Schema)({ title: String }, { perms: { user: 'crud' }, on_referenced_delete: 'refuse' });`,
      'closed.js': linking(`{ editors: 'crud' }`),
      'ruled.js': linking(`{ user: { r: { where: { word: 'open' } } }, editors: 'crud' }`),
      'veiled.js': linking(
        `{ user: 'r', editors: 'crud' }`,
        `{ type: Schema.Types.ObjectId, ref: 'shop', perms: { editors: 'cru' } }`,
      ),
    },
  });
  callers = await makeCallers(server, names);
});

const linked = async (name: string, word: string): Promise<string> => {
  const { document } = await server.post('/api/shop', { title: 't' }, callers.ann);
  const shop_id = String(document['_id']);
  const made = await server.post(`/api/${name}`, { word, shop_id }, callers.ed);
  expect(made.status).toBe(201);
  return shop_id;
};

describe.each([
  ['closed', 'x', false],
  ['ruled', 'x', false],
  ['ruled', 'open', true],
  ['veiled', 'x', false],
] as const)('a document that %s %s links to', (name, word, isNamed) => {
  test('cannot be deleted', async () => {
    const id = await linked(name, word);
    const answer = await server.remove(`/api/shop/${id}`, callers.ann);
    expect(answer.status).toBe(409);
    expect([answer.text.includes(name), answer.text.includes('shop_id')]).toEqual([isNamed, isNamed]);
    const own = await server.remove(`/api/shop/${id}`, callers.ed);
    expect(own.text).toContain(`${name}.shop_id`);
  });

  test('cannot be deleted with what links to it', async () => {
    const id = await linked(name, word);
    const answer = await server.remove(`/api/shop/${id}?_cascade=1`, callers.ann);
    expect(answer.status).toBe(403);
    // a readable document that links is named, whose link is not
    expect(answer.text.includes(name)).toBe(isNamed || name === 'veiled');
    expect(answer.text).not.toContain('shop_id');
  });
});
