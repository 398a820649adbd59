/** Attacks on field letters and row rules through every form of PATCH, and through PUT with `on` (docs/permissions.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Document } from '../support/client.ts';
import { type Caller, type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const merge = 'application/merge-patch+json';
const patch = 'application/json-patch+json';

let server: TestServer;
let callers: Callers<'root' | 'ann' | 'bob'>;
beforeAll(async () => {
  server = await startServer({
    models: {
      'doc.ts': `export default ({ Schema, Mixed }) => new Schema({
        title: String, team: String, meta: Mixed,
        hidden: { type: String, perms: { admin: 'cru' } },
        drop: { type: String, perms: { admin: 'cru', user: 'u' } },
        fixed: { type: String, perms: { admin: 'cru', user: 'r' } },
        mine: { type: String, perms: { admin: 'cru', owner: 'cru' } },
        pay: { sum: Number, memo: { type: String, perms: { admin: 'cru' } } },
        lines: [{ kind: String, memo: { type: String, perms: { admin: 'cru' } }, _id: false }],
      }, { perms: { user: 'ru', admin: 'crud' } });`,
      'user.ts': `export default ({ Schema }) => new Schema({ name: String, team: String }, { perms: { admin: 'crud', owner: 'ru' } });`,
      'ruled.ts': `export default ({ Schema }) => { const mine = { where: { team: '$user.team' } };
        return new Schema({ title: String, team: String }, { perms: { user: { u: true, r: mine }, admin: 'crud' } }); };`,
      'kept.ts': `export default ({ Schema }) => { const mine = { where: { team: '$user.team' } };
        return new Schema({ title: String, team: String }, { perms: { user: { u: mine, r: true }, admin: 'crud' } }); };`,
    },
  });
  callers = await makeCallers(server, ['root', 'ann', 'bob']);
  await server.put(`/api/user/${callers.ann.user_id}`, { team: 'red' }, callers.root);
});

const secret = 'do-not-tell';
const whole = {
  title: 'T',
  team: 'red',
  meta: { a: 1 },
  hidden: secret,
  drop: secret,
  fixed: 'f',
  mine: 'm',
  pay: { sum: 1, memo: secret },
  lines: [
    { kind: 'x', memo: secret },
    { kind: 'y', memo: secret },
  ],
};
const made = async (name = 'doc', body: Document = whole): Promise<string> =>
  String((await server.post(`/api/${name}`, body, callers.root)).document['_id']);
const send = (path: string, body: unknown, type = 'application/json', as: Caller = callers.ann): Promise<Answer> =>
  server.send('PATCH', `/api/${path}`, { raw: JSON.stringify(body), headers: { ...as.headers, 'content-type': type } });
const stored = async (id: string, name = 'doc'): Promise<Document> =>
  (await server.get(`/api/${name}/${id}`, callers.root)).document;

/** Every form of setting a value at a path of names. */
const forms: readonly (readonly [string, (names: readonly string[], value: unknown) => readonly [unknown, string]])[] =
  [
    ['fields', (names, value) => [{ [names.join('.')]: value }, 'application/json']],
    ['$set', (names, value) => [{ $set: { [names.join('.')]: value } }, 'application/json']],
    ['merge patch', (names, value) => [names.reduceRight((inner, name) => ({ [name]: inner }), value), merge]],
    ['add', (names, value) => [[{ op: 'add', path: `/${names.join('/')}`, value }], patch]],
    ['replace', (names, value) => [[{ op: 'replace', path: `/${names.join('/')}`, value }], patch]],
    ['copy', (names) => [[{ op: 'copy', from: '/title', path: `/${names.join('/')}` }], patch]],
    ['move', (names) => [[{ op: 'move', from: '/title', path: `/${names.join('/')}` }], patch]],
  ];

