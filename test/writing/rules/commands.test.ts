/** Which models load and save their documents: those with middleware or rules that read the document. All others send one command. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client.ts';
import { type MonitoredDatabase, openMonitored } from '../../support/database.ts';
import { type Callers, makeCallers } from '../../support/fixtures/people.ts';
import { startServer, type TestServer } from '../../support/server.ts';

/** Fields and code of schemas without such rules. */
const plain: Readonly<Record<string, readonly [fields: string, code?: string]>> = {
  'no rules': ['a: String'],
  'rules of options': [
    `a: { type: String, required: true, enum: ['x', 'y'], match: /./, minlength: 1, maxlength: 9, lowercase: true, trim: true, uppercase: false },
     n: { type: Number, min: 0, max: 9 }, at: { type: Date, min: new Date(0), max: Date.now }, code: { type: String, immutable: true }`,
  ],
  'arrow functions': [
    `a: { type: String, validate: (v) => v.length > 0, set: v => v.trim(), default: () => 'x', required: () => true },
     n: { type: Number, validate: { validator: async (v) => v > 0, message: 'this is not above 0' } }`,
  ],
  'ordinary functions that do not use this': [
    `a: { type: String, validate: function (v) { return v.length > 0; }, default: function () { return 'x'; } },
     n: { type: Number, set: function (v) { return Math.abs(v); }, required: function required() { return false; } },
     m: { type: Number, validate: { validator(v) { return v > 0; } } }`,
  ],
  'native and bound functions': [
    `a: { type: String, set: String, default: String }, at: { type: Date, default: Date.now },
     n: { type: Number, default: function () { return this.n; }.bind({ n: 1 }), validate: Number.isFinite }`,
  ],
  'lists, documents, maps and unions': [
    `a: String, list: [String], grid: [[Number]], docs: [{ name: { type: String, required: true } }], one: new Schema({ b: String }),
     map: { type: Map, of: String }, maps: { type: Map, of: new Schema({ b: String }) }, any: {},
     either: { type: Schema.Types.Union, of: [String, Number] }, deep: { er: { type: String, lowercase: true } }`,
  ],
  'timestamps, aliases and computed values': [
    `a: { type: String, alias: 'title', get: function (v) { return v ?? this.b; } }, b: String`,
    `schema.set('timestamps', true); schema.virtual('both').get(function () { return this.a + this.b; });
     schema.virtual('parts', { ref: 'user', localField: '_id', foreignField: 'name' });`,
  ],
  'middleware of other operations': [
    'a: String',
    `schema.pre(/^find/, function () {}); schema.post('deleteOne', function () {}); schema.pre('init', function () {});
     schema.pre('insertMany', function () {}); schema.plugin((one) => { one.statics.found = function () { return this.find(); }; });`,
  ],
};

/** Fields and code of schemas with such rules. */
const ruled: Readonly<Record<string, readonly [fields: string, code?: string]>> = {
  validator: ['a: { type: String, validate: function (v) { return v !== this.b; } }, b: String'],
  'validator of list members': ['a: String, list: [{ type: String, validate: function (v) { return v !== this.a; } }]'],
  'validator of a path': ['a: String', `schema.path('a').validate(function (v) { return v !== this.b; });`],
  'validator that calls eval': [`a: { type: String, validate: function (v) { return eval('v.length > 0'); } }`],
  setter: ['a: { type: String, set(v) { return this.b ?? v; } }, b: String'],
  'setter of the value before': ['a: { type: String, set: (v, before) => v || before }'],
  'bound of a date': ['a: String, from: Date, to: { type: Date, min: function () { return this.from; } }'],
  required: ['a: String, b: { type: String, required: function () { return this.a === "z"; } }'],
  default: ['a: String, b: { type: String, default: function () { return this.a; } }'],
  'default of a list': ['a: String, b: { type: [String], default: function () { return [this.a]; } }'],
  'default of a parameter': ['a: String, b: { type: String, default: (document) => document.a }'],
  immutable: ['a: String, b: { type: String, immutable: (document) => document.a === "z" }'],
  'immutable without a parameter': ['a: String, b: { type: String, immutable: () => true }'],
  'map of documents': [
    'a: String, map: { type: Map, of: new Schema({ b: { type: String, set: function (v) { return this.c ?? v; } } }) }',
  ],
  'pre save': ['a: String', `schema.pre('save', () => undefined);`],
  'post save': ['a: String', `schema.post('save', () => undefined);`],
  'middleware of a plugin': ['a: String', `schema.plugin((one) => one.pre('validate', () => undefined));`],
  'middleware of a nested schema': [`a: String, parts: [new Schema({ b: String }).pre('save', () => undefined)]`],
  'middleware of a kind': [
    'a: String',
    `schema.discriminator('counted', new Schema({ n: Number }).pre('save', () => undefined));`,
  ],
  'rule of a nested kind': [
    'a: String, parts: [new Schema({ b: String })]',
    `schema.path('parts').discriminator('nestedKind', new Schema({ c: { type: String, required: function () { return this.b === 'z'; } } }));`,
  ],
  'virtual with a setter': ['a: String', `schema.virtual('title').set(function (v) { this.a = v; });`],
};

const nameOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z]/g, '');
const file = ([fields, code = '']: readonly [string, string?], more = ''): string => `module.exports = ({ Schema }) => {
  const schema = new Schema({ key: { type: String, unique: true }, ${fields} },
    { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, ${more} });
  ${code}
  return schema;
};`;
const filesOf = (all: typeof plain): Record<string, string> =>
  Object.fromEntries(Object.entries(all).map(([title, one]) => [`${nameOf(title)}.cjs`, file(one)]));

let server: TestServer;
let callers: Callers<'root'>;
let database: MonitoredDatabase;
/** Names of the commands on documents of models. */
let sent: string[] = [];

beforeAll(async () => {
  database = await openMonitored();
  const asked = {
    'forced.cjs': file(['a: String'], 'save_on_put: true'),
    'unforced.cjs': file(ruled['validator'] as [string], 'save_on_put: false'),
  };
  server = await startServer({
    models: { ...filesOf(plain), ...filesOf(ruled), ...asked },
    mongodb_url: database.mongodb_url,
  });
  callers = await makeCallers(server, ['root']);
  const { registry, connection } = server.dossier.services;
  const collections = new Set(registry.served.filter(({ name }) => name !== 'user').map((one) => one.collection));
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    // the sizes of collections are counted besides, at any time
    if (commandName !== 'count' && collections.has(String(command[commandName]))) sent.push(commandName);
  });
});
afterAll(async () => {
  await server.close();
  await database.close();
});

type Write = (name: string, id: string) => Promise<Answer>;
const patch =
  (body: object): Write =>
  (name, id) =>
    server.send('PATCH', `/api/${name}/${id}`, { body, headers: { 'content-type': 'application/json' } });
/** A write of one document, and the commands that it is where nothing needs the document. */
const writes: readonly (readonly [title: string, write: Write, commands: readonly string[]])[] = [
  ['PUT', (name, id) => server.put(`/api/${name}/${id}`, { a: 'y' }), ['findAndModify']],
  ['PATCH of fields', patch({ a: 'y' }), ['findAndModify']],
  ['PATCH with operators', patch({ $set: { a: 'y' } }), ['findAndModify']],
  [
    'updateOne',
    (name, id) =>
      server.post(
        `/bulkwrite/${name}`,
        [{ updateOne: { filter: { _id: id }, update: { $set: { a: 'y' } } } }],
        callers.root,
      ),
    ['update'],
  ],
];

let keys = 0;
describe.each(writes)('%s', (_title, write, commands) => {
  const commandsOf = async (name: string): Promise<readonly string[]> => {
    const { document } = await server.post(`/api/${name}`, { a: 'x', key: `k${(keys += 1)}` });
    sent = [];
    const { status, text } = await write(name, String(document['_id']));
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    return [...sent];
  };

  test.each([...Object.keys(plain), 'unforced'])('one command: %s', async (title) => {
    expect(await commandsOf(nameOf(title))).toEqual(commands);
  });

  test.each([...Object.keys(ruled), 'forced'])('loads and saves: %s', async (title) => {
    const found = await commandsOf(nameOf(title));
    expect([found.at(-1), found.includes('findAndModify')]).toEqual(['update', false]);
    expect(found.filter((name) => name === 'find').length).toBeGreaterThan(0);
  });
});

test('the built-in user model does not load and save', () => {
  expect(server.dossier.services.registry.internal('user')).toMatchObject({ changesBySave: false, documentRules: [] });
});
