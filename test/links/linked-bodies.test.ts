/** A document that was read with `populate` can be sent back: a linked document in the place of its id stands for its `_id`. */
import { beforeAll, expect, test } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let ann: string;
let bob: string;
beforeAll(async () => {
  server = await startServer({
    models: {
      person: ({ Schema }) => new Schema({ name: String }, { perms: { all: 'crud' } }),
      talk: ({ Schema, ObjectId }) =>
        new Schema(
          {
            title: String,
            // shown in the place of the ids
            speaker: { type: ObjectId, ref: 'person' },
            guests: [{ type: ObjectId, ref: 'person' }],
            // shown beside the id
            host_id: { type: ObjectId, link: 'person', reverse: 'hosted' },
            rooms: [{ label: String, keeper: { type: ObjectId, ref: 'person' } }],
          },
          { perms: { all: 'crud' } },
        ),
    },
  });
  const make = async (name: string): Promise<string> =>
    String((await server.post('/api/person', { name })).document['_id']);
  [ann, bob] = [await make('Ann'), await make('Bob')];
});

test.each(['/api', '/update'])('PUT %s accepts what a populated answer shows', async (endpoint) => {
  const values = { speaker: ann, guests: [ann, bob], host_id: bob, rooms: [{ label: 'a', keeper: bob }] };
  const made = (await server.post('/api/talk', { title: 'old', ...values })).document;
  const path = `/talk/${String(made['_id'])}`;
  const read = (await server.get(`/api${path}?populate=speaker,guests,host`)).document;
  expect(read).toMatchObject({ speaker: { name: 'Ann' }, guests: [{ name: 'Ann' }, { name: 'Bob' }] });
  const swapped = { ...read, speaker: (read['guests'] as object[])[1], title: 'new' };
  expect((await server.put(endpoint + path, swapped)).status).toBe(200);
  expect((await server.get(`/api${path}`)).document).toMatchObject({ ...values, speaker: bob, title: 'new' });
});

test.each(['/api', '/update'])('PUT %s ignores what a reverse link shows', async (endpoint) => {
  await server.post('/api/talk', { title: 'hosted', host_id: ann });
  const read = (await server.get(`/api/person/${ann}?populate=hosted`)).document;
  expect(read['hosted']).toContainEqual(expect.objectContaining({ title: 'hosted' }));
  const sent = { ...read, name: 'Anna', hosted_more: true };
  expect((await server.put(`${endpoint}/person/${ann}`, sent)).document).toMatchObject({ name: 'Anna' });
  await server.put(`${endpoint}/person/${ann}`, { name: 'Ann' });
  const stored = await server.dossier.services.connection.collection('people').findOne({ name: 'Ann' });
  expect(stored).not.toHaveProperty('hosted');
});

test.each([
  ['an object without an _id', { name: 'Ann' }],
  ['an operator', { $ne: null }],
  ['an invalid _id', { _id: 'x' }],
  ['an _id that is an object', { _id: { _id: '6'.repeat(24) } }],
  ['an operator as the _id', { _id: { $gt: '' } }],
])('%s is a 400', async (_name, speaker) => {
  const made = (await server.post('/api/talk', { title: 'kept', speaker: ann })).document;
  const path = `/talk/${String(made['_id'])}`;
  for (const endpoint of ['/api', '/update']) expect((await server.put(endpoint + path, { speaker })).status).toBe(400);
  expect((await server.get(`/api${path}`)).document).toMatchObject({ speaker: ann });
});
