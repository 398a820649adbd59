/**
 * Mistakes that an author of an application makes, and what finds each before it runs: the compiler, or the start. The compiler's message, or the
 * text that it marks, has the mistaken word.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { typesModule } from '../../src/typegen/index.ts';
import { type Fault, faultsOf, language } from '../support/compile.ts';
import { makeRoot } from '../support/fixtures/people.ts';
import { writeModels } from '../support/models.ts';
import { startServer } from '../support/server.ts';

const shop = {
  bicycle: `import { defineModel, ObjectId, Schema } from 'dossier';
    const repair = new Schema({ text: { type: String, required: true }, cents: Number }, { _id: false });
    const bicycle = defineModel(
      { code: { type: String, required: true, immutable: true }, state: { type: String, enum: ['in', 'out'], default: 'in' },
        price: Number, made: { type: String, perms: { admin: 'cru' } }, owner_id: { type: ObjectId, link: 'person', map_to: 'owner' }, repairs: [repair] },
      { perms: { all: 'r', user: 'cru' }, callable_statics: { ride: { needs: 'u', on: 'document' }, count_all: 'r' },
        statics: { ride: () => 1, count_all: () => 1, recount: () => 1 } });
    export default bicycle;`,
  person: `import { defineModel } from 'dossier';
    export default defineModel({ name: String, phone: { type: String, perms: { admin: 'cru' } } }, { perms: { user: 'r' } });`,
};

const route = `defineRoute({ method: 'GET', path: '/reports/:year', access: 'all',
    params: { type: 'object', properties: { year: { type: 'integer' } } },
    query: { type: 'object', required: ['top'], properties: { top: { type: 'integer' }, tags: { type: 'array', items: { enum: ['a', 'b'] } } } }`;
const post = `defineRoute({ method: 'POST', path: '/notes', access: 'all',
    body: { type: 'object', required: ['text'], properties: { text: { type: 'string' }, state: { enum: ['open', 'shut'] }, n: { type: 'number', default: 1 } } }`;
const nested = `const line = new Schema({ sku: String }, { _id: false }); const own = defineModel({ total: Number, lines: [line] }, { perms: { all: 'r' } }); `;
const scheduled = (parts: string): string =>
  `defineModel({ a: String }, { statics: { tidy: () => 1 }, schedules: { nightly: { call: 'tidy', ${parts} } } });`;

/** What compiles, so that the mistakes are what does not. */
const right = [
  `defineModel({ a: { type: String, required: true } }, { perms: { user: 'ru' } });`,
  scheduled(`cron: '0 3 * * *'`),
  `${nested} own.pre('save', function () { this.total = this.lines.length; return void this.lines[0]?.sku; });`,
  `({ pre_hooks: { post: (req) => void req.dossier.principal.user } }) satisfies DossierConfig;`,
  `await api.model('bicycle').set(id, { state: 'out' });`,
  `await api.later('bicycle.recount', {}, { in: '5m' });`,
  `${route}, handler: ({ params, query }) => params.year + query.top + (query.tags?.length ?? 0) });`,
  `${post}, handler: ({ body }) => body.text.length + body.n });`,
  `defineRoute({ method: 'GET', path: '/a/:b/:c', access: { model: 'bicycle', letter: 'r' }, params: { type: 'object', properties: { b: { type: 'integer' } } }, handler: ({ params }) => params.b + params.c.length });`,
  `await bicycles.call('ride', { far: true }, { id }); await bicycles.call('count_all');`,
];

/** Each line with the word that is wrong in it. */
const wrong: readonly (readonly [line: string, word: string])[] = [
  [`defineModel({ a: { type: String, requierd: true } });`, 'requierd'],
  [`defineModel({ a: String }, { perms: { user: 'rw' } });`, 'rw'],
  [scheduled(`corn: '0 3 * * *'`), 'corn'],
  [`${nested} own.pre('save', function () { return void this.totl; });`, 'totl'],
  [`${nested} own.pre('save', function () { return void this.lines[0]?.suk; });`, 'suk'],
  [`({ pre_hooks: { psot: () => undefined } }) satisfies DossierConfig;`, 'psot'],
  [`({ pre_hooks: { post: (req) => void req.dossier.principal.usr } }) satisfies DossierConfig;`, 'usr'],
  [`await api.model('bicycle').set(id, { stat: 'out' });`, 'stat'],
  [`await api.model('bicycle').set(id, { state: 'lost' });`, 'lost'],
  [`await api.later('bicycle.recount', {}, { retires: 2 });`, 'retires'],
  [`await api.later('bicycle.recuont');`, 'recuont'],
  [`await api.later('bycicle.recount');`, 'bycicle'],
  [`${route}, handler: ({ params }) => params.yaer });`, 'yaer'],
  [`${route}, handler: ({ query }) => query.topp });`, 'topp'],
  [`${post}, handler: ({ body }) => body.txet });`, 'txet'],
  [`${post}, handler: ({ body }) => body.state === 'opne' });`, 'opne'],
  [`defineRoute({ method: 'GET', path: '/a/:b', access: 'all', handler: ({ params }) => params.c });`, "'c'"],
  [`defineRoute({ method: 'GET', path: '/a', access: { model: 'bicycle', leter: 'r' }, handler: () => 1 });`, 'leter'],
  [`await bicycles.list({ filter: { cod: 'a' } });`, 'cod'],
  [`(await bicycles.one(id)).cod;`, 'cod'],
  [`client.model('bycicle');`, 'bycicle'],
  [`await bicycles.list({ filter: { price: { $gtt: 5 } } });`, '$gtt'],
  [`await bicycles.list({ filter: { state: 'lost' } });`, 'lost'],
  [`await bicycles.list({ populate: ['onwer'] });`, 'onwer'],
  [`(await bicycles.one(id)).owner;`, 'owner'],
  [`(await bicycles.one(id, { fields: ['code'] })).price;`, 'price'],
  [`await bicycles.list({ sort: 'cod' });`, 'cod'],
  [`await bicycles.create({ price: 5 });`, 'code'],
  [`await bicycles.create({ code: 'a', colour: 'red' });`, 'colour'],
  [`await bicycles.set(id, { code: 'b' });`, 'code'],
  [`await bicycles.call('rid');`, 'rid'],
  [`await bicycles.call('ride');`, 'ride'],
  [`await client.route('GET /report/:year', { params: { year: 1 } });`, '/report/'],
  [`await client.route('GET /reports/:year', { params: { yaer: 1 } });`, 'yaer'],
  [`await bicycles.patch(id, { $inc: { state: 1 } });`, 'state'],
  [`await bicycles.list({ filter: { 'owner.nam': 'x' } });`, 'owner.nam'],
  [`await bicycles.list({ limits: 5 });`, 'limits'],
  [`(await createClient<Roles['user']>({ url: '' }).model('person').one(id)).phone;`, 'phone'],
];

