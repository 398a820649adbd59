/** By every way of writing, each validator and each middleware of a model file runs once for each document that is written. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { mongo } from '../../../src/models/mongoose.ts';
import { importSources } from '../../../src/transfer/import/import.ts';
import type { Recorder } from '../../../src/write/contract.ts';
import { openPeople, type PeopledServer } from '../../support/fixtures/people.ts';
import { needs } from '../../support/needs.ts';

/** A model file that counts how often its code runs, and answers the counts by a function. */
const file = (hooks: readonly string[], more = ''): string => `
const { Schema } = require('mongoose');
let counts = {};
const count = (name, result) => function () { counts[name] = (counts[name] ?? 0) + 1; return result; };
const part = new Schema({ label: { type: String, validate: count('label', true) } });
const schema = new Schema(
  {
    a: { type: String, validate: [{ validator: count('a', true) }, { validator: async (v) => count('a later', true)(v) }] },
    b: { type: String, unique: true }, list: { type: [String], validate: count('list', true) },
    parts: [part], ruled: String,
  },
  { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, callable_statics: { counted: 'r' } },
);
for (const hook of ${JSON.stringify(hooks)})
  for (const one of [schema, part])
    for (const when of ['pre', 'post']) one[when](hook, count((one === part ? 'part ' : '') + when + ' ' + hook));
${more}
schema.statics.counted = () => { const found = counts; counts = {}; return found; };
module.exports = schema;`;

const ruled = `schema.path('ruled').validate(function () { count('ruled')(); return Boolean(this); });`;
const kinds = `schema.discriminator('one of kinds', new Schema({ own: { type: String, validate: count('own', true) } }), 'one');`;

interface Parts {
  readonly text: string;
  /** What counts where a document is created, and where one is changed; the validators of values are common. */
  readonly creating: readonly string[];
  readonly changing: readonly string[];
  readonly body?: object;
}
const hooksOf = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => ['', 'part '].flatMap((of) => [`${of}pre ${name}`, `${of}post ${name}`]));
const both = hooksOf(['validate', 'save']);

const models: Readonly<Record<string, Parts>> = {
  atomic: {
    text: file([]).replace("{ type: [String], validate: count('list', true) }", '[String]'),
    creating: [],
    changing: [],
  },
  saved: { text: file(['validate', 'save']), creating: both, changing: both },
  validated: { text: file(['validate']), creating: hooksOf(['validate']), changing: hooksOf(['validate']) },
  ruled: { text: file([], ruled), creating: ['ruled'], changing: ['ruled'] },
  kinds: {
    text: file(['validate', 'save'], kinds),
    creating: [...both, 'own'],
    changing: [...both, 'own'],
    body: { __t: 'one', own: 'x' },
  },
};

let server: PeopledServer<'root'>;
let folder: string;
let made = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-once-'));
  const files = Object.entries(models).map(([name, { text }]) => [`${name}.cjs`, text] as const);
  server = await openPeople(['root'], { models: Object.fromEntries(files) });
});
afterAll(() => rm(folder, { recursive: true }));

type Row = Readonly<Record<string, unknown>>;
type Sent = Promise<number>;

const send = async (method: string, path: string, body: unknown, type = 'application/json'): Sent =>
  (await server.as('root', method, path, { body, headers: { 'content-type': type } })).status;
const bulk = (model: string, operation: object): Sent => send('POST', `/bulkwrite/${model}`, [operation]);

/** Values for all paths with validators. */
function body(model: string): Row {
  made += 1;
  const own = models[model]?.body ?? {};
  return {
    a: `a${made}`,
    b: `b${made}`,
    list: made % 2 === 0 ? ['l'] : ['l', 'm'],
    parts: [{ label: `p${made}` }],
    ruled: `r${made}`,
    ...own,
  };
}
/** A change of all of them. */
function change(model: string): Row {
  const { b: _, __t, own, ...values } = body(model);
  return { ...values, ...(own === undefined ? {} : { own: `y${made}` }) };
}

async function imported(model: string, record: Row): Sent {
  const records = async function* () {
    yield await Promise.resolve({ line: 1, content: JSON.stringify(record) });
  };
  const source = { file: 'a.ndjson', model, isExport: false, form: 'json' as const, records };
  const options = { on: [], raw: false, strict: false, folder, onProgress: () => undefined };
  return (await importSources(server.dossier.services, [source], options)).refused === 0 ? 200 : 400;
}

type Way = (model: string, row: Row) => Sent;
const at = (model: string, row: Row): string => `/api/${model}/${String(row['_id'])}`;
const upserting = (filter: Row, update: Row) => ({ updateOne: { filter, update, upsert: true } });
const batch = (method: string, path: string, given: Row): Sent =>
  send('POST', '/batch', { operations: [{ method, path, body: given }] });
const keyOf = ({ b }: Row): Row => ({ b });
const byId = ({ _id }: Row): Row => ({ _id });

