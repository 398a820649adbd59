/** PUT /api/{model}?on=…: creates a document, or changes the one that a unique index finds. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Document } from '../support/client.ts';
import { type Caller, type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const model = (options = ''): string => `export default ({ Schema }) => {
  const schema = new Schema({
    isbn: { type: String, unique: true, lowercase: true, trim: true }, title: { type: String, alias: 'heading' }, year: Number, pages: { type: Number, max: 9000 },
    code: { type: String, unique: true, sparse: true }, tags: { type: [String], default: undefined, unique: true, sparse: true },
    secret: { type: String, unique: true, sparse: true, perms: { admin: 'cru' } }, address: { zip: { type: String, unique: true, sparse: true }, city: String, at: { floor: Number } },
    part: String, password: String,
  }, { perms: { all: 'r', user: 'cru', owner: 'crud' }, ${options} });
  schema.index({ title: 1, year: -1 }, { unique: true, sparse: true });
  schema.index({ part: 1 }, { unique: true, partialFilterExpression: { part: { $exists: true } } });
  return schema;
};`;

let server: TestServer;
let callers: Callers<'root' | 'ann' | 'bob'>;
beforeAll(async () => {
  const where = `{ where: { team: '$user.team' } }`;
  server = await startServer({
    models: {
      'book.ts': model(),
      'saved.ts': model('save_on_put: true'),
      'user.ts': `export default ({ Schema }) => new Schema({ name: String, team: String }, { perms: { admin: 'crud' } });`,
      'ruled.ts': `const mine = ${where};
        export default ({ Schema }) => new Schema({ isbn: { type: String, unique: true }, team: String, n: Number, fixed: { type: String, perms: { user: 'cr', admin: 'cru' } } },
          { perms: { user: { c: mine, r: mine, u: mine }, admin: 'crud' } });`,
      'adds.ts': `export default ({ Schema }) => new Schema({ isbn: { type: String, unique: true }, n: Number }, { perms: { user: 'c', admin: 'crud' } });`,
      'edits.ts': `export default ({ Schema }) => new Schema({ isbn: { type: String, unique: true, perms: { user: 'cr' , admin: 'cru'} }, n: Number }, { perms: { user: 'ru', admin: 'crud' } });`,
      'plain.ts': `export default ({ Schema }) => new Schema({ n: Number }, { perms: { user: 'cru' } });`,
    },
  });
  callers = await makeCallers(server, ['root', 'ann', 'bob']);
});

const put = (path: string, body: unknown, as: Caller = callers.ann): Promise<Answer> =>
  server.put(`/api/${path}`, body, as);
const rows = async (name: string, isbn: string): Promise<readonly Document[]> =>
  (await server.get(`/api/${name}?filter[isbn]=${isbn}&showDeleted=1`, callers.root)).rows;

describe.each(['book', 'saved'])('%s', (name) => {
  test('creates with 201 and Location, then changes with 200', async () => {
    const made = await put(`${name}?on=isbn`, { isbn: ' A-1 ', title: 'One', password: 'secret-1' });
    expect([made.status, made.body['message']]).toEqual([201, `${name} created`]);
    expect(made.headers.get('location')).toMatch(new RegExp(`/api/${name}/${String(made.document['_id'])}$`));
    expect(made.document).toMatchObject({ isbn: 'a-1', title: 'One', _owner_id: callers.ann.user_id, __v: 0 });
    expect(made.text).not.toContain('secret-1');
    const changed = await put(`${name}?on=isbn`, { isbn: 'A-1', pages: 3 }, callers.bob);
    expect([changed.status, changed.body['message'], changed.headers.get('location')]).toEqual([
      200,
      `${name} updated`,
      null,
    ]);
    expect(changed.document).toMatchObject({
      _id: made.document['_id'],
      title: 'One',
      pages: 3,
      __v: 1,
      _owner_id: callers.ann.user_id,
      _updated_by_id: callers.bob.user_id,
    });
  });

  test('a path of the body changes one field of a nested document, and makes one in a new document', async () => {
    const path = `${name}?on=isbn`;
    const made = await put(path, { isbn: 'p-1', 'address.zip': 'p1', 'address.city': 'Bonn', 'address.at.floor': 2 });
    expect(made.status).toBe(201);
    expect(made.document['address']).toEqual({ zip: 'p1', city: 'Bonn', at: { floor: 2 } });
    const changed = await put(path, { isbn: 'p-1', 'address.city': 'Ulm' });
    expect([changed.status, changed.document['address']]).toEqual([200, { zip: 'p1', city: 'Ulm', at: { floor: 2 } }]);
    const whole = await put(path, { isbn: 'p-1', address: { zip: 'p1' } });
    expect(whole.document['address']).toEqual({ zip: 'p1' });
    expect((await put(`${name}?on=address.zip`, { 'address.zip': 'p1', pages: 9 })).document['isbn']).toBe('p-1');
  });

  test.each<readonly [string, object]>([
    ['contradicts another', { isbn: 'p-2', address: { zip: 'p2' }, 'address.city': 'Bonn' }],
    ['begins with a dangerous name', { isbn: 'p-2', '__proto__.polluted': 1 }],
    ['contains one', { isbn: 'p-2', 'address.constructor.prototype': 1 }],
    ['is an operator', { isbn: 'p-2', 'address.$where': '1' }],
    ['is below a text', { isbn: 'p-2', 'title.words': 1 }],
    ['has too many parts', { isbn: 'p-2', [`address${'.a'.repeat(200_000)}`]: 1 }],
  ])('a path that %s is refused, and nothing is stored', async (_why, body) => {
    expect((await put(`${name}?on=isbn`, body)).status).toBe(400);
    expect(await rows(name, 'p-2')).toEqual([]);
  });

  test('several fields identify a document, in any order and by alias', async () => {
    expect((await put(`${name}?on=title,year`, { title: 'Two', year: '1999', isbn: 'b-1' })).status).toBe(201);
    expect((await put(`${name}?on=year,heading`, { heading: 'Two', year: 1999, pages: 5 })).document).toMatchObject({
      isbn: 'b-1',
      pages: 5,
    });
    expect((await put(`${name}?on=address.zip`, { address: { zip: '1' }, isbn: 'b-2', title: 'Zip' })).status).toBe(
      201,
    );
    expect((await put(`${name}?on=address.zip`, { address: { zip: '1' }, pages: 7 })).document).toMatchObject({
      isbn: 'b-2',
      pages: 7,
    });
  });

  const known = /must name the fields of a unique index of (book|saved): isbn or code or address\.zip or title,year/;
  test.each<[string, unknown, RegExp]>([
    ['', { isbn: 'x' }, known],
    ['?on=', { isbn: 'x' }, known],
    ['?on=title', { title: 'x' }, known],
    ['?on=isbn,title', { isbn: 'x', title: 'x' }, known],
    ['?on=isbn,isbn', { isbn: 'x' }, known],
    ['?on=_id', { _id: '0123456789abcdef01234567' }, known],
    ['?on=tags', { tags: ['x'] }, known],
    ['?on=part', { part: 'x' }, known],
    ['?on=secret', { secret: 'x' }, known],
    ['?on=password', { password: 'x' }, known],
    ['?on=__proto__', { isbn: 'x' }, known],
    ['?on[a]=isbn', { isbn: 'x' }, /takes names/],
    ['?on=isbn', { title: 'x' }, /the body must have a value of isbn/],
    ['?on=isbn', { isbn: null }, /the body must have a value of isbn/],
    ['?on=title,year', { title: 'x' }, /the body must have a value of year/],
    ['?on=isbn', { isbn: { $ne: 'x' } }, /must be text|cannot be used as a name/],
    ['?on=isbn', ['x'], /the body must have a value of isbn|must be an object/],
    [
      '?on=isbn',
      { isbn: 'zz', pages: 9001, titel: 'x', year: 'soon' },
      /titel is not in the schema.*year must be a finite number.*pages must be at most 9000/,
    ],
    [
      '?on=title,year',
      { title: 'x', year: 'soon', pages: 'many' },
      /year must be a finite number.*pages must be a finite number/,
    ],
  ])('refuses %s %j', async (query, body, err) => {
    const answer = await put(`${name}${query}`, body);
    expect([answer.status, answer.body['err']]).toEqual([400, expect.stringMatching(err)]);
  });

  test('a deleted document is a 410, or restored', async () => {
    const made = await put(`${name}?on=isbn`, { isbn: 'd-1', title: 'D' });
    await server.remove(`/api/${name}/${String(made.document['_id'])}`, callers.ann);
    const gone = await put(`${name}?on=isbn`, { isbn: 'd-1', pages: 1 });
    expect([gone.status, gone.body['message']]).toEqual([410, 'Deleted']);
    const restored = await put(`${name}?on=isbn`, { isbn: 'd-1', pages: 2, _deleted: false });
    expect([restored.status, restored.document]).toEqual([
      200,
      expect.objectContaining({ _id: made.document['_id'], pages: 2, _deleted: false }),
    ]);
    expect(await rows(name, 'd-1')).toHaveLength(1);
    expect((await put(`${name}?on=isbn`, { isbn: 'd-2', title: 'D2', _deleted: false })).document).toMatchObject({
      _deleted: false,
    });
  });

  test.each([20, 50])('%d at once create one document without a conflict', async (count) => {
    const all = await Promise.all(
      Array.from({ length: count }, (_, n) =>
        put(`${name}?on=isbn`, { isbn: `m-${count}`, title: `M${count}`, pages: n }),
      ),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([...Array.from({ length: count - 1 }, () => 200), 201]);
    expect(await rows(name, `m-${count}`)).toMatchObject([{ __v: count - 1 }]);
  });

  test('a taken value of another unique field is a 409', async () => {
    await put(`${name}?on=isbn`, { isbn: 'u-1', code: 'taken', title: 'U1' });
    for (const isbn of ['u-2', 'u-3'])
      expect((await put(`${name}?on=isbn`, { isbn, code: 'taken', title: isbn })).status).toBe(409);
    await put(`${name}?on=isbn`, { isbn: 'u-4', title: 'U4' });
    expect((await put(`${name}?on=isbn`, { isbn: 'u-4', code: 'taken' })).status).toBe(409);
  });
});

describe('rights', () => {
  test('creating requires c, changing requires u', async () => {
    const { ann, bob, root } = callers;
    expect((await put('book?on=isbn', { isbn: 'r-1' }, { ...ann, headers: {} })).status).toBe(401);
    expect((await put('adds?on=isbn', { isbn: 'a' })).status).toBe(201);
    // found, but neither readable nor writable: like POST of a value that exists
    expect((await put('adds?on=isbn', { isbn: 'a' })).body).toEqual(
      (await server.post('/api/adds', { isbn: 'a' }, ann)).body,
    );
    expect((await put('edits?on=isbn', { isbn: 'e' })).status).toBe(403);
    expect((await put('edits?on=isbn', { isbn: 'e', n: 1 }, root)).status).toBe(201);
    // the identifying value is not a change
    expect((await put('edits?on=isbn', { isbn: 'e', n: 2 }, bob)).document).toMatchObject({ n: 2 });
    expect((await put('edits?on=isbn', { isbn: 'other', n: 2 }, bob)).status).toBe(403);
  });

  test('row rules apply to the row found and the row created, and hidden rows are not disclosed', async () => {
    const { ann, bob, root } = callers;
    await server.put(`/api/user/${ann.user_id}`, { team: 'red' }, root);
    await server.put(`/api/user/${bob.user_id}`, { team: 'blue' }, root);
    expect((await put('ruled?on=isbn', { isbn: 'q', team: 'blue' })).status).toBe(403);
    expect((await put('ruled?on=isbn', { isbn: 'q', team: 'red', fixed: 'f' })).status).toBe(201);
    expect((await put('ruled?on=isbn', { isbn: 'q', n: 1 })).document).toMatchObject({ n: 1, team: 'red' });
    expect((await put('ruled?on=isbn', { isbn: 'q', team: 'blue' })).status).toBe(403);
    expect((await put('ruled?on=isbn', { isbn: 'q', fixed: 'g' })).body).toMatchObject({ errors: [{ path: 'fixed' }] });
    for (const body of [
      { isbn: 'q', team: 'blue' },
      { isbn: 'q', team: 'blue', _deleted: false },
      { isbn: 'q', team: 'red' },
      { isbn: 'q', n: 'x' },
    ]) {
      const [upserted, posted] = [await put('ruled?on=isbn', body, bob), await server.post('/api/ruled', body, bob)];
      expect([body, upserted.status, upserted.body]).toEqual([body, posted.status, posted.body]);
    }
    await server.remove(`/api/ruled/${String((await rows('ruled', 'q'))[0]?.['_id'])}`, root);
    expect((await put('ruled?on=isbn', { isbn: 'q', team: 'blue' }, bob)).status).toBe(409);
    expect((await put('ruled?on=isbn', { isbn: 'q', n: 2 })).status).toBe(410);
  });

  test('a model without unique indexes is refused with that reason', async () => {
    expect((await put('plain?on=n', { n: 1 })).body['err']).toBe('on: plain has no unique index that it could name');
  });
});

test('PATCH and upsert run their own hooks, or else those of put and post', async () => {
  const calls: string[] = [];
  const note =
    (name: string) =>
    (_req: unknown, _res: unknown, next: () => void): void => {
      calls.push(name);
      next();
    };
  const after = (name: string) => (): undefined => void calls.push(`after ${name}`);
  const hooked = async (own: boolean): Promise<string[]> => {
    const other = await startServer({
      models: { 'book.ts': model() },
      pre_hooks: {
        put: note('put'),
        post: note('post'),
        ...(own ? { patch: note('patch'), upsert: note('upsert') } : {}),
      },
      post_hooks: {
        put: after('put'),
        post: after('post'),
        ...(own ? { patch: after('patch'), upsert: after('upsert') } : {}),
      },
    });
    const { root } = await makeCallers(other, ['root']);
    const made = await other.put('/api/book?on=isbn', { isbn: 'h' }, root);
    await other.put('/api/book?on=isbn', { isbn: 'h' }, root);
    await other.send('PATCH', `/api/book/${String(made.document['_id'])}`, { body: { pages: 1 }, ...root });
    await other.send('PATCH', `/api/book/${String(made.document['_id'])}?_silence=1`, { body: { pages: 1 }, ...root });
    return calls.splice(0);
  };
  expect(await hooked(false)).toEqual([
    'put',
    'post',
    'after post',
    'put',
    'post',
    'after put',
    'put',
    'after put',
    'put',
  ]);
  expect(await hooked(true)).toEqual([
    'upsert',
    'after upsert',
    'upsert',
    'after upsert',
    'patch',
    'after patch',
    'patch',
  ]);
});
