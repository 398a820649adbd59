/** A revert is an ordinary change: the rights, rules, validators and preconditions of changes hold for it. */
import { beforeAll, expect, test } from '@jest/globals';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

const models = {
  'note.js': `module.exports = new (require('mongoose').Schema)({
    text: { type: String, maxlength: 20 }, open: Boolean, size: { type: Number, max: 10 },
    secret: { type: String, perms: { admin: 'cru' } },
    fixed: { type: String, perms: { admin: 'cru', all: 'r' } }, free: {},
    deep: { fixed: { type: String, perms: { admin: 'cru', all: 'r' } }, free: String },
    mixed: { secret: { type: String, perms: { admin: 'cru' } }, some: {} },
  }, { history: true, perms: { admin: 'crud', owner: 'crud',
    user: { c: true, r: { where: { open: true } }, u: { where: { open: true, text: { $ne: 'fixed' } } } } } });`,
};

let world: PeopledServer<'root' | 'ann' | 'eve'>;
beforeAll(async () => {
  world = await openPeople(['root', 'ann', 'eve'], { models });
});

type Person = 'root' | 'ann' | 'eve';
const make = async (as: Person, body: object): Promise<string> =>
  String((await world.as(as, 'POST', '/api/note', { body })).document['_id']);
const change = (as: Person, id: string, body: object) => world.as(as, 'PUT', `/api/note/${id}`, { body });
const revert = (as: Person, id: string, rev: number, headers = {}) =>
  world.as(as, 'POST', `/history/note/${id}/revert`, { body: { rev }, headers });
const textOf = async (id: string) => (await world.as('root', 'GET', `/api/note/${id}`)).document['text'];

test('a document that the caller may not read does not exist, one that they may not change is refused', async () => {
  const unread = await make('ann', { text: 'one', open: false });
  await change('ann', unread, { text: 'two' });
  expect((await revert('eve', unread, 1)).status).toBe(404);
  const fixed = await make('ann', { text: 'one', open: true });
  await change('ann', fixed, { text: 'fixed' });
  expect((await revert('eve', fixed, 1)).status).toBe(403);
  expect([await textOf(unread), await textOf(fixed)]).toEqual(['two', 'fixed']);
});

test('a state that the rules do not allow the caller to leave is refused', async () => {
  const id = await make('ann', { text: 'fixed', open: true });
  await change('root', id, { text: 'other' });
  expect((await revert('eve', id, 1)).status).toBe(403);
  expect(await textOf(id)).toBe('other');
});

test('a path that the caller may not see keeps its value', async () => {
  const id = await make('root', { text: 'one', open: true, secret: 'first' });
  await change('root', id, { text: 'two', secret: 'second' });
  const answer = await revert('eve', id, 1);
  expect([answer.status, answer.document['text']]).toEqual([200, 'one']);
  expect(answer.text).not.toContain('second');
  expect((await world.as('root', 'GET', `/api/note/${id}`)).document).toMatchObject({ text: 'one', secret: 'second' });
});

test('If-Match names the revision that is reverted', async () => {
  const id = await make('ann', { text: 'one', open: true });
  const before = (await world.as('ann', 'GET', `/api/note/${id}`)).headers.get('etag') ?? '';
  await change('ann', id, { text: 'two' });
  expect((await revert('ann', id, 1, { 'if-match': before })).status).toBe(412);
  const now = (await world.as('ann', 'GET', `/api/note/${id}`)).headers.get('etag') ?? '';
  expect((await revert('ann', id, 1, { 'if-match': now })).status).toBe(200);
  expect(await textOf(id)).toBe('one');
});

test('a revert is an entry itself, and an unknown revision is refused', async () => {
  const id = await make('ann', { text: 'one', open: true });
  await change('ann', id, { text: 'two' });
  expect((await revert('ann', id, 1)).status).toBe(200);
  expect((await world.as('ann', 'GET', `/history/note/${id}/3`)).document).toMatchObject({ text: 'one' });
  expect((await revert('ann', id, 9)).status).toBe(404);
  expect((await world.as('ann', 'POST', `/history/note/${id}/revert`, { body: { rev: 'x' } })).status).toBe(400);
});

test('the paths that the caller may not write keep their values, and are named', async () => {
  const id = await make('root', {
    text: 'one',
    open: true,
    size: 1,
    fixed: 'first',
    deep: { fixed: 'first', free: 'a' },
  });
  await change('root', id, { text: 'two', size: 2, fixed: 'second', deep: { fixed: 'second', free: 'b' } });
  const { status, body } = await revert('eve', id, 1);
  expect([status, body['kept']]).toEqual([200, ['fixed', 'deep.fixed']]);
  expect((await world.as('root', 'GET', `/api/note/${id}`)).document).toMatchObject({
    ...{ text: 'one', size: 1, fixed: 'second', deep: { fixed: 'second', free: 'a' } },
  });
  const all = await revert('root', id, 1);
  expect([all.body['kept'], all.document['fixed']]).toEqual([[], 'first']);
});

test('a field of which much has changed is set as a whole, unless a part of it is not for the caller', async () => {
  const names = Array.from({ length: 300 }, (_, at) => `k${at}`);
  const value = (word: string) => Object.fromEntries(names.map((name) => [name, word]));
  const id = await make('root', { open: true, free: value('one'), mixed: { secret: 'hidden', some: value('one') } });
  await change('root', id, { free: value('two'), mixed: { secret: 'other', some: value('two') } });
  expect((await revert('eve', id, 1)).body).toMatchObject({ status: 'ok', kept: [] });
  expect((await world.as('root', 'GET', `/api/note/${id}`)).document).toMatchObject({
    ...{ free: value('one'), mixed: { secret: 'other', some: value('one') } },
  });
});