describe.each(forms)('%s', (form, bodyOf) => {
  const unwritable: readonly (readonly [readonly string[], unknown])[] = [
    [['hidden'], 'x'],
    [['fixed'], 'f'],
    [['mine'], 'x'],
    [['pay', 'memo'], 'x'],
    [['pay'], { sum: 2 }],
    [['lines'], []],
  ];
  test.each(unwritable.filter(([names]) => !(form === 'merge patch' && names.join() === 'pay')))(
    'does not write %j',
    async (names, value) => {
      const id = await made();
      const answer = await send(`doc/${id}`, ...bodyOf(names, value));
      expect([answer.status, answer.body['errors']]).toEqual([
        403,
        [expect.objectContaining({ path: names.join('.') })],
      ]);
      expect(await stored(id)).toMatchObject({ ...whole, __v: 0 });
    },
  );

  test('writes what may be written without being read, and does not show it', async () => {
    const id = await made();
    const answer = await send(`doc/${id}`, ...bodyOf(['drop'], 'new'));
    expect([answer.status, answer.text.includes(secret), 'drop' in answer.document]).toEqual([200, false, false]);
    expect((await stored(id))['drop']).toBe(form === 'copy' || form === 'move' ? 'T' : 'new');
  });
});

test('removing is writing', async () => {
  const id = await made();
  for (const [body, type] of [
    [{ hidden: null }, merge],
    [{ pay: { memo: null } }, merge],
    [{ pay: null }, merge],
    [{ $unset: { hidden: 1 } }, 'application/json'],
    [{ $rename: { hidden: 'meta.x' } }, 'application/json'],
    [[{ op: 'remove', path: '/hidden' }], patch],
    [[{ op: 'remove', path: '/pay' }], patch],
    [[{ op: 'remove', path: '/lines/0' }], patch],
    [[{ op: 'move', from: '/fixed', path: '/title' }], patch],
  ] as const)
    expect([body, (await send(`doc/${id}`, body, type)).status].slice(1)[0]).toBeGreaterThanOrEqual(400);
  expect(await stored(id)).toMatchObject({ ...whole, __v: 0 });
});

test('what may not be read cannot be tested, copied, moved or carried along', async () => {
  const [full, empty] = [
    await made(),
    await made('doc', { title: 'T', meta: { a: 1 }, pay: { sum: 1 }, lines: [{ kind: 'x' }, { kind: 'y' }] }),
  ];
  for (const operations of [
    [{ op: 'test', path: '/hidden', value: secret }],
    [{ op: 'test', path: '/hidden', value: null }],
    [{ op: 'test', path: '/drop', value: secret }],
    [{ op: 'test', path: '/pay/memo', value: secret }],
    [{ op: 'test', path: '/lines/0/memo', value: secret }],
    [{ op: 'test', path: '/pay', value: { sum: 1, memo: secret } }],
    [{ op: 'test', path: '/mine', value: 'm' }],
    [{ op: 'copy', from: '/hidden', path: '/title' }],
    [{ op: 'copy', from: '/drop', path: '/meta/x' }],
    [{ op: 'copy', from: '/pay/memo', path: '/meta/x' }],
    [{ op: 'copy', from: '/lines/1/memo', path: '/title' }],
    [{ op: 'move', from: '/drop', path: '/title' }],
    [{ op: 'add', path: '/drop/x', value: 1 }],
  ]) {
    const [one, other] = [await send(`doc/${full}`, operations, patch), await send(`doc/${empty}`, operations, patch)];
    expect([operations, one.status >= 400, one.body]).toEqual([operations, true, other.body]);
  }
  // what is there and what is not answer alike
  for (const op of ['replace', 'remove', 'add']) {
    const operations = [{ op, path: '/drop', value: 'v' }];
    const [one, other] = [await send(`doc/${full}`, operations, patch), await send(`doc/${empty}`, operations, patch)];
    expect([op, one.status, other.status]).toEqual([op, 200, 200]);
  }
  const copied = await send(
    `doc/${full}`,
    [
      { op: 'copy', from: '/pay', path: '/meta/pay' },
      { op: 'copy', from: '/lines', path: '/meta/lines' },
      { op: 'copy', from: '/lines/0', path: '/meta/line' },
    ],
    patch,
  );
  expect(copied.document['meta']).toEqual({
    a: 1,
    pay: { sum: 1 },
    lines: [{ kind: 'x' }, { kind: 'y' }],
    line: { kind: 'x' },
  });
  expect((await stored(full))['meta']).toEqual(copied.document['meta']);
  const tested = await send(
    `doc/${full}`,
    [
      { op: 'test', path: '/pay', value: { sum: 1 } },
      { op: 'replace', path: '/lines/0/kind', value: 'z' },
    ],
    patch,
  );
  expect(tested.status).toBe(200);
  // what a change leaves alone keeps what the caller does not see
  expect((await stored(full))['lines']).toEqual([
    { kind: 'z', memo: secret },
    { kind: 'y', memo: secret },
  ]);
});