const creations: Readonly<Record<string, Way>> = {
  POST: (model) => send('POST', `/api/${model}`, body(model)),
  'PUT ?on=': (model) => send('PUT', `/api/${model}?on=b`, body(model)),
  'bulk insert': (model) => bulk(model, { insertOne: { document: body(model) } }),
  'bulk upsert': (model) => {
    const { __t, ...values } = body(model);
    const kind = __t === undefined ? {} : { $setOnInsert: { __t } };
    return bulk(model, upserting({ _id: made.toString(16).padStart(24, '0') }, { $set: values, ...kind }));
  },
  'bulk replace, upsert': (model) => {
    const replacement = body(model);
    return bulk(model, { replaceOne: { filter: keyOf(replacement), replacement, upsert: true } });
  },
  '/setup/data': (model) => send('POST', '/setup/data', { [model]: [body(model)] }),
  import: (model) => imported(model, body(model)),
  batch: (model) => batch('POST', `/api/${model}`, body(model)),
};

const changes: Readonly<Record<string, Way>> = {
  PUT: (model, row) => send('PUT', at(model, row), change(model)),
  'PATCH with operators': (model, row) => send('PATCH', at(model, row), { $set: change(model) }),
  'PATCH, merged': (model, row) => send('PATCH', at(model, row), change(model), 'application/merge-patch+json'),
  'PATCH by operations': (model, row) => {
    const operations = Object.entries(change(model)).map(([name, value]) => ({ op: 'add', path: `/${name}`, value }));
    return send('PATCH', at(model, row), operations, 'application/json-patch+json');
  },
  '/update': (model, row) => send('PUT', `/update/${model}/${String(row['_id'])}`, change(model)),
  'PUT ?on=': (model, row) => send('PUT', `/api/${model}?on=b`, { ...change(model), ...keyOf(row) }),
  'bulk updateOne': (model, row) => bulk(model, { updateOne: { filter: byId(row), update: { $set: change(model) } } }),
  'bulk upsert': (model, row) => bulk(model, upserting(byId(row), { $set: change(model) })),
  'bulk replace': (model, row) => {
    const replacement = { ...body(model), ...keyOf(row) };
    return bulk(model, { replaceOne: { filter: byId(row), replacement } });
  },
  'bulk replace, upsert': (model, row) => {
    const replacement = { ...body(model), ...keyOf(row) };
    return bulk(model, { replaceOne: { filter: keyOf(row), replacement, upsert: true } });
  },
  import: (model, row) => imported(model, { ...byId(row), ...change(model) }),
  batch: (model, row) => batch('PUT', at(model, row), change(model)),
};

const values = ['a', 'a later', 'list', 'label'];

async function counted(model: string): Promise<Readonly<Record<string, number>>> {
  const { body: answer } = await server.as('root', 'POST', `/call/${model}/counted`, { body: {} });
  return answer['data'] as Record<string, number>;
}

/** Upserts that are one command: it has two documents, one to create, and one as the update leaves a stored one. */
const ofTwo: ReadonlySet<string> = new Set(['bulk upsert', 'bulk replace, upsert']);

const expected = (model: string, way: string, own: readonly string[]): object => {
  const times = model === 'atomic' && ofTwo.has(way) ? 2 : 1;
  // a validator of a list judges the whole, for which changes load and save
  const names = [...values, ...own].filter((name) => name !== 'list' || model !== 'atomic');
  return Object.fromEntries(names.map((name) => [name, times]));
};

describe.each(Object.entries(models))('%s', (model, { creating, changing }) => {
  for (const [way, run] of Object.entries(creations))
    (way === 'batch' ? needs('transactions') : test)(`creates by ${way}`, async () => {
      await counted(model);
      expect(await run(model, {})).toBeLessThan(300);
      expect(await counted(model)).toEqual(expected(model, way, creating));
    });

  for (const [way, run] of Object.entries(changes))
    (way === 'batch' ? needs('transactions') : test)(`changes by ${way}`, async () => {
      const { document } = await server.as('root', 'POST', `/api/${model}`, { body: body(model) });
      await counted(model);
      expect(await run(model, document)).toBeLessThan(300);
      expect(await counted(model)).toEqual(expected(model, way, changing));
    });
});

needs('transactions')(
  'a transaction of setup data that runs again saves once more, and validates no more',
  async () => {
    const conflict = new mongo.MongoServerError({ message: 'conflict', errorLabels: ['TransientTransactionError'] });
    const [audit] = server.dossier.services.recorders.filter(({ name }) => name === 'audit');
    const write = jest.spyOn(audit as Recorder, 'write').mockRejectedValueOnce(conflict);
    try {
      await counted('saved');
      const given = body('saved');
      expect(await send('POST', '/setup/data', { saved: [given] })).toBe(200);
      expect(write.mock.calls.length).toBe(2);
      const runs = await counted('saved');
      expect(runs).toEqual({
        ...expected('saved', '', both),
        'pre save': 2,
        'post save': 2,
        'part pre save': 2,
        'part post save': 2,
      });
      const { rows } = await server.as('root', 'GET', `/api/saved?filter[b]=${String(given['b'])}`);
      expect(rows).toMatchObject([{ ...given, parts: [{ label: (given['parts'] as Row[])[0]?.['label'] }] }]);
    } finally {
      write.mockRestore();
    }
  },
);
