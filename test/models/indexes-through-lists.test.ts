/** Unique sparse indexes through lists, as MongoDB has them: each member counts, and those without the field are not in the index. */
import { expect, test } from '@jest/globals';
import { startServer } from '../support/server.ts';

const account = `const { Schema } = require('mongoose');
module.exports = new Schema({ name: String, creds: [{ cid: String, _id: false }] }, { perms: { all: 'crud' } })
  .index({ 'creds.cid': 1 }, { unique: true, sparse: true });`;

test('lists that are empty or have members without a value do not conflict, members with equal values do', async () => {
  const server = await startServer({ models: { 'account.cjs': account } });
  const statusOf = async (creds: unknown): Promise<number> =>
    (await server.post('/api/account', { name: 'a', creds })).status;
  const lists = [undefined, [], [], [{}], [{}], [{ cid: 'k' }, {}], [{ cid: 'l' }, {}], [{ cid: 'm' }, { cid: 'm' }]];
  for (const creds of lists) expect([creds, await statusOf(creds)]).toEqual([creds, 201]);
  for (const cid of ['k', 'm']) expect(await statusOf([{}, { cid }])).toBe(409);
  const found = (await server.get('/api/account?filter[creds.cid]=l')).body as { data: unknown[] };
  expect(found.data).toHaveLength(1);
});
