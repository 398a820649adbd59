/** Figures: their numbers over the rows that a caller lists, what they are not made of, and how they are kept as views. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

type Names = 'root' | 'ann' | 'ed';

let server: PeopledServer<Names>;
let shops: readonly string[];
beforeAll(async () => {
  server = await openPeople(['root', 'ann', 'ed'], {
    models: {
      shop: ({ Schema }) =>
        new Schema(
          { name: String, secret: { type: String, perms: { admin: 'cru' } } },
          { perms: { user: 'r', admin: 'crud' } },
        ),
      sale: ({ Schema }) =>
        new Schema(
          {
            ...{
              amount: Number,
              price: Schema.Types.Decimal128,
              sold: Date,
              paid: Boolean,
              tags: [String],
              any: Schema.Types.Mixed,
            },
            state: { type: String, enum: ['new', 'sent'] },
            shop_id: { type: Schema.Types.ObjectId, link: 'shop' },
            fee: { type: Number, perms: { editors: 'r', admin: 'cru' } },
            shown: { type: Number, get: (value: number) => value * 2 },
            lines: [new Schema({ count: Number, kind: String })],
            password: String,
          },
          { perms: { user: 'r', editors: 'cru', admin: 'crud' } },
        ),
      note: ({ Schema }) => new Schema({ n: Number }, { perms: { owner: 'crud', user: 'c', admin: 'r' } }),
      plan: ({ Schema }) =>
        new Schema({ n: Number }, { perms: { user: { r: { where: { n: { $gte: 3 } } } }, admin: 'crud' } }),
      hooked: ({ Schema }) => new Schema({ n: Number }, { perms: { user: 'r', admin: 'crud' } }),
      ledger: ({ Schema }) => new Schema({ amount: Number, at: Date }, { perms: { admin: 'crud' } }),
    },
    pre_hooks: {
      get: (req: any, _res, next) => {
        if (req.dossier.model?.name === 'hooked') req.dossier.filter = { n: 5 };
        next();
      },
    },
  });
  const make = async (model: string, bodies: readonly object[], who: Names = 'root'): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (const body of bodies) {
      const { document, text } = await server.as(who, 'POST', `/api/${model}`, { body });
      if (document['_id'] === undefined) throw new Error(text);
      ids.push(String(document['_id']));
    }
    return ids;
  };
  shops = await make('shop', [
    { name: 'North', secret: 'x' },
    { name: 'South', secret: 'y' },
  ]);
  const [north, south] = shops;
  const sales = await make('sale', [
    // the last hour of the day in UTC is the next day in Berlin
    {
      amount: 5,
      price: '1.10',
      sold: '2026-03-01T23:30:00Z',
      state: 'new',
      shop_id: north,
      paid: true,
      tags: ['a', 'b'],
      fee: 1,
    },
    {
      amount: 7,
      price: '2.20',
      sold: '2026-03-02T10:00:00Z',
      state: 'sent',
      shop_id: south,
      paid: false,
      tags: ['a'],
      fee: 2,
    },
    {
      amount: 1,
      price: '3.30',
      sold: '2026-05-02T10:00:00Z',
      state: 'new',
      shop_id: south,
      fee: 3,
      any: { password: 'x' },
    },
    { state: 'new', tags: [] },
    { amount: 100, state: 'new', sold: '2026-03-01T12:00:00Z' },
  ]);
  await server.as('root', 'DELETE', `/api/sale/${sales[4]}`);
  for (const who of ['ann', 'ann', 'root'] as const) await make('note', [{ n: 1 }], who);
  for (const model of ['plan', 'hooked'])
    await make(
      model,
      [1, 2, 3, 4, 5].map((n) => ({ n })),
    );
});

const ask = (who: Names | 'anonymous', model: string, body: object) =>
  server.as(who, 'POST', `/figure/${model}`, { body });
const rowsOf = async (figure: object, more: object = {}): Promise<unknown> => {
  const { status, body, text } = await ask('ann', 'sale', { figure, ...more });
  if (status !== 200) throw new Error(text);
  return (body['data'] as readonly Record<string, unknown>[]).map((row) =>
    'key' in row ? [row['key'], row['value'], row['count']] : [row['value'], row['count']],
  );
};

describe('the numbers', () => {
  test.each<[object, unknown, object?]>([
    [{ of: 'count' }, [[4, 4]]],
    [{ of: 'count' }, [[5, 5]], { deleted: 'shown' }],
    [{ of: 'sum', path: 'amount' }, [[100, 1]], { deleted: 'only' }],
    [{ of: 'count' }, [[2, 2]], { filter: { amount: { $gte: 5 } } }],
    [{ of: 'count' }, [], { filter: { amount: 0 } }],
    [{ of: 'count' }, [[2, 2]], { filter: { 'shop.name': 'South' } }],
    [{ of: 'sum', path: 'amount' }, [[13, 3]]],
    [{ of: 'average', path: 'amount' }, [[13 / 3, 3]]],
    [{ of: 'min', path: 'amount' }, [[1, 3]]],
    [{ of: 'max', path: 'amount' }, [[7, 3]]],
    [
      { of: 'count', by: 'state' },
      [
        ['new', 3, 3],
        ['sent', 1, 1],
      ],
    ],
    [
      { of: 'sum', path: 'amount', by: 'state' },
      [
        ['sent', 7, 1],
        ['new', 6, 2],
      ],
    ],
    [
      { of: 'count', by: 'paid' },
      [
        [null, 2, 2],
        [false, 1, 1],
        [true, 1, 1],
      ],
    ],
    [
      { of: 'count', by: 'tags' },
      [
        [null, 2, 2],
        ['a', 2, 2],
        ['b', 1, 1],
      ],
    ],
    [
      { of: 'count', by: 'sold', unit: 'day' },
      [
        ['2026-05-02', 1, 1],
        ['2026-03-02', 1, 1],
        ['2026-03-01', 1, 1],
      ],
    ],
    [
      { of: 'count', by: 'sold', unit: 'day', zone: 'Europe/Berlin' },
      [
        ['2026-05-02', 1, 1],
        ['2026-03-02', 2, 2],
      ],
    ],
    [
      { of: 'sum', path: 'amount', by: 'sold', unit: 'week' },
      [
        ['2026-04-27', 1, 1],
        ['2026-03-02', 7, 1],
        ['2026-02-23', 5, 1],
      ],
    ],
    [
      { of: 'sum', path: 'amount', by: 'sold', unit: 'month' },
      [
        ['2026-05-01', 1, 1],
        ['2026-03-01', 12, 2],
      ],
    ],
    [{ of: 'sum', path: 'amount', by: 'sold', unit: 'year' }, [['2026-01-01', 13, 3]]],
  ])('%j', async (figure, expected, more = {}) => {
    expect(await rowsOf(figure, more)).toEqual(expected);
  });

  test('of a link have its ids, and those of decimals are exact', async () => {
    const [north, south] = shops;
    expect(await rowsOf({ of: 'count', by: 'shop_id' })).toEqual([
      [south, 2, 2],
      [null, 1, 1],
      [north, 1, 1],
    ]);
    expect(await rowsOf({ of: 'sum', path: 'price' })).toEqual([[expect.stringMatching(/^6\.60?$/), 3]]);
  });

  test('are 20 values and 60 periods at most, the largest and the last ones', async () => {
    const first = Date.UTC(2020, 0, 1);
    const rows = Array.from({ length: 70 }, (_, at) => ({ amount: at, at: new Date(first + at * 86_400_000) }));
    await server.dossier.services.connection.collection('ledgers').insertMany(rows);
    const by = async (figure: object): Promise<readonly unknown[]> =>
      (await ask('root', 'ledger', { figure: { of: 'sum', path: 'amount', ...figure } })).rows.map(({ key }) => key);
    const values = await by({ by: 'amount' });
    expect([values.length, values[0]]).toEqual([20, 69]);
    const days = await by({ by: 'at', unit: 'day' });
    expect([days.length, days[0], days[59]]).toEqual([60, '2020-03-10', '2020-01-11']);
  });

  test.each<[Names, string, unknown]>([
    ['ann', 'note', 2],
    ['ed', 'note', undefined],
    ['root', 'note', 3],
    ['ann', 'plan', 3],
    ['root', 'plan', 5],
    ['ann', 'hooked', 1],
    ['root', 'hooked', 1],
  ])('%s counts the documents of %s that they list', async (who, model, expected) => {
    const { rows } = await ask(who, model, { figure: { of: 'count' } });
    expect(rows[0]?.['value']).toBe(expected);
  });
});

describe('what is refused', () => {
  test.each<[object, number, RegExp]>([
    [{}, 400, /figure must be an object/],
    [{ figure: 'count' }, 400, /figure must be an object/],
    [{ figure: { of: 'median' } }, 400, /figure\.of must be count, sum, average, min or max/],
    [{ figure: { of: 'count', of_path: 'x' } }, 400, /figure has no part "of_path"/],
    [{ figure: { of: 'count', by: { $gt: 1 } } }, 400, /figure\.by must be text/],
    [{ figure: { of: 'count', path: 'amount' } }, 400, /figure\.path must not be given/],
    [{ figure: { of: 'sum' } }, 400, /figure\.path must name the numbers/],
    [{ figure: { of: 'sum', path: 'state' } }, 400, /figure\.path must be a field with one number/],
    [{ figure: { of: 'sum', path: 'lines.count' } }, 400, /figure\.path must be a field with one number/],
    [{ figure: { of: 'sum', path: 'shown' } }, 400, /cannot be made of shown/],
    [{ figure: { of: 'sum', path: 'amuont' } }, 400, /figure: .*amount/],
    [{ figure: { of: 'sum', path: 'fee' } }, 400, /fee/],
    [{ figure: { of: 'count', by: 'fee' } }, 400, /fee/],
    [{ figure: { of: 'count', by: 'password' } }, 400, /password/],
    [{ figure: { of: 'count', by: 'any' } }, 400, /cannot be made of any/],
    [{ figure: { of: 'count', by: 'any.password' } }, 400, /password/],
    [{ figure: { of: 'count', by: 'lines' } }, 400, /cannot be made of lines/],
    [{ figure: { of: 'count', by: '$state' } }, 400, /\$state/],
    [{ figure: { of: 'count', by: '__proto__' } }, 400, /__proto__/],
    [{ figure: { of: 'count', by: 'sold' } }, 400, /figure\.unit must be given with a date/],
    [{ figure: { of: 'count', by: 'state', unit: 'day' } }, 400, /figure\.unit must be given with a date only/],
    [{ figure: { of: 'count', by: 'sold', unit: 'hour' } }, 400, /figure\.unit must be day, week, month or year/],
    [{ figure: { of: 'count', by: 'sold', unit: 'day', zone: 'Europe/Berln' } }, 400, /zone .*Europe\/Berlin/],
    [{ figure: { of: 'count', by: 'state', zone: 'UTC' } }, 400, /figure\.zone must be given with a unit only/],
    [{ figure: { of: 'count' }, filter: { fee: 1 } }, 400, /fee/],
    [{ figure: { of: 'count' }, filter: { $where: '1' } }, 400, /where/],
    [{ figure: { of: 'count' }, filter: { 'shop.secret': 'x' } }, 400, /secret/],
    [{ figure: { of: 'count' }, filter: [] }, 400, /filter/],
    [{ figure: { of: 'count' }, deleted: 'all' }, 400, /deleted must be/],
    [{ figure: { of: 'count' }, search: 'x' }, 400, /^search is unknown; there are figure, filter, deleted$/],
  ])('%j', async (body, status, reason) => {
    const answer = await ask('ann', 'sale', body);
    expect({ status: answer.status, err: answer.body['err'] }).toEqual({ status, err: expect.stringMatching(reason) });
  });

  test.each<[Names | 'anonymous', number]>([
    ['ann', 403],
    ['anonymous', 401],
    ['root', 200],
  ])('%s asks for a figure of what admins read: %i', async (who, status) => {
    expect((await ask(who, 'ledger', { figure: { of: 'count' } })).status).toBe(status);
  });

  test('a hidden path has a figure for those who read it', async () => {
    expect((await ask('ed', 'sale', { figure: { of: 'sum', path: 'fee' } })).rows).toEqual([{ value: 6, count: 3 }]);
  });
});

describe('a figure that is kept', () => {
  const figure = { of: 'sum', path: 'amount', by: 'sold', unit: 'month', zone: 'Europe/Berlin' };
  const kept = { model: 'sale', title: 'Sales', filter: { state: 'new' }, figure };
  const save = (who: Names, body: object) => server.as(who, 'POST', '/views', { body });
  const titles = async (who: Names) => (await server.as(who, 'GET', '/views?limit=100')).rows.map(({ title }) => title);

  test('is a view with that part, which others have as null', async () => {
    const made = await save('ann', kept);
    expect(made).toMatchObject({
      status: 201,
      document: { ...kept, search: null, sort: null, fields: null, own: true },
    });
    const id = String(made.document['id']);
    const changed = await server.as('ann', 'PUT', `/views/${id}`, { body: { figure: { of: 'count' } } });
    const count = { of: 'count', path: null, by: null, unit: null, zone: null };
    expect(changed.document).toMatchObject({ title: 'Sales', figure: count });
    expect(await server.as('ann', 'PUT', `/views/${id}`, { body: { sort: 'amount' } })).toMatchObject({ status: 400 });
    const plain = await save('ann', { model: 'sale', title: 'Table' });
    expect(plain.document['figure']).toBeNull();
    for (const one of [id, String(plain.document['id'])])
      expect((await server.as('ann', 'DELETE', `/views/${one}`)).status).toBe(200);
  });

  test.each<[object, RegExp]>([
    [{ figure: { of: 'sum', path: 'fee' } }, /fee/],
    [{ figure: [] }, /figure must be a figure/],
    [{ figure: { of: 'count', by: 'sold' } }, /figure\.unit/],
    [{ search: 'x' }, /search is no part of a figure/],
    [{ sort: 'amount' }, /sort is no part of a figure/],
    [{ fields: ['amount'] }, /fields is no part of a figure/],
  ])('%j is refused', async (parts, reason) => {
    const { status, body } = await save('ann', { ...kept, ...parts });
    expect({ status, err: body['err'] }).toEqual({ status: 400, err: expect.stringMatching(reason) });
  });

  test('that is shared is there for those who may read each of its paths', async () => {
    for (const [title, path] of [
      ['Fees', 'fee'],
      ['Amounts', 'amount'],
    ] as const) {
      const shared = await save('ed', { model: 'sale', title, shared: true, figure: { of: 'sum', path } });
      expect(shared.status).toBe(201);
    }
    expect(await titles('root')).toEqual(expect.arrayContaining(['Fees', 'Amounts']));
    expect(await titles('ann')).toContain('Amounts');
    expect(await titles('ann')).not.toContain('Fees');
  });

  test('whose path or model has gone stays with its owner, who removes it', async () => {
    for (const more of [
      { model: 'sale', figure: JSON.stringify({ ...figure, path: 'gone' }) },
      { model: 'ledger', figure: JSON.stringify({ of: 'count', path: null, by: null, unit: null, zone: null }) },
      { model: 'no_more', figure: JSON.stringify({ of: 'count', path: null, by: null, unit: null, zone: null }) },
    ]) {
      const { document } = await save('ann', kept);
      const rows = server.dossier.services.connection.collection('_dossier_views');
      await rows.updateOne({ title: 'Sales' }, { $set: { ...more, title: 'Gone' } });
      expect(await titles('ann')).toContain('Gone');
      expect(await titles('ed')).not.toContain('Gone');
      const asked = await ask('ann', more.model, { figure: JSON.parse(more.figure) as object });
      expect([400, 403, 404]).toContain(asked.status);
      expect((await server.as('ann', 'DELETE', `/views/${String(document['id'])}`)).status).toBe(200);
      expect(await titles('ann')).not.toContain('Gone');
    }
  });
});
