/** The 409 of a unique value that a deleted document has names that document, to callers who may read it and its value. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

const book = `module.exports = ({ Schema }) => {
  const schema = new Schema(
    {
      isbn: { type: String, unique: true }, title: String,
      shelf: Number, place: Number,
      secret: { type: String, unique: true, sparse: true, perms: { admin: 'cru', user: 'cu' } },
      tags: { type: [String], default: undefined },
    },
    { perms: { user: 'crud', admin: 'crud' }, advanced_queries: { bulkwrite: true } },
  );
  schema.index({ shelf: 1, place: 1 }, { unique: true, sparse: true });
  schema.index({ tags: 1 }, { unique: true, sparse: true });
  return schema;
};`;
const models = {
  'book.cjs': book,
  // rows of one's own, and what anyone may create
  'note.cjs': `module.exports = ({ Schema }) => new Schema({ code: { type: String, unique: true } }, { perms: { user: 'c', owner: 'crud', admin: 'crud' } });`,
  'drop.cjs': `module.exports = ({ Schema }) => new Schema({ code: { type: String, unique: true } }, { perms: { user: 'c', admin: 'crud' } });`,
};

type Name = 'root' | 'ann' | 'bob';
let server: PeopledServer<Name>;
beforeAll(async () => {
  server = await openPeople(['root', 'ann', 'bob'], { models });
});

let made = 0;
const next = (): string => `v${(made += 1)}`;
async function created(as: Name, model: string, body: object, isDeleted = true): Promise<string> {
  const { status, headers } = await server.as(as, 'POST', `/api/${model}`, { body });
  expect(status).toBe(201);
  const id = String(headers.get('location')?.split('/').at(-1));
  if (isDeleted) expect((await server.as('root', 'DELETE', `/api/${model}/${id}`)).status).toBe(200);
  return id;
}

const plain = 'this value exists already';
const named = (model: string, id: string): string =>
  `a deleted ${model} has this value: GET /api/${model}/${id}?showDeleted=true`;

type Write = (values: object) => Promise<Answer>;
const ways: Readonly<Record<string, Write>> = {
  POST: (body) => server.as('ann', 'POST', '/api/book', { body }),
  PUT: async (body) =>
    server.as('ann', 'PUT', `/api/book/${await created('ann', 'book', { isbn: next() }, false)}`, { body }),
  'PUT /update': async (body) =>
    server.as('ann', 'PUT', `/update/book/${await created('ann', 'book', { isbn: next() }, false)}`, { body }),
};

test.each(Object.entries(ways))('by %s', async (_way, write) => {
  const isbn = next();
  const id = await created('bob', 'book', { isbn });
  const { status, body } = await write({ isbn });
  expect([status, body['err']]).toEqual([409, `isbn must be unique, and ${named('book', id)}`]);
  expect(body['errors']).toEqual([
    { path: 'isbn', kind: 'unique', message: 'isbn must be unique, and a deleted book has this value' },
  ]);
  expect(body['holder']).toBe(id);
  // where the answer says
  const found = await server.as('ann', 'GET', `/api/book/${id}?showDeleted=true`);
  expect(found.document).toMatchObject({ isbn, _deleted: true });
});

test('in a batch, in one unit and each by itself', async () => {
  const isbn = next();
  const id = await created('bob', 'book', { isbn });
  for (const atomic of [true, false]) {
    const operations = [{ method: 'POST', path: '/api/book', body: { isbn } }];
    const { text } = await server.as('ann', 'POST', '/batch', { body: { operations, atomic } });
    expect(text).toMatch(new RegExp(`/api/book/${id}\\?showDeleted|transactions`));
  }
});

test('of an index of several paths, and of one over a list', async () => {
  const id = await created('bob', 'book', { isbn: next(), shelf: 1, place: made, tags: [`t${made}`, 'x'] });
  const place = made;
  const compound = await server.as('ann', 'POST', '/api/book', { body: { isbn: next(), shelf: 1, place } });
  expect(compound.body['err']).toBe(`shelf, place must be unique, and ${named('book', id)}`);
  const list = await server.as('ann', 'POST', '/api/book', { body: { isbn: next(), shelf: 2, place, tags: ['x'] } });
  expect(list.body['err']).toBe(`tags must be unique, and ${named('book', id)}`);
});

test('a document that is not deleted is not named', async () => {
  const isbn = next();
  await created('bob', 'book', { isbn }, false);
  const { body } = await server.as('root', 'POST', '/api/book', { body: { isbn } });
  expect(body).toMatchObject({ err: `isbn must be unique, and ${plain}` });
  expect(body).not.toHaveProperty('holder');
});

test.each<[what: string, model: string, path: string, as: Name, isNamed: boolean]>([
  ['whose row rules do not reach it', 'note', 'code', 'ann', false],
  ['whose it is', 'note', 'code', 'bob', true],
  ['who may not read the model', 'drop', 'code', 'ann', false],
  ['who is an admin', 'drop', 'code', 'root', true],
  ['who may not read the field', 'book', 'secret', 'ann', false],
  ['who may read the field', 'book', 'secret', 'root', true],
])('a caller %s', async (_who, model, path, as, isNamed) => {
  const value = next();
  const others = model === 'book' ? { isbn: next() } : {};
  const id = await created('bob', model, { ...others, [path]: value });
  const again = model === 'book' ? { isbn: next() } : {};
  const { status, body } = await server.as(as, 'POST', `/api/${model}`, { body: { ...again, [path]: value } });
  expect([status, body['err'], body['holder']]).toEqual([
    409,
    `${path} must be unique, and ${isNamed ? named(model, id) : plain}`,
    isNamed ? id : undefined,
  ]);
});
