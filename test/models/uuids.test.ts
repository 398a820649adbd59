/** UUIDs of every version and variant are values of a path, in documents, lists, maps and discriminators (docs/models.md, "Ids of your own"). */
import { expect, test } from '@jest/globals';
import { startServer } from '../support/server.ts';

const model = `module.exports = ({ Schema }) => {
  const { UUID } = Schema.Types;
  const item = new Schema(
    {
      one: { type: UUID, required: true },
      many: [UUID],
      map: { type: Map, of: UUID },
      part: { one: UUID },
      own: { type: UUID, cast: (value) => new (require('mongoose').Types.UUID)(value === 'zero' ? '0'.repeat(32) : value) },
    },
    { discriminatorKey: 'kind', perms: { all: 'crud' } },
  );
  item.discriminator('sealed', new Schema({ seal: { type: UUID, required: true } }));
  return item;
};`;

test.each([
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '6F9619FF-8B86-D011-042D-00CF4FC964FF',
])('%s', async (uuid) => {
  const server = await startServer({ models: { 'item.cjs': model } });
  const lower = uuid.toLowerCase();
  const given = { kind: 'sealed', one: uuid, many: [uuid], map: { a: uuid }, part: { one: uuid }, seal: uuid };
  const shown = { one: lower, many: [lower], map: { a: lower }, part: { one: lower }, seal: lower };
  const made = await server.post('/api/item', given);
  expect(made).toMatchObject({ status: 201, body: { data: shown } });
  const id = String(made.document['_id']);
  for (const root of ['/api', '/update'])
    expect(await server.put(`${root}/item/${id}`, given)).toMatchObject({ status: 200, body: { data: shown } });
  for (const path of ['one', 'many', 'part.one', 'map.a', 'seal'])
    expect((await server.get(`/api/item?filter[${path}]=${uuid}`)).rows).toMatchObject([shown]);
  expect(await server.put(`/api/item/${id}`, { own: 'zero' })).toMatchObject({ status: 200 });
  for (const wrong of [`${uuid}0`, uuid.slice(1), `{${uuid}}`, 5])
    expect(await server.put(`/api/item/${id}`, { one: wrong })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'one', kind: 'UUID' }] },
    });
  expect(await server.post('/api/item', { kind: 'sealed', one: uuid })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'seal', kind: 'required' }] },
  });
});
