/** What a batch refuses. */
import { beforeAll, expect, test } from '@jest/globals';
import { needs } from '../support/needs.ts';
import { openShelf, type Shelf } from './shelf.ts';

const testInUnit = needs('transactions');
let shelf: Shelf;
beforeAll(async () => {
  shelf = await openShelf({ max_body_size: 100_000 });
});

const create = { ref: 'a', method: 'POST', path: '/api/book', body: { title: 't', tags: ['x'] } };
const at = (path: string, method = 'POST') => ({ method, path, body: {} });
const holding = (value: unknown) => ({ method: 'POST', path: '/api/book', body: { extra: value } });

/** What the second operation is, and the status that is answered for it. */
const refused: readonly (readonly [string, unknown, number])[] = [
  ['a batch in a batch', at('/batch'), 400],
  ['a login', at('/login'), 400],
  ['a bulk write', at('/bulkwrite/author'), 400],
  ['a function', at('/call/author/register'), 400],
  ['a read', at('/api/book', 'GET'), 400],
  ['a method of another path', at('/api/book', 'DELETE'), 405],
  ['two slashes', at('//api/book'), 400],
  ['another host', at('//evil.test/api/book'), 400],
  ['an absolute URL', at('http://127.0.0.1/api/book'), 400],
  ['a step up', at('/api/../login'), 405],
  ['an encoded step up', at('/api/%2e%2e/login', 'PUT'), 404],
  ['an encoded slash', at('/api%2fbook'), 400],
  ['a fragment', at('/api/book#x'), 400],
  ['a backslash', at('/api\\book'), 400],
  ['a line break', at('/api/book\r\nX: y'), 400],
  ['a key in the path', at('/api/book?apikey=da_x'), 400],
  ['an empty key in the path', at('/api/book?apikey='), 400],
  ['a JWT in the path', at('/api/book?_silence=1&jwt=x.y.z'), 400],
  ['a ticket in the path', at('/api/book?ticket=x'), 400],
  ['a key in the path, encoded', at('/api/book?%61pikey=da_x'), 400],
  ['a key in the path, in capitals and a list', at('/api/book?ApiKey[0]=da_x'), 400],
  ['bad encoding', at('/api/%zz'), 400],
  ['an internal model', at('/api/_session'), 404],
  ['a model by reference', at('/api/$a.title'), 404],
  ['a prototype', holding('$a.__proto__'), 400],
  ['a constructor', holding('$a.constructor.name'), 400],
  ['the length of a list', holding('$a.tags.length'), 400],
  ['a method of a list', holding('$a.tags.map'), 400],
  ['a path that is not there', holding('$a.nothing'), 400],
  ['an empty part of a path', holding('$a..title'), 400],
  ['the whole answer', holding('$a'), 400],
  ['a reference without a path', holding('$a.'), 400],
  ['text that begins with $', holding('$100'), 400],
  ['an unknown reference', holding('$b._id'), 400],
  ['a reference to itself', { ...holding('$b._id'), ref: 'b' }, 400],
  ['a prototype as a name', holding('$__proto__.x'), 400],
  ['an object in a path', at('/api/book/$a.tags', 'PUT'), 400],
  ['a used name', { ...create }, 400],
  ['a bad name', { ...create, ref: 'a.b' }, 400],
  ['an unknown key', { ...create, ref: 'c', url: '/api/book' }, 400],
  ['another header', { ...create, ref: 'c', headers: { authorization: 'Bearer x' } }, 400],
  ['a header that is not text', { ...create, ref: 'c', headers: { 'If-Match': 1 } }, 400],
  ['headers that are a list', { ...create, ref: 'c', headers: [] }, 400],
  ['no object', 'POST /api/book', 400],
  ['no path', { method: 'POST', body: {} }, 400],
  ['an operator', { method: 'POST', path: '/api/book', body: { title: { $gt: '' } } }, 400],
];

testInUnit('refuses bad operations by their positions, and writes nothing', async () => {
  const before = await shelf.count('book');
  for (const [name, operation, status] of refused) {
    const failed = await shelf.batch('ann', [create, operation]);
    expect([name, failed.status, failed.body['operation']]).toEqual([name, status, 1]);
  }
  expect(await shelf.count('book')).toBe(before);
});

const bodies: readonly (readonly [string, unknown])[] = [
  ['no body', undefined],
  ['a list', [create]],
  ['no operations', { operations: [] }],
  ['operations that are no list', { operations: create }],
  ['too many', { operations: Array.from({ length: 101 }, () => ({ ...create, ref: undefined })) }],
  ['a flag that is none', { operations: [create], atomic: 'no' }],
  ['an unknown key', { operations: [create], transaction: true }],
];

test.each(bodies)('refuses %s', async (_name, body) => {
  expect((await shelf.as('ann', 'POST', '/batch', { body })).status).toBe(400);
});

testInUnit('references do not multiply a body beyond its limit', async () => {
  const doubling = Array.from({ length: 20 }, (_, n) => ({
    ref: `r${n}`,
    method: 'POST',
    path: '/api/book',
    body: { extra: n === 0 ? 'x'.repeat(1000) : [`$r${n - 1}.extra`, `$r${n - 1}.extra`] },
  }));
  const failed = await shelf.batch('ann', doubling);
  expect([failed.status, failed.body['err']]).toEqual([413, expect.stringContaining('references')]);
});

testInUnit('a text that begins with $ is written with $$', async () => {
  const { body } = await shelf.batch('ann', [holding({ a: '$$a', b: ['$$$'], c: 'x $$ $a._id' })]);
  expect(body['data'][0].body.data.extra).toEqual({ a: '$a', b: ['$$'], c: 'x $$ $a._id' });
});

test('without transactions a batch has to say so', async () => {
  const { services } = shelf.dossier;
  const mutable = services as { isReplicaSet: boolean };
  const had = services.isReplicaSet;
  mutable.isReplicaSet = false;
  try {
    expect((await shelf.batch('ann', [create])).status).toBe(501);
    expect((await shelf.batch('ann', [create], { atomic: false })).status).toBe(200);
  } finally {
    mutable.isReplicaSet = had;
  }
});
