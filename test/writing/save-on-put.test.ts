/** `save_on_put`: whether PUT /api loads and saves, as /update does, whatever the schema has. */
import { beforeAll, expect, test } from '@jest/globals';
import { type Caller, makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const model = (options: string): string => `import { Schema } from 'mongoose';
const thing = new Schema(
  { a: String, b: { type: String, required: true }, saves: { type: Number, default: 0 } },
  { perms: { user: 'crud', all: 'r' }, ${options} },
);
thing.pre('save', function () { this.set('saves', Number(this.get('saves')) + 1); });
export default thing;`;

let server: TestServer;
let root: Caller;
beforeAll(async () => {
  server = await startServer({ models: { saved: model('save_on_put: true'), thing: model('save_on_put: false') } });
  root = await makeRoot(server);
});

const made = async (name: string): Promise<string> =>
  String((await server.post(`/api/${name}`, { b: 'x' }, root)).document['_id']);

test('middleware does not run where the option is false', async () => {
  const [saved, thing] = [await made('saved'), await made('thing')];
  expect((await server.put(`/api/saved/${saved}`, { a: 'y' }, root)).document).toMatchObject({
    a: 'y',
    saves: 2,
    __v: 1,
  });
  expect((await server.put(`/api/thing/${thing}`, { a: 'y' }, root)).document).toMatchObject({
    a: 'y',
    saves: 1,
    __v: 1,
  });
});

test.each(['/api', '/update'])(
  'PUT %s gives the same answers: If-Match, permission, deletion, restoration',
  async (path) => {
    const id = await made('saved');
    const put = (body: object, headers = root.headers): Promise<unknown> =>
      server.put(`${path}/saved/${id}`, body, { headers }).then(({ status }) => status);
    const tag = (await server.get(`/api/saved/${id}`)).headers.get('etag') ?? '';
    expect(await put({ a: 'y' }, {})).toBe(401);
    expect(await put({ b: null })).toBe(400);
    expect(await put({ a: 'y' }, { ...root.headers, 'if-match': tag })).toBe(200);
    expect(await put({ a: 'z' }, { ...root.headers, 'if-match': tag })).toBe(412);
    expect(await put({ _deleted: true })).toBe(200);
    expect(await put({ a: 'z' })).toBe(404);
    expect((await server.get(`/api/saved/${id}`)).status).toBe(404);
    expect(await put({ _deleted: false })).toBe(200);
    expect((await server.get(`/api/saved/${id}`)).document).toMatchObject({ a: 'y', saves: 4 });
  },
);