const head = `
import type { DossierConfig } from '../../src/settings/config-file.ts';
import type { Api } from '../../src/api/contract.ts';
import { defineRoute } from '../../src/define/index.ts';
import '../../src/features/file-options.ts';
import { defineModel, Schema } from '../../src/models/options/define-model.ts';
import { createClient } from 'dossier-client';
import type { Models, Roles, Routes, SystemModels } from './types.ts';
declare module '../../src/api/contract.ts' { interface Application { models: Models; system: SystemModels } }
declare const api: Api;
declare const id: string;
const client = createClient<Models, Routes>({ url: '' });
const bicycles = client.model('bicycle');
`;

describe('the compiler', () => {
  let found: ReadonlyMap<number, readonly string[]>;
  const first = head.split('\n').length;
  beforeAll(async () => {
    const server = await startServer({ models: shop });
    const params = { type: 'object', properties: { year: { type: 'integer' } } };
    const typed = { name: 'GET /reports/:year', params, query: undefined, body: 'none', answer: undefined } as const;
    const types = typesModule(server.dossier.services.registry.served, [typed]);
    const lines = [...right, ...wrong.map(([line]) => line)].map(
      (line) => `async () => { ${line.replaceAll('\n', ' ')} };`,
    );
    const faults = faultsOf({ 'types.ts': types, 'uses.ts': head + lines.join('\n') }, language);
    const at = ({ file, line }: Fault): number => (file === 'uses.ts' ? line - first : -1);
    const byLine = new Map<number, string[]>();
    for (const fault of faults)
      byLine.set(at(fault), [...(byLine.get(at(fault)) ?? []), `${fault.marked}: ${fault.text}`]);
    found = byLine;
  });

  test('accepts what is right', () => {
    expect([...found].filter(([at]) => at < right.length)).toEqual([]);
  });

  test.each(wrong.map(([line, word], at) => [line, word, at + right.length] as const))('finds %s', (_, word, at) => {
    expect(found.get(at)).toContainEqual(expect.stringContaining(word));
  });
});

const defined = (fields: string, options: string): string =>
  `import { defineModel, ObjectId } from 'dossier'; export default defineModel({ title: String, ${fields} }, ${options});`;
const ruled = (where: string): string => defined('', `{ perms: { user: { r: { where: ${where} } } } }`);
const all = `{ perms: { all: 'r' } }`;

describe('the start', () => {
  test.each<readonly [what: string, model: string, word: string]>([
    ['a field of a rule', ruled(`{ titel: 'x' }`), 'titel'],
    ['an operator of a rule', ruled(`{ title: { $gtt: 'x' } }`), '$gtt'],
    ['a path of the user in a rule', ruled(`{ title: '$user.emial' }`), 'emial'],
    ['a link', defined(`bike_id: { type: ObjectId, link: 'bycicle' }`, all), 'bycicle'],
    ['a path of a list', defined('', `{ perms: { all: 'r' }, list: ['titel'] }`), 'titel'],
    ['a duration', defined('', `{ perms: { all: 'r' }, history: { keep: '90days' } }`), '90days'],
    ['a default', defined(`size: { type: String, enum: ['S', 'M'], default: 'XL' }`, all), 'XL'],
  ])('finds %s, and names the file and the word', async (_, model, word) => {
    const fault = await startServer({ models: { 'book.ts': model } }).then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(fault).toContain('book.ts');
    expect(fault).toContain(word);
  });

  test('finds a part of a path that a schema of a route names wrongly', async () => {
    const text = `import { defineRoute } from 'dossier'; export default ${route.replace('{ year:', '{ yaer:')}, handler: () => 1 });`;
    const { folder, remove } = await writeModels({ 'reports.ts': text });
    const starting = startServer({ models: shop, routes_dir: folder });
    await expect(starting.finally(remove)).rejects.toThrow(/reports\.ts.*yaer/);
  });
});

test('an answer names the immutable field that a change leaves as it is', async () => {
  const server = await startServer({ models: shop });
  const api = server.dossier.api.as('system').model('bicycle');
  const { _id } = await api.create({ code: 'a' });
  const root = await makeRoot(server);
  const changed = await server.put(`/api/bicycle/${String(_id)}`, { code: 'b' }, root);
  expect([changed.status, changed.body['ignored']]).toEqual([200, ['code']]);
});
