/** `GET /changes/{model}`: walked to the end, it gives exactly the collection as the caller may see it. */
import { beforeAll, expect, test } from '@jest/globals';
import { makeMarkedSealer } from '../../src/adapters/sealing.ts';
import { advanceCopy, beginCopy, byId, type Copy } from '../support/collection-copy.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

type Person = 'root' | 'ann' | 'eve';

const models = {
  'task.js': `const { Schema } = require('mongoose');
    module.exports = new Schema(
      { title: String, size: Number, team: String, salary: { type: Number, perms: { admin: 'cru' } }, password: String },
      { perms: { admin: 'crud', user: { c: true, r: { where: { team: 'open' } } }, owner: 'rud' } });`,
  'open.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ title: String, size: Number },
      { perms: { admin: 'crud', all: 'r' }, advanced_queries: { bulkwrite: true } });`,
  'numbered.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ _id: Number, title: String }, { perms: { admin: 'crud', all: 'r' } });`,
};

let world: PeopledServer<Person>;
beforeAll(async () => {
  world = await openPeople(['root', 'ann', 'eve'], { models });
});

const get = (as: Person, path: string) => world.as(as, 'GET', path);
const begin = (as: Person, path: string, between?: () => Promise<void>) =>
  beginCopy((at) => get(as, at), path, between);
const advance = (copy: Copy, as: Person, path: string) => advanceCopy(copy, (at) => get(as, at), path);

/** A copy that has read everything that is acknowledged: what the feed has not delivered when it begins is among its first changes. */
async function caughtUp(as: Person, path: string): Promise<Copy> {
  const copy = await begin(as, path);
  await advance(copy, as, path);
  copy.events.length = 0;
  return copy;
}

async function expectEqualToList(copy: Copy, as: Person, list: string): Promise<void> {
  expect(byId(copy.rows.values())).toEqual(byId((await get(as, list)).rows));
}

const make = async (as: Person, model: string, body: object): Promise<string> =>
  String((await world.as(as, 'POST', `/api/${model}`, { body })).document['_id']);
const change = (as: Person, model: string, id: string, body: object) =>
  world.as(as, 'PUT', `/api/${model}/${id}`, { body });
const remove = (as: Person, model: string, id: string, how = '') => world.as(as, 'DELETE', `/api/${model}/${id}${how}`);

test('the first pages have all documents, the last of them a position, and what follows the changes since', async () => {
  const ids = await Promise.all([1, 2, 3, 4, 5].map((size) => make('root', 'open', { title: 'first', size })));
  const path = '/changes/open?limit=2&filter[title]=first';
  const first = await get('ann', path);
  expect(Object.keys(first.body)).toEqual(['data', 'limit', 'next', 'next_cursor']);
  const copy = await begin('ann', path, async () => {
    // behind the pages that were read, and before those that were not
    await change('root', 'open', String(ids.at(0)), { size: 10 });
    await change('root', 'open', String(ids.at(4)), { size: 50 });
  });
  await advance(copy, 'ann', path);
  await expectEqualToList(copy, 'ann', '/api/open?filter[title]=first');
  copy.events.length = 0;
  const added = await make('root', 'open', { title: 'first', size: 6 });
  await change('root', 'open', String(ids[1]), { size: 20 });
  await change('root', 'open', String(ids[1]), { size: 21 });
  await change('root', 'open', String(ids[2]), { title: 'other' });
  await remove('root', 'open', String(ids[3]));
  await remove('root', 'open', String(ids[4]), '?_permaDelete=1');
  await advance(copy, 'ann', path);
  expect(copy.events).toEqual([
    ['post', added],
    ['put', ids[1]],
    ['del', ids[2]],
    ['del', ids[3]],
    ['del', ids[4]],
  ]);
  await expectEqualToList(copy, 'ann', '/api/open?filter[title]=first');
  copy.events.length = 0;
  await change('root', 'open', String(ids[3]), { _deleted: false });
  await advance(copy, 'ann', path);
  expect(copy.events).toEqual([['post', ids[3]]]);
});

test('rows that enter the rules of the caller come, those that leave them go, and others are never named', async () => {
  const path = '/changes/task';
  const copy = await begin('eve', path);
  const hidden = await make('ann', 'task', { title: 'hers', team: 'closed' });
  const opened = await make('ann', 'task', { title: 'opened', team: 'closed' });
  await change('ann', 'task', hidden, { title: 'still hers' });
  await advance(copy, 'eve', path);
  expect(copy.events).toEqual([]);
  await change('ann', 'task', opened, { team: 'open' });
  await advance(copy, 'eve', path);
  expect(copy.events).toEqual([['post', opened]]);
  await change('ann', 'task', opened, { team: 'closed' });
  await remove('ann', 'task', hidden);
  await remove('ann', 'task', hidden, '?_permaDelete=1');
  await advance(copy, 'eve', path);
  expect(copy.events).toEqual([
    ['post', opened],
    ['del', opened],
  ]);
  expect(copy.rows.size).toBe(0);
});

