/** What pre-hooks set in the document that is written, past the letters of the caller (docs/hooks.md). */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Api, createServer, type DossierConfig, type HookContext, type HookRequest } from '../../src/index.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';

const orderOf = (more: string): string => `import { Schema } from 'mongoose';
const total = { type: Number, min: 0, perms: { admin: 'cru', all: 'r' } };
const order = new Schema(
  { code: { type: String, unique: true }, shop: String, note: String, price: { net: Number, by: String }, total,
    state: { type: String, required: true, uppercase: true, perms: { admin: 'cru', all: 'r' } },
    mine: { type: String, perms: { owner: 'cru', admin: 'r' } },
    vault: { type: Schema.Types.ObjectId, link: 'vault' } },
  { perms: { user: 'cru', admin: 'crud' }, check_links: true, history: true, advanced_queries: { bulkwrite: true } });
${more}
export default order;`;

const models = {
  'order.ts': orderOf(''),
  'saved.ts': orderOf(`order.pre('save', function () { if (this.isModified('total')) this.note = 'saved'; });`).replace(
    '{ perms',
    "{ collection: 'saved', perms",
  ),
  // a row rule hides all from users, as their links show
  'vault.ts': `import { Schema } from 'mongoose';
export default new Schema({ title: String }, { perms: { user: { r: { where: { title: 'open' } } }, admin: 'crud' } });`,
  'shelf.ts': `import { Schema } from 'mongoose';
export default new Schema({ place: String, tenant: { type: String, perms: { admin: 'cru', all: 'r' } }, n: Number },
  { perms: { user: 'cru' } }).index({ tenant: 1, place: 1 }, { unique: true });`,
};

type Values = Readonly<Record<string, unknown>>;
let values: Values | undefined;
let seen: unknown;
const hook = (req: HookRequest, _res: unknown, next: () => void): void => {
  if (values !== undefined && req.dossier.principal.admin === false) req.dossier.set(values);
  seen = req.dossier.body;
  next();
};

const testInUnit = needs('transactions');
let server: PeopledServer<'root' | 'ann' | 'bob'>;
let vault: string;
beforeAll(async () => {
  const names = ['post', 'put', 'patch', 'update', 'upsert', 'revert', 'delete', 'get', 'bulkwrite'] as const;
  server = await openPeople(['root', 'ann', 'bob'], {
    models,
    pre_hooks: Object.fromEntries(names.map((name) => [name, hook])),
    post_hooks: { count: (req) => req.dossier.set({ total: 1 }) },
  });
  const made = await server.as('root', 'POST', '/api/vault', { body: { title: 'closed' } });
  vault = String(made.body.data._id);
});
beforeEach(() => void (values = undefined));

let codes = 0;
/** A new document of ann, by her; its state is set by the hook. */
async function made(model: string, body: object = {}): Promise<Values & { readonly _id: string }> {
  values ??= { state: 'new' };
  const sent = { code: `c${(codes += 1)}`, ...body };
  const answer = await server.as('ann', 'POST', `/api/${model}`, { body: sent });
  expect([answer.status, answer.body.data]).toEqual([201, expect.any(Object)]);
  return answer.body.data as Values & { readonly _id: string };
}

describe.each(['order', 'saved'])('%s:', (model) => {
  test('a new document has what a hook sets, by the rules of its schema, and the body stays that of the caller', async () => {
    values = { state: 'new', total: 77, price: { net: 5 }, vault };
    const body = { code: `${model} new`, note: 'mine', price: { by: 'me' } };
    const { status, body: answer } = await server.as('ann', 'POST', `/api/${model}`, { body });
    expect([status, answer.data]).toMatchObject([
      201,
      { ...body, price: { net: 5 }, state: 'NEW', total: 77, vault, note: model === 'saved' ? 'saved' : 'mine' },
    ]);
    expect(answer.data.price).not.toHaveProperty('by');
    expect(seen).toEqual(body);
  });

  const changes: readonly (readonly [name: string, method: string, path: string, body: unknown, type: string])[] = [
    ['PUT', 'PUT', '/api', { shop: 'x' }, 'application/json'],
    ['PUT of nothing', 'PUT', '/api', {}, 'application/json'],
    ['PUT of a part of what is set', 'PUT', '/api', { shop: 'x', 'price.by': 'me' }, 'application/json'],
    ['PUT /update', 'PUT', '/update', { shop: 'x' }, 'application/json'],
    ['PATCH of fields', 'PATCH', '/api', { shop: 'x', price: { by: 'me' } }, 'application/json'],
    ['PATCH by operators', 'PATCH', '/api', { $set: { shop: 'x' }, $inc: { 'price.net': 1 } }, 'application/json'],
    ['a merge patch', 'PATCH', '/api', { shop: 'x', price: null }, 'application/merge-patch+json'],
    ['a JSON Patch', 'PATCH', '/api', [{ op: 'add', path: '/shop', value: 'x' }], 'application/json-patch+json'],
  ];
  test.each(changes)(
    '%s: what a hook sets is stored in place of what the caller sends',
    async (_name, method, path, body, type) => {
      const { _id } = await made(model);
      values = { total: 77, price: { net: 5 }, mine: 'by the application', vault };
      const headers = { 'content-type': type };
      // bob changes the document of ann
      const answer = await server.as('bob', method, `${path}/${model}/${_id}`, { body, headers });
      expect([answer.status, answer.body.data]).toMatchObject([200, { total: 77, price: { net: 5 }, vault }]);
      expect(answer.body.data.price).toEqual({ net: 5 });
      const stored = await server.as('root', 'GET', `/api/${model}/${_id}`);
      expect(stored.body.data).toMatchObject({ mine: 'by the application', state: 'NEW' });
    },
  );

  test('the caller still needs the right on what they send, and links only to what they see', async () => {
    const { _id } = await made(model);
    values = { state: 'done' };
    const put = (body: object) => server.as('bob', 'PUT', `/api/${model}/${_id}`, { body });
    expect((await put({ total: 5 })).status).toBe(403);
    expect((await put({ mine: 'x' })).status).toBe(403);
    expect((await put({ vault })).status).toBe(400);
    expect((await server.as('root', 'GET', `/api/${model}/${_id}`)).body.data).toMatchObject({ state: 'NEW' });
  });

  test.each<[Values, string]>([
    [{ total: 'much' }, 'total'],
    [{ total: -1 }, 'total'],
    [{ totl: 1 }, 'totl'],
    [{ vault: '0123456789abcdef01234567' }, 'vault'],
  ])('%j is refused as in a body', async (set, path) => {
    const { _id } = await made(model);
    values = { state: 'new', ...set };
    for (const [method, at] of [
      ['POST', ''],
      ['PUT', `/${_id}`],
    ] as const) {
      const { status, body } = await server.as('ann', method, `/api/${model}${at}`, { body: { note: 'x' } });
      expect([status, body.errors]).toMatchObject([400, [{ path }]]);
    }
  });

  test('a revert', async () => {
    const { _id } = await made(model, { shop: 'a' });
    values = undefined;
    await server.as('ann', 'PUT', `/api/${model}/${_id}`, { body: { shop: 'b' } });
    values = { total: 3 };
    const { status, body } = await server.as('ann', 'POST', `/history/${model}/${_id}/revert`, { body: { rev: 1 } });
    expect([status, body.data]).toMatchObject([200, { shop: 'a', total: 3 }]);
  });
});

