/** Plug-ins: what they bring, and clashes of names (docs/plugins.md). */
import mongoose from 'mongoose';
import { definePlugin, defineRoute, type DossierConfig, type Plugin } from '../../src/index.ts';
import { type StartOptions, startServer, type TestServer } from '../support/server.ts';

const calls: string[] = [];

const invoices = ({ path = '/invoices/total' } = {}): Plugin =>
  definePlugin({
    name: 'invoices',
    models: {
      invoice: new mongoose.Schema(
        { number: String, cents: Number, ticket_id: { type: mongoose.Schema.Types.ObjectId, link: 'ticket' } },
        { perms: { all: 'crud' } } as object,
      ),
    },
    routes: [
      defineRoute({
        method: 'GET',
        path,
        access: 'all',
        answer: { type: 'number' },
        handler: async ({ api }) => {
          const { data } = await api.model('invoice').list();
          return data.reduce((sum, row) => sum + Number((row as { cents?: unknown }).cents), 0);
        },
      }),
    ],
    schedules: { remind: { cron: '0 3 * * *', run: () => undefined } },
    pre_hooks: { post: (_req, _res, next) => (calls.push('invoices'), next()) },
    post_hooks: { get: [() => void calls.push('read')] },
  });

const ticket = `import { Schema } from 'mongoose'; export default new Schema({ title: String }, { perms: { all: 'crud' } });`;
const open = (options: StartOptions): Promise<TestServer> =>
  startServer({ models: { ticket }, routes_dir: '/nowhere', ...options });

test('models, routes, schedules and hooks are those of the server', async () => {
  const server = await open({
    plugins: [invoices()],
    pre_hooks: { post: (_req, _res, next) => (calls.push('config'), next()) },
    schedules: { nightly: { cron: '0 4 * * *', run: () => undefined } },
  });
  const { document } = await server.post('/api/ticket', { title: 'a' });
  for (const cents of [100, 250])
    expect((await server.post('/api/invoice', { cents, ticket_id: document['_id'] })).status).toBe(201);
  expect(calls.slice(0, 2)).toEqual(['invoices', 'config']);
  expect((await server.get('/invoices/total')).body).toEqual({ data: 350 });
  const { rows } = await server.get('/api/invoice?populate=ticket');
  expect(rows[0]).toMatchObject({ ticket: { title: 'a' } });
  expect(calls).toContain('read');
  const { body } = await server.get('/openapi.json');
  expect(Object.keys(body['paths'] as object)).toEqual(expect.arrayContaining(['/api/invoice', '/invoices/total']));
  const schedules = await server.dossier.api.as('system').model('invoice').count();
  expect(schedules).toBe(2);
});

const named = (name: string, parts: Partial<Plugin> = {}): Plugin => definePlugin({ name, ...parts });
const schema = new mongoose.Schema({ a: String });
const wrong = (value: unknown): DossierConfig => value as DossierConfig;
const tick = { cron: '0 3 * * *', run: (): void => undefined };

test.each<[string, DossierConfig, RegExp]>([
  [
    'two plug-ins of one name',
    { plugins: [named('one'), named('ONE')] },
    /plug-in ONE: the plug-in one is also one of plugins\.0/,
  ],
  [
    'a model of a file',
    { plugins: [named('one', { models: { ticket: schema } })] },
    /plug-in one: the model ticket: .*ticket\.ts already defines the model ticket/,
  ],
  [
    'a model of two plug-ins',
    { plugins: [named('one', { models: { bill: schema } }), named('two', { models: { bill: schema } })] },
    /plug-in two: the model bill: plug-in one already defines the model bill/,
  ],
  [
    'a schedule of the config',
    { schedules: { tick }, plugins: [named('one', { schedules: { tick } })] },
    /plug-in one: the schedule tick is also one of the config/,
  ],
  [
    'a schedule of two plug-ins',
    { plugins: [named('one', { schedules: { tick } }), named('two', { schedules: { tick } })] },
    /plug-in two: the schedule tick is also one of plug-in one/,
  ],
  [
    'a route of two plug-ins',
    { plugins: [invoices(), named('two', { routes: invoices().routes ?? [] })] },
    /plug-in two: GET \/invoices\/total is taken by GET \/invoices\/total of plug-in invoices/,
  ],
  [
    'a route of the server',
    { plugins: [invoices({ path: '/api/own' })] },
    /plug-in invoices: GET \/api\/own: paths that begin with \/api/,
  ],
  [
    'a name of no model',
    { plugins: [named('one', { models: { Bill: schema } })] },
    /plug-in one: the model Bill: the name of a model must/,
  ],
  [
    'what is no schema',
    wrong({ plugins: [{ name: 'one', models: { bill: {} } }] }),
    /plug-in one: the model bill must be a Mongoose schema/,
  ],
  [
    'a bad option of a model',
    {
      plugins: [
        named('one', { models: { bill: new mongoose.Schema({ a: String }, { perms: { all: 'x' } } as object) } }),
      ],
    },
    /plug-in one: .*perms/,
  ],
  ['no list', wrong({ plugins: {} }), /plugins must be a list/],
  ['no plug-in', wrong({ plugins: [5] }), /plugins\.0 must be what definePlugin/],
  ['no name', wrong({ plugins: [{}] }), /plugins\.0\.name must start with a letter/],
  [
    'an unknown key',
    wrong({ plugins: [{ name: 'one', route: [] }] }),
    /plug-in one: route is no key of a plug-in.*did you mean "routes"/,
  ],
  [
    'an unknown hook',
    wrong({ plugins: [{ name: 'one', pre_hooks: { gets: () => undefined } }] }),
    /plug-in one: pre_hooks\.gets is unknown/,
  ],
  [
    'a bad schedule',
    wrong({ plugins: [{ name: 'one', schedules: { tick: {} } }] }),
    /plug-in one: schedules\.tick\.run must be a function/,
  ],
  [
    'models that are a list',
    wrong({ plugins: [{ name: 'one', models: [] }] }),
    /plug-in one: models must be an object/,
  ],
  ['routes that are no list', wrong({ plugins: [{ name: 'one', routes: {} }] }), /plug-in one: routes must be a list/],
])('%s stops the start', async (_what, options, fault) => {
  await expect(open(options)).rejects.toThrow(fault);
});

test('the documents of a model that a plug-in brings leave by the view of the caller', async () => {
  const secret = new mongoose.Schema({ open: String, own: { type: String, perms: { admin: 'cr' } } }, {
    perms: { all: 'r' },
  } as object);
  const vault = definePlugin({
    name: 'vault',
    models: { safe: secret },
    routes: [
      defineRoute({
        method: 'GET',
        path: '/safes',
        access: 'all',
        handler: () => server.dossier.services.connection.model('safe').find(),
      }),
    ],
  });
  const server = await open({ plugins: [vault] });
  await server.dossier.api.as('system').model('safe').create({ open: 'a', own: 'CANARY' });
  const { text } = await server.get('/safes');
  expect(text).toContain('"open":"a"');
  expect(text).not.toContain('CANARY');
});