test('a row that the pages showed and that has gone before the first changes are read goes', async () => {
  await make('root', 'task', { title: 'a', team: 'open' });
  await make('root', 'task', { title: 'b', team: 'open' });
  const path = '/changes/task?limit=1&filter[title]=$in:a,b,brief';
  let brief = '';
  const copy = await begin('eve', path, async () => {
    if (brief === '') brief = await make('root', 'task', { title: 'brief', team: 'open' });
  });
  expect([...copy.rows.keys()]).toContain(brief);
  await remove('root', 'task', brief);
  await advance(copy, 'eve', path);
  expect([...copy.rows.keys()]).not.toContain(brief);
  await expectEqualToList(copy, 'eve', '/api/task?filter[title]=$in:a,b,brief');
});

test('hidden paths are in no answer, and their changes change none', async () => {
  const id = await make('root', 'task', { title: 'paid', team: 'open', salary: 1, password: 'CANARY-1' });
  const { position } = await caughtUp('eve', '/changes/task');
  const { position: ofRoot } = await caughtUp('root', '/changes/task');
  await change('root', 'task', id, { salary: 987_654, password: 'CANARY-2' });
  const forEve = await get('eve', `/changes/task?since=${position}`);
  expect(forEve.body['data']).toMatchObject([{ event: 'put', id, item: { title: 'paid' } }]);
  expect(forEve.text).not.toMatch(/CANARY|987654/);
  const forRoot = await get('root', `/changes/task?since=${ofRoot}`);
  expect(forRoot.body['data']).toMatchObject([{ item: { salary: 987_654 } }]);
  expect(forRoot.text).not.toMatch(/CANARY/);
});

test('more tells that there are later changes; fields and the limit hold for them too', async () => {
  const ids: string[] = [];
  for (let size = 0; size < 5; size++) ids.push(await make('root', 'open', { title: 'page', size }));
  const path = '/changes/open?filter[title]=page&fields=size&limit=2';
  const copy = await caughtUp('ann', path);
  for (const id of ids) await change('root', 'open', id, { size: 7 });
  const { body } = await get('ann', `${path}&since=${copy.position}`);
  expect(body).toMatchObject({ data: [{ id: ids[0] }, { id: ids[1] }], more: true });
  expect(Object.keys(body['data'][0].item).sort()).toEqual(['_id', 'id', 'size']);
  await advance(copy, 'ann', path);
  expect(copy.events).toEqual(ids.map((id) => ['put', id]));
});

test('ids of numbers are numbers', async () => {
  const { position } = await begin('ann', '/changes/numbered');
  await world.as('root', 'POST', '/api/numbered', { body: { _id: 7, title: 'seven' } });
  await world.as('root', 'POST', '/api/numbered', { body: { _id: 8, title: 'eight' } });
  await remove('root', 'numbered', '8');
  const { body } = await get('ann', `/changes/numbered?since=${position}`);
  expect(body['data']).toMatchObject([
    { event: 'post', id: 7, item: { title: 'seven' } },
    { event: 'del', id: 8 },
  ]);
});

test('writes of every way, silent ones too, are found', async () => {
  const path = '/changes/open?filter[title]=$in:bulk,many';
  const copy = await begin('ann', path);
  await world.as('root', 'POST', '/bulkwrite/open', {
    body: [{ insertOne: { document: { title: 'bulk', size: 1 } } }, { insertOne: { document: { title: 'bulk' } } }],
  });
  await world.as('root', 'POST', '/bulkwrite/open', {
    body: [{ updateMany: { filter: { title: 'bulk' }, update: { $set: { size: 2 } } } }],
  });
  await world.as('root', 'POST', '/api/open?_silence=1', { body: { title: 'many' } });
  await advance(copy, 'ann', path);
  expect(copy.rows.size).toBe(3);
  await expectEqualToList(copy, 'ann', '/api/open?filter[title]=$in:bulk,many');
});

