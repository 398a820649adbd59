/** The parts of a schema in the OpenAPI document, the description of a model and the header of a CSV. */
import { expect, test } from '@jest/globals';
import { makeRoot } from '../support/fixtures/people.ts';
import { startServer } from '../support/server.ts';

type Schemas = Readonly<Record<string, { readonly required?: readonly string[] }>>;

test('a body must have the fields that are always required and have no default', async () => {
  const server = await startServer({
    models: {
      item: `module.exports = ({ Schema }) => new Schema({
  always: { type: String, required: true },
  said: { type: String, required: [true, 'say it'] },
  none: { type: String, required: true, default: null },
  filled: { type: Number, required: true, default: 1 },
  made: { type: Date, required: true, default: Date.now },
  sometimes: { type: String, required: function () { return this.filled > 1; } },
  list: { type: [String], required: true },
  free: String,
}, { perms: { all: 'crud' } });`,
    },
  });
  const root = await makeRoot(server);
  const { components } = (await server.get('/openapi.json', root)).body as unknown as {
    components: { schemas: Schemas };
  };
  const needed = ['always', 'said', 'none'];
  expect(components.schemas['item.create']?.required).toEqual(needed);
  expect(components.schemas['item.change']?.required).toBeUndefined();
  const body = Object.fromEntries(needed.map((name) => [name, 'x']));
  expect((await server.post('/api/item', body)).status).toBe(201);
  for (const name of needed) expect((await server.post('/api/item', { ...body, [name]: undefined })).status).toBe(400);
  const { data } = (await server.get('/model/item', root)).body as unknown as {
    data: { fields: Record<string, { required: boolean }> };
  };
  const required = Object.entries(data.fields).filter(([, field]) => field.required);
  expect(required.map(([name]) => name)).toEqual(['always', 'said', 'none', 'filled', 'made', 'sometimes', 'list']);
});

test("answers show a model's own virtuals, and no aliases and virtual populates", async () => {
  const server = await startServer({
    models: {
      item: `module.exports = ({ Schema }) => {
  const item = new Schema({ name: { type: String, alias: 'title' } }, { perms: { all: 'crud' } });
  item.virtual('shout').get(function () { return this.name?.toUpperCase(); });
  item.virtual('others', { ref: 'item', localField: '_id', foreignField: 'name' });
  return item;
};`,
    },
  });
  await server.post('/api/item', { name: 'a' });
  const [one] = (await server.get('/api/item')).rows;
  const [header, row] = (await server.get('/csv/item')).text.split('\r\n');
  const columns = header?.split(',') ?? [];
  expect(columns).toEqual(expect.arrayContaining(['_id', 'name', 'shout']));
  for (const name of ['title', 'others']) expect(columns).not.toContain(name);
  expect(row?.split(',')[columns.indexOf('shout')]).toBe('A');
  expect((await server.get('/csv/item?fields=title')).text).toBe('_id,name\r\n' + `${String(one?.['_id'])},a\r\n`);
  expect(Object.keys(one ?? {})).toEqual(expect.arrayContaining(['name', 'shout']));
  expect(one).not.toHaveProperty('title');
});
