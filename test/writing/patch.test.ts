/** PATCH: fields and operators, merge patches (RFC 7396) and JSON Patches (RFC 6902). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Document } from '../support/client.ts';
import { type Caller, type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const merge = 'application/merge-patch+json';
const patch = 'application/json-patch+json';
const accepted = `application/json, ${merge}, ${patch}`;

const model = (options: string): string => `export default ({ Schema, ObjectId, Mixed }) => new Schema({
  title: { type: String, required: true, maxlength: 20, alias: 'heading' }, isbn: { type: String, unique: true, sparse: true }, pages: Number, printed: Date, price: Schema.Types.Decimal128,
  author_id: { type: ObjectId, link: 'person' }, cover: Buffer, tags: [String], dates: [Date],
  parts: [{ name: String, at: Date }], address: { city: String, zip: String }, place: new Schema({ city: { type: String, required: true }, zip: String }, { _id: false }),
  meta: Mixed, marks: { type: Map, of: Number }, login: { site: String, password: String }, logins: [{ site: String, password: String, _id: false }],
}, { perms: { all: 'r', user: 'cru', owner: 'crud' }, advanced_queries: { bulkwrite: true }, ${options} });`;

let server: TestServer;
let callers: Callers<'root' | 'ann' | 'bob'>;
beforeAll(async () => {
  server = await startServer({
    models: {
      'book.ts': model(''),
      'saved.ts': model('save_on_put: true'),
      'person.ts': `export default ({ Schema }) => new Schema({ name: String }, { perms: { user: 'crud' } });`,
      'blind.ts': `export default ({ Schema }) => new Schema({ title: String, n: Number }, { perms: { user: 'cu' } });`,
    },
  });
  callers = await makeCallers(server, ['root', 'ann', 'bob']);
});

const first = {
  title: 'Vertigo',
  pages: 10,
  printed: '1958-05-09T00:00:00.000Z',
  price: '1.50',
  cover: 'AAEC',
  tags: ['a', 'b'],
  dates: ['2001-01-01T00:00:00.000Z', '2002-01-01T00:00:00.000Z'],
  parts: [{ name: 'one', at: '2001-01-01T00:00:00.000Z' }, { name: 'two' }],
  address: { city: 'Rome', zip: '00100' },
  meta: { deep: { n: 1 }, list: [1, { x: 1 }], s: 'x' },
  marks: { red: 1, blue: 2 },
};
const names = ['book', 'saved'] as const;
const made = async (name: string, body: Document = first, as: Caller = callers.ann): Promise<string> =>
  (await server.post(`/api/${name}`, body, as)).headers.get('location')?.split('/').at(-1) ?? '';

interface Sent {
  readonly type?: string;
  readonly as?: Caller;
  readonly headers?: Record<string, string>;
  readonly query?: string;
}
const send = (
  path: string,
  body: unknown,
  { type = 'application/json', as = callers.ann, headers, query = '' }: Sent = {},
): Promise<Answer> =>
  server.send('PATCH', `/api/${path}${query}`, {
    raw: JSON.stringify(body),
    headers: { ...as.headers, 'content-type': type, ...headers },
  });
const stored = async (name: string, id: string): Promise<Document> =>
  (await server.dossier.services.connection.collection(`${name}s`).findOne({
    _id: (await import('mongoose')).default.Types.ObjectId.createFromHexString(id),
  })) as unknown as Document;

describe.each(names)('%s', (name) => {
  test('fields are set as PUT sets them', async () => {
    const [one, other] = [await made(name), await made(name)];
    const body = { pages: '11', 'address.city': 'Oslo', printed: null, _owner_id: callers.bob.user_id, __v: 9 };
    const patched = await send(`${name}/${one}`, body);
    const put = await server.put(`/api/${name}/${other}`, body, callers.ann);
    expect(patched.status).toBe(200);
    const shown = ({ body: { data, ...rest } }: Answer): object => ({
      ...rest,
      ...data,
      _id: 0,
      id: 0,
      parts: 0,
      createdAt: 0,
      updatedAt: 0,
    });
    expect(shown(patched)).toEqual(shown(put));
    expect(patched.document).toMatchObject({
      pages: 11,
      printed: null,
      __v: 1,
      _owner_id: callers.ann.user_id,
      _updated_by_id: callers.ann.user_id,
    });
  });

  test('operators are those of bulk writes', async () => {
    const id = await made(name);
    const answer = await send(`${name}/${id}`, {
      $set: { title: 'V' },
      $inc: { pages: 5 },
      $push: { tags: { $each: ['c'], $position: 0 } },
      $pull: { dates: '2001-01-01' },
      $unset: { 'address.zip': 1, printed: 1 },
      $max: { 'marks.red': 7 },
      $setOnInsert: { pages: 1 },
      _silence: true,
    });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    const { printed, ...rest } = answer.document;
    expect(printed).toBeUndefined();
    expect(rest).toMatchObject({
      title: 'V',
      pages: 15,
      tags: ['c', 'a', 'b'],
      dates: ['2002-01-01T00:00:00.000Z'],
      address: { city: 'Rome' },
      marks: { red: 7, blue: 2 },
      __v: 1,
    });
    expect(rest['address']).toEqual({ city: 'Rome' });
  });

  test.each<[object, number, RegExp]>([
    [{ $set: { pages: 1 }, title: 'x' }, 400, /either fields or update operators, not both: got \$set and title/],
    [{ $where: { a: 1 } }, 400, /\$where is not allowed/],
    [{ $inc: { title: 1 } }, 400, /must be a number for \$inc/],
    [{ $inc: { nosuch: 1 } }, 400, /nosuch is not in the schema/],
    [{ $unset: { title: 1 } }, 400, /title is required/],
    [
      { $set: { title: 'x'.repeat(21), pages: 'many' } },
      400,
      /pages must be a finite number; title must have at most 20/,
    ],
    [{ $inc: { __v: 1 } }, 400, /\$inc may not touch __v/],
    [{ $inc: { _deleted: 1 } }, 400, /may not touch _deleted/],
    [{ $min: { 'login.password': 'a' } }, 400, /cannot be queried/],
    [{ $set: { '__proto__.x': 1 } }, 400, /cannot be used as a name/],
    [[], 400, /the body must be an object/],
  ])('refuses %j', async (body, status, err) => {
    const id = await made(name);
    const answer = await send(`${name}/${id}`, body);
    expect([answer.status, answer.body['err']]).toEqual([status, expect.stringMatching(err)]);
    expect((await stored(name, id))['__v']).toBe(0);
  });

  test('a merge patch merges objects and removes what is null', async () => {
    const id = await made(name);
    const before = await stored(name, id);
    const answer = await send(
      `${name}/${id}`,
      {
        printed: null,
        pages: 12,
        tags: ['z'],
        address: { zip: null },
        place: { city: 'Bern', zip: null },
        meta: {
          deep: { m: { k: 1, gone: null } },
          s: { now: 'object', none: null },
          list: [null, { a: null }],
          absent: null,
        },
        marks: { red: null, green: 3 },
        createdAt: '2000-01-01',
        __v: null,
        author: { _id: '0123456789abcdef01234567', name: 'shown' },
      },
      { type: `${merge}; charset=utf-8` },
    );
    expect([answer.status, answer.body['err']]).toEqual([200, undefined]);
    expect(answer.document).not.toHaveProperty('printed');
    expect(answer.document).toMatchObject({
      pages: 12,
      tags: ['z'],
      place: { city: 'Bern' },
      meta: { deep: { n: 1, m: { k: 1 } }, s: { now: 'object' }, list: [null, { a: null }] },
      author_id: '0123456789abcdef01234567',
      __v: 1,
    });
    expect(answer.document['address']).toEqual({ city: 'Rome' });
    expect(answer.document['marks']).toEqual({ blue: 2, green: 3 });
    expect(answer.document['meta']).toEqual({
      deep: { n: 1, m: { k: 1 } },
      s: { now: 'object' },
      list: [null, { a: null }],
    });
    const after = await stored(name, id);
    for (const untouched of ['dates', 'price', 'cover', 'parts', 'createdAt', '_owner_id'])
      expect(after[untouched]).toEqual(before[untouched]);
  });

  test('a JSON Patch applies in order and keeps the types of untouched values', async () => {
    const id = await made(name);
    const before = await stored(name, id);
    const answer = await send(
      `${name}/${id}`,
      [
        { op: 'test', path: '/printed', value: first.printed },
        { op: 'test', path: '/address', value: { zip: '00100', city: 'Rome' } },
        { op: 'test', path: '/price', value: '1.50' },
        { op: 'test', path: '/cover', value: 'AAEC' },
        { op: 'add', path: '/tags/-', value: 'c' },
        { op: 'add', path: '/tags/0', value: 'first' },
        { op: 'remove', path: '/tags/1' },
        { op: 'replace', path: '/parts/1/name', value: 'second' },
        { op: 'move', from: '/dates/1', path: '/dates/0' },
        { op: 'copy', from: '/printed', path: '/meta/when' },
        { op: 'move', from: '/meta/s', path: '/meta/a~1b~0c' },
        { op: 'remove', path: '/pages' },
        { op: 'add', path: '/meta/list/1/y', value: null },
        { op: 'test', path: '/meta/list', value: [1, { x: 1, y: null }] },
        { op: 'replace', path: '/__v', value: 40 },
        { op: 'test', path: '', value: 1 },
      ].slice(0, -1),
      { type: patch },
    );
    expect([answer.status, answer.body['err']]).toEqual([200, undefined]);
    expect(answer.document).not.toHaveProperty('pages');
    expect(answer.document).toMatchObject({
      tags: ['first', 'b', 'c'],
      dates: ['2002-01-01T00:00:00.000Z', '2001-01-01T00:00:00.000Z'],
      parts: [{ name: 'one' }, { name: 'second' }],
      meta: { when: first.printed, 'a/b~c': 'x' },
      __v: 1,
    });
    const after = await stored(name, id);
    expect((after['meta'] as Document)['when']).toEqual(new Date(first.printed));
    expect((after['dates'] as unknown[])[0]).toEqual(new Date('2002-01-01'));
    for (const untouched of ['price', 'cover', 'createdAt', 'address', 'marks'])
      expect(after[untouched]).toEqual(before[untouched]);
    expect((after['parts'] as Document[]).map(({ _id }) => _id)).toEqual(
      (before['parts'] as Document[]).map(({ _id }) => _id),
    );
  });

  test.each([
    ['test of /id', (id: string) => [{ op: 'test', path: '/id', value: id }], 'Vertigo'],
    ['test of /_id', (id: string) => [{ op: 'test', path: '/_id', value: id }], 'Vertigo'],
    ['test of an alias', () => [{ op: 'test', path: '/heading', value: 'Vertigo' }], 'Vertigo'],
    ['copy of /id', () => [{ op: 'copy', from: '/id', path: '/meta/id' }], 'Vertigo'],
  ])('reads the names that answers carry: %s', async (_what, operations, title) => {
    const id = await made(name);
    const answer = await send(`${name}/${id}`, operations(id), { type: patch });
    expect([answer.status, answer.body['err']]).toEqual([200, undefined]);
    expect(answer.document).toMatchObject({ _id: id, title });
  });

  const wrong: readonly [unknown, number, RegExp, number?][] = [
    [[{ op: 'test', path: '/pages', value: 11 }], 409, /operation 0: \/pages does not have this value/, 0],
    [
      [
        { op: 'add', path: '/pages', value: 11 },
        { op: 'test', path: '/pages', value: 10 },
      ],
      409,
      /operation 1/,
      1,
    ],
    [[{ op: 'test', path: '/id', value: 'a'.repeat(24) }], 409, /operation 0: \/_id does not have this value/, 0],
    [[{ op: 'test', path: '/nosuch', value: null }], 409, /operation 0: \/nosuch does not/, 0],
    [[{ op: 'replace', path: '/nosuch', value: 1 }], 400, /nosuch is not in the schema/],
    [[{ op: 'add', path: '/nosuch', value: 1 }], 400, /nosuch is not in the schema/],
    [[{ op: 'add', path: '/tags/4', value: 'x' }], 400, /operation 0: there is nothing at \/tags\/4/, 0],
    [[{ op: 'add', path: '/tags/01', value: 'x' }], 400, /operation 0: there is nothing at/, 0],
    [[{ op: 'remove', path: '/tags/-' }], 400, /operation 0: there is nothing at/, 0],
    [[{ op: 'add', path: '/title/x', value: 'x' }], 400, /operation 0: there is nothing at/, 0],
    [[{ op: 'move', from: '/meta', path: '/meta/deep/x' }], 400, /is inside of/, 0],
    [[{ op: 'copy', from: '/nosuch', path: '/meta/x' }], 400, /operation 0: there is nothing at \/nosuch/, 0],
    [
      [
        { op: 'remove', path: '/pages' },
        { op: 'jump', path: '/a' },
      ],
      400,
      /operation 1: op must be one of add, remove/,
      1,
    ],
    [[{ op: 'remove', path: 'pages' }], 400, /operation 0: path must be empty or begin with \//, 0],
    [[{ op: 'remove', path: '/a~2b' }], 400, /operation 0: path may have ~ only in/, 0],
    [[{ op: 'remove', path: 3 }], 400, /operation 0: path must be a JSON Pointer/, 0],
    [[{ op: 'add', path: '/pages' }], 400, /operation 0: add needs a value/, 0],
    [[{ op: 'copy', path: '/pages' }], 400, /operation 0: from must be a JSON Pointer/, 0],
    [[{ op: 'replace', path: '', value: {} }], 400, /operation 0: path must name a part/, 0],
    [[{ op: 'add', path: '/__proto__/x', value: 1 }], 400, /operation 0: path has "__proto__"/, 0],
    [[{ op: 'copy', from: '/constructor/prototype', path: '/meta' }], 400, /operation 0: from has "constructor"/, 0],
    [[{ op: 'add', path: '/meta/a.b', value: 1 }], 400, /operation 0: path has "a.b"/, 0],
    [[{ op: 'add', path: '/meta/x', value: { $where: 1 } }], 400, /cannot be used as a name/],
    [['x'], 400, /operation 0: must be an object/, 0],
    [{ op: 'remove', path: '/pages' }, 400, /the body must be a list of operations/],
    [[{ op: 'remove', path: '/title' }], 400, /title is required/],
    [
      [
        { op: 'add', path: '/pages', value: 'many' },
        { op: 'add', path: '/printed', value: 'soon' },
      ],
      400,
      /pages must be a finite number; printed must be a date/,
    ],
    [Array.from({ length: 1001 }, () => ({ op: 'remove', path: '/pages' })), 400, /at most 1000 operations/],
  ];
  test.each(wrong.map(([body, ...rest]) => ({ body, rest })))(
    'refuses the JSON Patch $rest',
    async ({ body, rest: [status, err, index] }) => {
      const id = await made(name);
      const answer = await send(`${name}/${id}`, body, { type: patch });
      expect([answer.status, answer.body['err'], answer.body['index']]).toEqual([
        status,
        expect.stringMatching(err),
        index,
      ]);
      expect((await stored(name, id))['__v']).toBe(0);
    },
  );

  test('If-Match, permission, deletion and restoration answer as for PUT', async () => {
    const forms: readonly [string, (n: number | null) => unknown, unknown, unknown][] = [
      ['application/json', (pages) => ({ pages }), { _deleted: true }, { _deleted: false }],
      [
        'application/json',
        (pages) => ({ $set: { pages } }),
        { $set: { _deleted: true } },
        { $set: { _deleted: false } },
      ],
      [merge, (pages) => ({ pages }), { _deleted: true }, { _deleted: false }],
      [
        patch,
        (value) => [{ op: 'add', path: '/pages', value }],
        [{ op: 'replace', path: '/_deleted', value: true }],
        [{ op: 'replace', path: '/_deleted', value: false }],
      ],
    ];
    for (const [type, body, deletes, restores] of forms) {
      const id = await made(name);
      const path = `${name}/${id}`;
      const tag = (await server.get(`/api/${path}`)).headers.get('etag') ?? '';
      const status = async (given: unknown, sent: Sent = {}): Promise<number> =>
        (await send(path, given, { type, ...sent })).status;
      expect([type, await status(body(1), { headers: { 'if-match': '"7-1"' } })]).toEqual([type, 412]);
      expect(await status(body(1), { headers: { 'if-match': tag } })).toBe(200);
      expect(await status(body(2), { headers: { 'if-match': tag } })).toBe(412);
      expect(await status(body(2), { headers: { authorization: '' } })).toBe(401);
      expect((await send(`${name}/0123456789abcdef01234567`, body(1), { type })).status).toBe(404);
      expect((await send(`${name}/x`, body(1), { type })).status).toBe(400);
      expect(await status(deletes, { as: callers.bob })).toBe(403);
      expect(await status(deletes)).toBe(200);
      expect(await status(body(3))).toBe(404);
      expect(await status([{ op: 'test', path: '/pages', value: 99 }], { type: patch })).toBe(404);
      expect(await status(restores)).toBe(200);
      expect((await server.get(`/api/${path}`)).document).toMatchObject({ pages: 1 });
    }
  });

  test('passwords are hashed once, and are not moved or copied', async () => {
    const body = {
      title: 'P',
      meta: { a: 1 },
      login: { site: 'a', password: 'first-one' },
      logins: [
        { site: 'a', password: 'p-one' },
        { site: 'b', password: 'p-two' },
      ],
    };
    const id = await made(name, body);
    const hashes = async (): Promise<readonly string[]> => {
      const { login, logins } = (await stored(name, id)) as unknown as {
        login: { password: string };
        logins: { password: string }[];
      };
      return [login.password, ...logins.map(({ password }) => password)];
    };
    const before = await hashes();
    expect(before.every((hash) => /^\$2[aby]\$/.test(hash))).toBe(true);
    const path = `${name}/${id}`;
    expect((await send(path, { login: { site: 'c' } }, { type: merge })).status).toBe(200);
    expect((await send(path, [{ op: 'replace', path: '/logins/1/site', value: 'z' }], { type: patch })).status).toBe(
      200,
    );
    expect(await hashes()).toEqual(before);
    const answer = await send(path, [{ op: 'replace', path: '/logins/1/password', value: 'p-three' }], { type: patch });
    expect([answer.status, answer.text.includes('$2')]).toEqual([200, false]);
    expect((await send(path, { login: { password: 'second-one' } }, { type: merge })).status).toBe(200);
    const after = await hashes();
    expect(after[1]).toBe(before[1]);
    expect(
      [after[0], after[2]].every((hash, at) => /^\$2[aby]\$/.test(hash ?? '') && hash !== [before[0], before[2]][at]),
    ).toBe(true);
    for (const operations of [
      [{ op: 'remove', path: '/logins/0' }],
      [{ op: 'move', from: '/logins/1', path: '/logins/0' }],
      [{ op: 'copy', from: '/login/password', path: '/title' }],
      [{ op: 'move', from: '/login/password', path: '/title' }],
      [{ op: 'copy', from: '/login/password', path: '/meta/x' }],
    ])
      expect([operations, (await send(path, operations, { type: patch })).status]).toEqual([operations, 400]);
    expect(
      (await send(path, [{ op: 'copy', from: '/login', path: '/meta/x' }], { type: patch })).document['meta'],
    ).toEqual({ a: 1, x: { site: 'c' } });
    expect((await send(path, [{ op: 'test', path: '/login/password', value: after[0] }], { type: patch })).status).toBe(
      409,
    );
    expect(await hashes()).toEqual(after);
  });

  test('concurrent patches are stored or refused, and none is lost', async () => {
    const id = await made(name, { title: 'Many', tags: [], meta: {} });
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        send(`${name}/${id}`, [{ op: 'add', path: '/tags/-', value: `t${n}` }], { type: patch }),
      ),
    );
    const done = all.filter(({ status }) => status === 200).length;
    expect(all.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect((await stored(name, id))['tags']).toHaveLength(done);
    expect(done).toBeGreaterThan(0);
  });
});

test('other media types are a 415 that lists those of PATCH', async () => {
  const id = await made('book');
  for (const type of [
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/json-patch',
    'application/xml',
    '',
  ]) {
    const answer = await send(`book/${id}`, { pages: 1 }, { type });
    expect([type, answer.status, answer.headers.get('accept-patch')]).toEqual([type, 415, accepted]);
  }
  for (const type of [merge, patch])
    expect(
      (
        await server.send('PUT', `/api/book/${id}`, {
          raw: '{}',
          headers: { ...callers.ann.headers, 'content-type': type },
        })
      ).status,
    ).toBe(415);
  expect((await server.send('PATCH', `/api/book/${id}`, { headers: callers.ann.headers })).status).toBe(400);
});

test('a caller who may change but not read a document cannot read it by a patch', async () => {
  const id = await made('blind', { title: 'hidden', n: 1 });
  const status = async (operations: unknown): Promise<number> =>
    (await send(`blind/${id}`, operations, { type: patch })).status;
  for (const operation of [
    { op: 'test', path: '/title', value: 'hidden' },
    { op: 'copy', from: '/title', path: '/n' },
    { op: 'move', from: '/title', path: '/n' },
  ])
    expect(await status([operation])).toBe(403);
  for (const path of ['/title', '/n'])
    for (const op of ['replace', 'add', 'remove'])
      expect([path, op, await status([{ op, path, value: 2 }])]).toEqual([path, op, 200]);
});

test('a patch that copies too much is refused', async () => {
  const id = await made('book', { title: 'Bomb', meta: { a: 'x'.repeat(1000) } });
  const doubling = Array.from({ length: 60 }, (_, n) => ({ op: 'copy', from: '/meta', path: `/meta/c${n}` }));
  const answer = await send(`book/${id}`, doubling, { type: patch });
  expect([answer.status, answer.body['err']]).toEqual([400, expect.stringMatching(/bytes copied and compared/)]);
});