test('an upsert finds the document by what a hook sets, and creates it with that', async () => {
  const upsert = (body: object) => server.as('ann', 'PUT', '/api/shelf?on=tenant,place', { body });
  values = { tenant: 't1' };
  const first = await upsert({ place: 'p', n: 1 });
  const second = await upsert({ place: 'p', n: 2 });
  values = { tenant: 't2' };
  const other = await upsert({ place: 'p', n: 3 });
  expect([first.status, second.status, other.status]).toEqual([201, 200, 201]);
  expect(second.body.data).toMatchObject({ _id: first.body.data._id, tenant: 't1', n: 2 });
  expect(other.body.data).toMatchObject({ tenant: 't2', n: 3 });
});

testInUnit('each operation of a batch has its own', async () => {
  const [first, second] = [await made('order'), await made('order')];
  values = { total: 4 };
  const operations = [first, second].map(({ _id }) => ({
    method: 'PUT',
    path: `/api/order/${_id}`,
    body: { shop: 'x' },
  }));
  const { status, body } = await server.as('ann', 'POST', '/batch', { body: { operations } });
  expect([status, body.status]).toEqual([200, 'ok']);
  for (const { _id } of [first, second])
    expect((await server.as('root', 'GET', `/api/order/${_id}`)).body.data).toMatchObject({ shop: 'x', total: 4 });
});

test.each<[string, string, Values, number]>([
  ['GET', '/api/order', { total: 1 }, 500],
  // each of its operations has values of its own
  ['POST', '/bulkwrite/order', { total: 1 }, 500],
  ['DELETE', '/api/order/0123456789abcdef01234567', { total: 1 }, 500],
  ['POST', '/api/order', { _deleted: true }, 500],
  ['POST', '/api/order', { 'price.net': 1 }, 500],
  ['POST', '/api/order', { price: { 'a.b': 1 } }, 400],
])('%s %s with %j set is %s', async (method, path, set, status) => {
  values = set;
  expect((await server.as('bob', method, path, method === 'POST' ? { body: {} } : {})).status).toBe(
    method === 'DELETE' ? 403 : status,
  );
});

test('a post-hook cannot set anything', async () => {
  expect((await server.as('ann', 'GET', '/count/order')).status).toBe(500);
});

test('the context of a hook has the types that the guide names', () => {
  const names = ({ principal, model, params, query, body, filter, services }: HookContext): readonly unknown[] => [
    principal.user?.name,
    ...[model?.name, model?.collection, model?.options.check_links, model?.links[0]?.as],
    ...[params['id'], query, body, filter],
    ...[services.settings.port, services.registry.find('order')?.name, services.log],
  ];
  const narrow = (context: HookContext): void => {
    context.filter = { state: 'open' };
    context.body = { note: 'x' };
    context.set({ total: 77, price: { net: 5 } });
    const [id, email, groups]: readonly [string | undefined, string | undefined, readonly string[] | undefined] = [
      context.principal.user?._id,
      context.principal.user?.email,
      context.principal.user?.groups,
    ];
    const [admin, roles]: readonly [boolean, readonly string[]] = [context.principal.admin, context.principal.roles];
    const api: Api = context.api;
    // @ts-expect-error the caller is fixed
    context.principal = { user: undefined, admin, roles };
    // @ts-expect-error values are those of named fields
    context.set([id, email, groups, api]);
  };
  const hooks: Pick<DossierConfig, 'pre_hooks' | 'post_hooks'> = {
    pre_hooks: { post: [(req, _res, next) => (narrow(req.dossier), next())] },
    post_hooks: { post: (req, result) => [req.dossier.principal.user?._id, result] },
  };
  expect([names, createServer, hooks.pre_hooks]).toEqual([
    expect.any(Function),
    expect.any(Function),
    expect.any(Object),
  ]);
});
