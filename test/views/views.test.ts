/** Saved views: who lists, saves, changes and ends them, and what they may hold. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ObjectId } from '../../src/models/mongoose.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

type Names = 'root' | 'ann' | 'bob' | 'ed';

let server: PeopledServer<Names>;
beforeAll(async () => {
  server = await openPeople(['root', 'ann', 'bob', 'ed'], {
    models: {
      film: ({ Schema }) =>
        new Schema(
          {
            title: String,
            year: Number,
            released: Date,
            fee: { type: Number, perms: { editors: 'r', admin: 'ru' } },
            password: String,
          },
          { perms: { user: 'r', editors: 'cru', admin: 'crud' } },
        ),
      ledger: ({ Schema }) => new Schema({ amount: Number }, { perms: { admin: 'crud' } }),
    },
  });
});

const save = (who: Names, body: object) => server.as(who, 'POST', '/views', { body });
const saved = async (who: Names, body: object): Promise<string> => {
  const { status, document, text } = await save(who, body);
  if (status !== 201) throw new Error(text);
  return String(document['id']);
};
const titles = async (who: Names): Promise<readonly unknown[]> =>
  (await server.as(who, 'GET', '/views?limit=100')).rows.map(({ title }) => title);

describe('an own view', () => {
  test('is saved, listed, changed and ended by its owner', async () => {
    const whole = {
      ...{ model: 'film', title: ' Old films ', filter: { year: { $lt: 1950 } }, search: 'x', sort: '-year,title' },
      ...{ fields: ['title', 'year'], deleted: 'shown' },
    };
    const made = await save('ann', whole);
    expect(made).toMatchObject({
      status: 201,
      document: { ...whole, title: 'Old films', own: true, may_change: true },
    });
    const id = String(made.document['id']);
    expect(Object.keys(made.document)).not.toContain('user_id');
    const put = await server.as('ann', 'PUT', `/views/${id}`, { body: { title: 'Older', filter: null } });
    expect(put).toMatchObject({ status: 200, document: { title: 'Older', filter: null, search: 'x' } });
    const [row] = (await server.as('ann', 'GET', '/views')).rows;
    expect(row).toMatchObject({ id, title: 'Older', filter: null, sort: '-year,title', shared: false });
    expect((await server.as('ann', 'DELETE', `/views/${id}`)).status).toBe(200);
    expect((await server.as('ann', 'DELETE', `/views/${id}`)).status).toBe(404);
    expect(await titles('ann')).toEqual([]);
  });

  test('is not there for other users, nor for admins', async () => {
    const id = await saved('ann', { model: 'film', title: 'Private' });
    for (const other of ['bob', 'root'] as const) {
      expect(await titles(other)).not.toContain('Private');
      for (const method of ['PUT', 'DELETE'])
        expect((await server.as(other, method, `/views/${id}`, { body: { title: 'X' } })).status).toBe(404);
    }
    expect(await titles('ann')).toContain('Private');
  });

  test('is listed in pages', async () => {
    for (const title of ['1', '2', '3']) await saved('bob', { model: 'film', title });
    const first = await server.as('bob', 'GET', '/views?limit=2');
    const next = await server.as('bob', 'GET', `/views?limit=2&after=${String(first.body['next_cursor'])}`);
    expect([...first.rows, ...next.rows].map(({ title }) => title)).toEqual(['1', '2', '3']);
    expect(next.body).not.toHaveProperty('next_cursor');
    expect((await server.as('ann', 'GET', `/views?after=${String(first.body['next_cursor'])}`)).status).toBe(400);
  });
});

describe('a shared view', () => {
  test('is seen by all who may read the model, and changed by its owner and admins', async () => {
    const id = await saved('ed', { model: 'film', title: 'Shared', shared: true });
    expect(await titles('ann')).toContain('Shared');
    const change = (who: Names, body: object) => server.as(who, 'PUT', `/views/${id}`, { body });
    expect((await change('ann', { title: 'X' })).status).toBe(403);
    expect((await server.as('ann', 'DELETE', `/views/${id}`)).status).toBe(403);
    expect(await change('root', { title: 'By root' })).toMatchObject({ status: 200, document: { own: false } });
    expect((await change('root', { shared: false })).status).toBe(200);
    expect((await change('root', { shared: true })).status).toBe(404);
    expect(await titles('ann')).not.toContain('By root');
    expect(await titles('ed')).toContain('By root');
    expect((await server.as('ed', 'DELETE', `/views/${id}`)).status).toBe(200);
  });

  test('is not shared by those who may only read', async () => {
    expect(await save('ann', { model: 'film', title: 'X', shared: true })).toMatchObject({ status: 403 });
    const id = await saved('ann', { model: 'film', title: 'Mine' });
    expect((await server.as('ann', 'PUT', `/views/${id}`, { body: { shared: true } })).status).toBe(403);
  });

  test.each([
    ['filter', { filter: { fee: { $gt: 5 } } }],
    ['filter in a branch', { filter: { $or: [{ fee: 5 }, { year: 1 }] } }],
    ['sort', { sort: '-fee' }],
    ['fields', { fields: ['title', 'fee'] }],
  ])('that names a hidden path by its %s is there for those who may read it alone', async (name, parts) => {
    const title = `Fees by ${name}`;
    const id = await saved('ed', { model: 'film', title, shared: true, ...parts });
    expect(await titles('root')).toContain(title);
    expect(await titles('ann')).not.toContain(title);
    expect((await server.as('ann', 'DELETE', `/views/${id}`)).status).toBe(404);
    expect([400, 403]).toContain((await save('ann', { model: 'film', title, ...parts })).status);
  });

  test('of a model that a caller may not read is not there for them', async () => {
    const id = await saved('root', { model: 'ledger', title: 'Books of account', shared: true });
    expect(await titles('ed')).not.toContain('Books of account');
    expect((await server.as('ed', 'PUT', `/views/${id}`, { body: { title: 'X' } })).status).toBe(404);
  });
});

describe('the order of a user', () => {
  const places = async (who: Names): Promise<Readonly<Record<string, unknown>>> =>
    Object.fromEntries((await server.as(who, 'GET', '/views?limit=100')).rows.map(({ id, place }) => [id, place]));
  const order = (who: Names, ids: unknown) => server.as(who, 'PUT', '/views', { body: { order: ids } });

  test('has own and shared views, and is that of no other user', async () => {
    const shared = await saved('ed', { model: 'film', title: 'Ordered', shared: true });
    const [one, two] = [
      await saved('ann', { model: 'film', title: '1' }),
      await saved('ann', { model: 'film', title: '2' }),
    ];
    expect(await places('ann')).toMatchObject({ [shared]: null, [one]: null, [two]: null });
    expect((await order('ann', [two, shared])).status).toBe(200);
    expect(await places('ann')).toMatchObject({ [two]: 0, [shared]: 1, [one]: null });
    expect(await places('ed')).toMatchObject({ [shared]: null });
    const renamed = await server.as('ann', 'PUT', `/views/${two}`, { body: { title: 'Two' } });
    expect(renamed.document).toMatchObject({ title: 'Two', place: 0 });
    // it is replaced as a whole
    expect((await order('ann', [one])).status).toBe(200);
    expect(await places('ann')).toMatchObject({ [one]: 0, [two]: null, [shared]: null });
    expect((await order('ann', [])).status).toBe(200);
    expect(await places('ann')).toMatchObject({ [one]: null });
  });

  test('shows nothing of views that the user does not see', async () => {
    const hidden = await saved('root', { model: 'ledger', title: 'Hidden', shared: true });
    const absent = new ObjectId().toHexString();
    const answers = [await order('bob', [hidden]), await order('bob', [absent])];
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(
      Array(2).fill({ status: 200, body: { status: 'ok', message: 'the order is kept' } }),
    );
    expect(await places('bob')).not.toHaveProperty(hidden);
  });

  test('set at once by several requests is one of them as a whole', async () => {
    const ids = Array.from({ length: 3 }, () => new ObjectId().toHexString());
    const wanted = ids.map((_, at) => [...ids.slice(at), ...ids.slice(0, at)]);
    const answers = await Promise.all([...wanted, ...wanted].map((one) => order('root', one)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const rows = server.dossier.services.connection.collection('_dossier_view_orders');
    const kept = await rows.find({ _id: new ObjectId(server.callers.root.user_id) }).toArray();
    expect(kept).toHaveLength(1);
    expect(wanted).toContainEqual(kept[0]?.['ids']);
  });

  const id = '000000000000000000000001';
  test.each([
    ['text', id],
    ['no id', ['x']],
    ['an operator', [{ $ne: 1 }]],
    ['an operator in its place', { $push: id }],
    ['null', null],
    ['an id twice', [id, id]],
    ['too many', Array.from({ length: 1001 }, () => new ObjectId().toHexString())],
    ['none', undefined],
  ])('is refused: %s', async (_, ids) => {
    const { status, body } = await order('ann', ids);
    expect({ status, err: body['err'] }).toEqual({
      status: 400,
      err: expect.stringMatching(/^order must be a list of at most 1000 different ids of views/),
    });
  });

  test('is refused with another part', async () => {
    const { status, body } = await server.as('ann', 'PUT', '/views', { body: { order: [], title: 'X' } });
    expect({ status, err: body['err'] }).toEqual({ status: 400, err: expect.stringMatching(/^title is unknown/) });
  });

  test('is refused without an account', async () => {
    expect((await server.as('anonymous', 'PUT', '/views', { body: { order: [] } })).status).toBe(401);
  });
});

describe('what is wrong is named', () => {
  const film = { model: 'film', title: 'X' };
  test.each<[object, RegExp]>([
    [{ title: 'X' }, /model/],
    [{ model: 'film' }, /title must be text of 1 to 100/],
    [{ ...film, title: '   ' }, /title must be text/],
    [{ ...film, title: 'x'.repeat(101) }, /title must be text/],
    [{ ...film, title: { $ne: 1 } }, /title must be text/],
    [{ ...film, fields: [1] }, /^fields must be a list/],
    [{ ...film, model: 'flim' }, /there is no model "flim" that you may read.*film/],
    [{ ...film, model: 'ledger' }, /there is no model "ledger" that you may read/],
    [{ ...film, model: '_view' }, /there is no model "_view"/],
    [{ ...film, model: '__proto__' }, /there is no model/],
    [{ ...film, shared: 'yes' }, /shared must be true or false/],
    [{ ...film, filter: [] }, /filter must be a filter/],
    [{ ...film, filter: { $where: '1' } }, /where/],
    [{ ...film, filter: { yaer: 1 } }, /yaer/],
    [{ ...film, filter: { password: 'x' } }, /password/],
    [{ ...film, filter: { title: 'x'.repeat(10_001) } }, /at most 10000 characters/],
    [{ ...film, search: 'x'.repeat(201) }, /search must be text/],
    [{ ...film, sort: 'yaer' }, /yaer/],
    [{ ...film, sort: 'password' }, /password/],
    [{ ...film, fields: [] }, /fields must be a list/],
    [{ ...film, fields: ['constructor'] }, /constructor/],
    [{ ...film, deleted: 'all' }, /deleted must be hidden, shown, only/],
    [
      { ...film, user_id: '000000000000000000000001' },
      /^user_id is unknown; there are model, title, shared, filter, search, sort, fields, deleted, figure$/,
    ],
  ])('%j', async (body, reason) => {
    const { status, body: answer } = await save('ann', body);
    expect({ status, err: answer['err'] }).toEqual({ status: 400, err: expect.stringMatching(reason) });
  });

  test('a change of the model, an id that is none, and a caller without an account', async () => {
    const id = await saved('ann', film);
    const change = (to: string) => server.as('ann', 'PUT', `/views/${to}`, { body: { model: 'ledger' } });
    expect(await change(id)).toMatchObject({ status: 400 });
    expect((await change('x')).status).toBe(400);
    for (const [method, path] of [
      ['GET', '/views'],
      ['POST', '/views'],
      ['PUT', `/views/${id}`],
      ['DELETE', `/views/${id}`],
    ] as const)
      expect((await server.as('anonymous', method, path, { body: film })).status).toBe(401);
  });

  test('the number of views of one user is bounded, also at once', async () => {
    const stored = server.dossier.services.connection.collection('_dossier_views');
    await saved('root', film);
    const first = await stored.findOne({ title: 'X', shared: false, model: 'film' }, { sort: { _id: -1 } });
    const own = { user_id: first?.['user_id'] };
    await stored.insertMany(Array.from({ length: 196 }, () => ({ ...first, _id: new ObjectId() })));
    const all = await Promise.all(Array.from({ length: 8 }, () => save('root', film)));
    expect(all.map(({ status }) => status)).toContain(400);
    expect(await stored.countDocuments(own)).toBeLessThanOrEqual(200);
  });
});

test('the views of a user end with the user', async () => {
  const made = await server.as('root', 'POST', '/api/user', { body: { email: 'gone@x.test', password: 'pw-gone-1' } });
  const gone = String(made.document['_id']);
  const headers = { authorization: `Basic ${Buffer.from('gone@x.test:pw-gone-1').toString('base64')}` };
  expect((await server.post('/views', { model: 'film', title: 'Gone' }, { headers })).status).toBe(201);
  expect((await server.send('PUT', '/views', { body: { order: [gone] }, headers })).status).toBe(200);
  const orders = server.dossier.services.connection.collection('_dossier_view_orders');
  expect(await orders.countDocuments({ ids: gone })).toBe(1);
  await server.as('root', 'DELETE', `/api/user/${gone}?_permaDelete=1`);
  expect(await orders.countDocuments({ ids: gone })).toBe(0);
  const stored = server.dossier.services.connection.collection('_dossier_views');
  expect(await stored.countDocuments({ title: 'Gone' })).toBe(0);
});