test('a position is of one caller, their rights, and one filter', async () => {
  const { position } = await begin('ann', '/changes/open?filter[size]=1');
  const since = (as: Person, path: string) => get(as, `${path}since=${position}`);
  expect((await since('ann', '/changes/open?filter[size]=1&')).status).toBe(200);
  expect((await since('ann', '/changes/open?filter[size]=2&')).status).toBe(400);
  expect((await since('ann', '/changes/open?filter[size]=1&fields=size&')).status).toBe(400);
  expect((await since('eve', '/changes/open?filter[size]=1&')).status).toBe(410);
  expect((await since('ann', '/changes/numbered?filter[size]=1&')).status).toBe(400);
  const sealedElsewhere = makeMarkedSealer(['a secret that is gone'], 'positions of changes', 'changes-', 8000);
  const gone = sealedElsewhere.seal(Buffer.from('{}'));
  expect((await get('ann', `/changes/open?since=${gone}`)).status).toBe(410);
  expect((await get('ann', `/changes/open?filter[size]=1&after=${position}`)).status).toBe(400);
  expect((await get('ann', `/changes/open?filter[size]=1&after=${position}&since=${position}`)).status).toBe(400);
});

/** A position with a character changed in each of its parts, and shortened. */
const changed = (text = ''): readonly string[] => [
  ...[9, 20, text.length - 5].map((at) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)),
  text.slice(0, -3),
  `${text}AA`,
];

test('what is no position of its kind is a 400 that names what is accepted', async () => {
  await world.as('root', 'POST', '/api/open', { body: { title: 'one', size: 7 } });
  await world.as('root', 'POST', '/api/open', { body: { title: 'two', size: 7 } });
  const filtered = '/changes/open?filter[size]=7';
  const list = await get('ann', '/api/open?filter[size]=7&limit=1&position=true');
  const page = await get('ann', `${filtered}&limit=1`);
  const { position: ofChanges } = await begin('ann', filtered);
  const { position: ofList, next_cursor: listCursor } = list.body as Readonly<Record<string, string>>;
  const changesCursor = String(page.body['next_cursor']);
  const ofWalk =
    /must be the (position|next_cursor) of an answer of GET \/changes to the same model, filter and fields/;
  const ofEvent = /must be the position of an event, or of a list/;
  const ofListCursor = /this cursor was changed, or is of another list/;
  const cases: readonly (readonly [path: string, given: unknown, err: RegExp])[] = [
    [`${filtered}&since=`, 'nonsense', ofWalk],
    ...changed(ofChanges).map((text) => [`${filtered}&since=`, text, ofWalk] as const),
    ...changed(changesCursor).map((text) => [`${filtered}&after=`, text, ofWalk] as const),
    ...changed(ofList).map((text) => ['/events/open?since=', text, ofEvent] as const),
    [`${filtered}&since=`, ofList, ofWalk],
    [`${filtered}&since=`, listCursor, ofWalk],
    [`${filtered}&since=`, changesCursor, ofWalk],
    [`${filtered}&after=`, ofChanges, ofWalk],
    [`${filtered}&after=`, ofList, ofWalk],
    [`${filtered}&after=`, listCursor, ofWalk],
    ['/events/open?since=', 'nonsense', ofEvent],
    ['/events/open?since=', ofChanges, ofEvent],
    ['/events/open?since=', listCursor, ofEvent],
    ['/events/open?since=', changesCursor, ofEvent],
    ['/api/open?filter[size]=7&after=', changesCursor, ofListCursor],
    ['/api/open?filter[size]=7&after=', ofChanges, ofListCursor],
    ['/api/open?filter[size]=7&after=', ofList, ofListCursor],
    ['/api/open?filter[size]=8&after=', listCursor, ofListCursor],
  ];
  for (const [path, given, err] of cases) {
    const { status, body } = await get('ann', path + encodeURIComponent(String(given)));
    expect({ path, status, err: body['err'] }).toEqual({ path, status: 400, err: expect.stringMatching(err) });
  }
});

test('after a change of rights a walk begins again', async () => {
  const { position } = await begin('ann', '/changes/task');
  const { callers } = world;
  await world.as('root', 'PUT', `/api/user/${callers.ann.user_id}`, { body: { admin: true } });
  expect((await get('ann', `/changes/task?since=${position}`)).status).toBe(410);
  const { position: asAdmin } = await begin('ann', '/changes/task');
  await world.as('root', 'PUT', `/api/user/${callers.ann.user_id}`, { body: { admin: false } });
  expect((await get('ann', `/changes/task?since=${asAdmin}`)).status).toBe(410);
});

test('needs the right to read', async () => {
  expect((await world.as('anonymous', 'GET', '/changes/task')).status).toBe(401);
  expect((await world.as('anonymous', 'GET', '/changes/nothing')).status).toBe(404);
  expect((await world.as('anonymous', 'GET', '/changes/open')).status).toBe(200);
});
