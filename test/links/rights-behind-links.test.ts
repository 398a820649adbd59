/** What a caller may not change or see behind a link: documents that a cascade unlinks, and those that a row rule hides. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

const models = {
  topic: `export default ({ Schema }) => new Schema({ name: String, isOpen: Boolean }, {
    perms: { admin: 'crud', user: { c: true, r: { where: { isOpen: true } }, u: true, d: true } } });`,
  page: `export default ({ Schema, ObjectId }) => new Schema({
    title: String, topic_id: { type: ObjectId, link: 'topic' }, topic_ids: [{ type: ObjectId, link: 'topic' }] }, {
    perms: { admin: 'crud', user: 'crud' }, check_links: true, history: true, advanced_queries: { bulkwrite: true } });`,
  ledger: `export default ({ Schema, ObjectId }) => new Schema({ topic_ids: [{ type: ObjectId, link: 'topic' }] }, {
    perms: { admin: 'crud', user: 'r' } });`,
};

let server: PeopledServer<'root' | 'ann'>;
beforeAll(async () => {
  server = await openPeople(['root', 'ann'], { models });
});

const make = async (model: string, body: object): Promise<string> =>
  String((await server.as('root', 'POST', `/api/${model}`, { body })).document['_id']);
const read = async (model: string, id: string) => (await server.as('root', 'GET', `/api/${model}/${id}`)).document;

test.each(['', '&_permaDelete=1'])(
  'a cascade%s is refused where a document would lose a link that the caller may not delete, and changes nothing',
  async (flags) => {
    const topic = await make('topic', { name: 'a', isOpen: true });
    const ledger = await make('ledger', { topic_ids: [topic] });
    const page = await make('page', { topic_id: topic });
    const answer = await server.as('ann', 'DELETE', `/api/topic/${topic}?_cascade=1${flags}`);
    expect([answer.status, answer.text]).toEqual([403, expect.stringMatching(/ledger|links to this/)]);
    expect(await read('ledger', ledger)).toMatchObject({ topic_ids: [topic], __v: 0 });
    expect(await read('page', page)).toMatchObject({ _id: page, __v: 0 });
    expect((await server.as('root', 'DELETE', `/api/topic/${topic}?_cascade=1${flags}`)).status).toBe(200);
    expect(await read('ledger', ledger)).toMatchObject({ topic_ids: [] });
  },
);

describe('a link to a document that a row rule hides is one to a document that is not there:', () => {
  const writes: readonly [string, (topic: string, page: string) => ReturnType<typeof server.as>][] = [
    ['POST', (topic_id) => server.as('ann', 'POST', '/api/page', { body: { topic_id } })],
    ['POST of a list', (topic) => server.as('ann', 'POST', '/api/page', { body: { topic_ids: [topic] } })],
    ['PUT', (topic_id, page) => server.as('ann', 'PUT', `/api/page/${page}`, { body: { topic_id } })],
    ['/update', (topic_id, page) => server.as('ann', 'PUT', `/update/page/${page}`, { body: { topic_id } })],
    [
      'PATCH by operators',
      (topic, page) => server.as('ann', 'PATCH', `/api/page/${page}`, { body: { $push: { topic_ids: topic } } }),
    ],
    [
      'a bulk write',
      (topic_id) => server.as('ann', 'POST', '/bulkwrite/page', { body: [{ insertOne: { document: { topic_id } } }] }),
    ],
  ];
  test.each(writes)('%s', async (_, write) => {
    const [hidden, open] = [await make('topic', { isOpen: false }), await make('topic', { isOpen: true })];
    const page = await make('page', { title: 'p' });
    const [ofHidden, ofNone] = [await write(hidden, page), await write('0123456789abcdef01234567', page)];
    const without = ({ text }: { readonly text: string }, id: string): string => text.replaceAll(id, 'ID');
    expect([ofHidden.status, without(ofHidden, hidden)]).toEqual([400, without(ofNone, '0123456789abcdef01234567')]);
    expect([200, 201]).toContain((await write(open, page)).status);
  });
});

test('a restoration leaves no record of the deletion behind', async () => {
  const topic = await make('topic', { name: 'a' });
  const [linked, listing] = [await make('page', { topic_id: topic }), await make('page', { topic_ids: [topic] })];
  const records = server.dossier.services.connection.collection('_dossier_deletions');
  const before = await records.countDocuments();
  await server.as('root', 'DELETE', `/api/topic/${topic}?_cascade=1`);
  expect(await records.countDocuments()).toBeGreaterThan(before);
  const { status } = await server.as('root', 'PUT', `/api/topic/${topic}`, { body: { _deleted: false } });
  expect([status, await records.countDocuments()]).toEqual([200, before]);
  expect(await read('page', linked)).toMatchObject({ topic_id: topic });
  expect(await read('page', listing)).toMatchObject({ topic_ids: [topic] });
});