test('a field of owners may be tested and changed in own rows only', async () => {
  const [own, other] = [await made('doc', { ...whole, _owner_id: callers.ann.user_id }), await made()];
  const operations = [
    { op: 'test', path: '/mine', value: 'm' },
    { op: 'replace', path: '/mine', value: 'n' },
  ];
  expect((await send(`doc/${own}`, operations, patch)).document).toMatchObject({ mine: 'n' });
  expect((await send(`doc/${own}`, { mine: 'o' }, merge)).document).toMatchObject({ mine: 'o' });
  for (const [body, type] of [
    [operations.slice(1), patch],
    [{ mine: 'o' }, merge],
    [{ $set: { mine: 'o' } }, 'application/json'],
    [{ $unset: { mine: 1 } }, 'application/json'],
  ] as const)
    expect([body, (await send(`doc/${other}`, body, type)).status]).toEqual([body, 403]);
  expect((await stored(other))['mine']).toBe('m');
});

test('rules hold before and after, in every form', async () => {
  const [mine, others] = [
    await made('kept', { title: 'A', team: 'red' }),
    await made('kept', { title: 'B', team: 'blue' }),
  ];
  for (const [, bodyOf] of forms.slice(0, 5)) {
    expect((await send(`kept/${mine}`, ...bodyOf(['team'], 'blue'))).status).toBe(403);
    expect((await send(`kept/${others}`, ...bodyOf(['team'], 'red'))).status).toBe(403);
    expect((await send(`kept/${mine}`, ...bodyOf(['title'], 'A2'))).status).toBe(200);
  }
  expect((await send(`kept/${mine}`, { team: null }, merge)).status).toBe(403);
  expect((await send(`kept/${mine}`, [{ op: 'remove', path: '/team' }], patch)).status).toBe(403);
  expect([(await stored(mine, 'kept'))['team'], (await stored(others, 'kept'))['title']]).toEqual(['red', 'B']);
});

test('a row out of reach answers as a missing one, whatever it holds', async () => {
  const [id, other] = [await made('ruled', { title: secret, team: 'blue' }), await made('ruled', { team: 'blue' })];
  for (const operation of [
    { op: 'test', path: '/title', value: secret },
    { op: 'test', path: '/title', value: 'x' },
    { op: 'copy', from: '/title', path: '/team' },
    { op: 'move', from: '/title', path: '/team' },
    { op: 'replace', path: '/title', value: 'new' },
  ])
    for (const at of [id, other, '0'.repeat(24)]) {
      const { status, body } = await send(`ruled/${at}`, [operation], patch);
      expect([operation, status, body['err']]).toEqual([operation, 404, `no ruled has the id ${at}`]);
    }
  expect((await stored(id, 'ruled'))['title']).toBe(secret);
});

test('users cannot give themselves rights or credentials by a patch', async () => {
  const { ann, root } = callers;
  const path = `user/${ann.user_id}`;
  for (const [, bodyOf] of forms.slice(0, 5)) {
    for (const [name, value] of [
      ['admin', true],
      ['groups', ['x']],
      ['password', 'other-1'],
      ['email_verified', true],
    ] as const)
      await send(path, ...bodyOf([name], value));
    expect((await send(path, ...bodyOf(['email'], 'other@x.test'))).status).toBe(400);
    expect((await send(`user/${root.user_id}`, ...bodyOf(['admin'], false), root)).status).toBe(409);
  }
  expect((await server.get(`/api/user/${ann.user_id}`, root)).document).toMatchObject({ email: ann.email });
  const { document } = await server.get(`/api/user/${ann.user_id}`, root);
  expect([document['admin'] ?? false, document['groups'] ?? []]).toEqual([false, []]);
  expect((await server.post('/login', { email: ann.email, password: ann.password })).status).toBe(200);
  expect((await send(`user/${root.user_id}`, [{ op: 'remove', path: '/admin' }], patch, root)).status).toBe(400);
  expect((await send(`user/${root.user_id}`, { admin: null }, merge, root)).status).toBe(400);
});
