/** Parts of a document of which Mongoose accepts less, or marks more, where changes load and save than a command does. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Row } from '../../src/models/mongoose.ts';
import { startServer, type TestServer } from '../support/server.ts';

const model = (save: string): string => `module.exports = ({ Schema }) => {
  const counts = { type: Map, of: Number };
  const thing = new Schema({
    title: String,
    maps: [counts],
    documents: [{ type: Map, of: new Schema({ n: Number }, { _id: false }) }],
    nested: [[counts]],
    size: { width: Number },
  }, { perms: { all: 'crud' }, strict: 'throw', discriminatorKey: 'kind', advanced_queries: { bulkwrite: true } });
  ${save}
  thing.discriminator('box${save === '' ? '' : 'Saved'}', new Schema({ lid: { colour: String } }));
  return thing;
};`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ models: { plain: model(''), saved: model("thing.pre('save', () => undefined);") } });
});

const lists = { maps: [{ a: 1 }, { b: 2 }], documents: [{ a: { n: 1 } }], nested: [[{ a: 1 }]] };
const kinds: Readonly<Record<string, string>> = { plain: 'box', saved: 'boxSaved' };
const made = async (name: string): Promise<string> => {
  const parts = { kind: kinds[name], size: { width: 1 }, lid: { colour: 'red' } };
  return String((await server.post(`/api/${name}`, { title: 'a', ...lists, ...parts })).document['_id']);
};

describe.each(['plain', 'saved'])('%s', (name) => {
  test.each<[method: string, values: Row, after?: Row]>([
    ['api', lists],
    ['update', lists],
    ['api', { title: 'b', ...lists }],
    ['api', { maps: [{ a: 1 }, { b: 3 }] }],
    ['api', { maps: [{ a: 1 }] }],
    ['update', { nested: [[{ a: 1 }, { a: 2 }]] }],
    ['api', { 'maps.1': { c: 4 } }, { maps: [{ a: 1 }, { c: 4 }] }],
    ['api', { size: null }],
    ['update', { lid: null }],
  ])('PUT /%s %j', async (way, values, after = values) => {
    const id = await made(name);
    expect(await server.put(`/${way}/${name}/${id}`, values)).toMatchObject({ status: 200 });
    expect((await server.get(`/api/${name}/${id}`)).document).toMatchObject({ ...lists, ...after });
  });

  test('a replacement without the nested objects of the document removes them', async () => {
    const id = await made(name);
    const replacement = { kind: kinds[name], title: 'c', ...lists };
    const body = [{ replaceOne: { filter: { _id: id }, replacement } }];
    expect(await server.post(`/bulkwrite/${name}`, body)).toMatchObject({ status: 200 });
    const { document } = await server.get(`/api/${name}/${id}`);
    expect(document).toMatchObject(replacement);
    expect(Object.keys(document)).not.toEqual(expect.arrayContaining(['size']));
    expect(Object.keys(document)).not.toEqual(expect.arrayContaining(['lid']));
  });
});
