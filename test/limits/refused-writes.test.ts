/** A 503 with `Retry-After` means that nothing was written, whichever way it was to be written (docs/writing.md, "Creating"). */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { open, type OpenStore } from 'dossier-store';
import type { Answer, Sent } from '../support/client.ts';
import { writeModels } from '../support/models.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { openSlowLine, type SlowLine } from '../support/slow-line.ts';
import { until } from '../support/waiting.ts';
import { makeCrew } from '../support/workers.ts';

const limit = 200;
const model = (more: string): string => `module.exports = (({ Schema }) => {
  const schema = new Schema(
    { code: { type: String, unique: true }, text: String, note: Number, v: Number },
    { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, callable_statics: { byApi: 'u', together: 'u' }, ${more} },
  );
  schema.statics.byApi = async function ({ id, key }, { api }) {
    await api.model(this.modelName).set(id, { text: key });
  };
  schema.statics.together = function ({ id, key }, { api }) {
    return api.transaction(async (inner) => {
      await inner.model(this.modelName).get(id);
      await inner.model(this.modelName).set(id, { text: key });
    });
  };
  return schema;
})(require('mongoose'));`;
const models = { 'kept.js': model('history: true'), 'plain.js': model('') };
const names = ['kept', 'plain'] as const;

/** A way to write the text of a document, or to delete or restore it. */
interface Way {
  readonly needsHistory?: boolean;
  readonly isDeleted?: boolean;
  readonly request: (model: string, id: string, key: string) => readonly [method: string, path: string, sent?: Sent];
  /** What the document is afterwards; the default is that its text is the key. */
  readonly isDone?: (row: Readonly<Record<string, unknown>> | null, key: string) => boolean;
}
const patch = (type: string, body: unknown): Sent => ({
  raw: JSON.stringify(body),
  headers: { 'content-type': `application/${type}` },
});
const operation = (model: string, id: string, key: string): object => ({
  method: 'PUT',
  path: `/api/${model}/${id}`,
  body: { text: key },
});

const ways: Readonly<Record<string, Way>> = {
  create: { request: (model, _id, key) => ['POST', `/api/${model}`, { body: { code: key, text: key } }] },
  put: { request: (model, id, key) => ['PUT', `/api/${model}/${id}`, { body: { text: key } }] },
  'patch by operators': {
    request: (model, id, key) => ['PATCH', `/api/${model}/${id}`, { body: { $inc: { v: 1 }, $set: { text: key } } }],
  },
  'a merge patch': {
    request: (model, id, key) => ['PATCH', `/api/${model}/${id}`, patch('merge-patch+json', { text: key })],
  },
  'a JSON Patch': {
    request: (model, id, key) => [
      'PATCH',
      `/api/${model}/${id}`,
      patch('json-patch+json', [{ op: 'add', path: '/text', value: key }]),
    ],
  },
  update: { request: (model, id, key) => ['PUT', `/update/${model}/${id}`, { body: { text: key } }] },
  upsert: {
    request: (model, id, key) => ['PUT', `/api/${model}?on=code`, { body: { code: `code ${id}`, text: key } }],
  },
  delete: { request: (model, id) => ['DELETE', `/api/${model}/${id}`], isDone: (row) => row?.['_deleted'] === true },
  'delete for ever': {
    request: (model, id) => ['DELETE', `/api/${model}/${id}?_permaDelete=1`],
    isDone: (row) => row === null,
  },
  restore: {
    isDeleted: true,
    request: (model, id, key) => ['PUT', `/api/${model}/${id}`, { body: { _deleted: false, text: key } }],
  },
  bulkwrite: {
    request: (model, id, key) => [
      'POST',
      `/bulkwrite/${model}`,
      { body: [{ updateOne: { filter: { code: `code ${id}` }, update: { $set: { text: key } } } }] },
    ],
  },
  batch: { request: (...given) => ['POST', '/batch', { body: { operations: [operation(...given)] } }] },
  'a batch of single writes': {
    request: (...given) => ['POST', '/batch', { body: { atomic: false, operations: [operation(...given)] } }],
  },
  revert: {
    needsHistory: true,
    request: (model, id) => ['POST', `/history/${model}/${id}/revert`, { body: { rev: 1 } }],
    isDone: (row) => !String(row?.['code']).startsWith('code '),
  },
  'a route': { request: (model, id, key) => ['POST', `/write/${model}/${id}`, { body: { text: key } }] },
  'a function that writes by api': {
    request: (model, id, key) => ['POST', `/call/${model}/byApi`, { body: { id, key } }],
  },
  'a function with a transaction': {
    request: (model, id, key) => ['POST', `/call/${model}/together`, { body: { id, key } }],
  },
};

const waysOf = (name: (typeof names)[number]): readonly (readonly [string, Way])[] =>
  Object.entries(ways).filter(([, { needsHistory = false }]) => !needsHistory || name === 'kept');

const route = `
  import { defineRoute } from 'dossier';  export default defineRoute({ method: 'POST', path: '/write/:model/:id', access: 'all', handler: ({ params, body, api }) =>
    api.model(params.model).set(params.id, body) });`;

/** What an answer says of a write. */
function said({ status, headers, text }: Answer): 'done' | 'not done' | 'unknown' | 'wrong' {
  if (status < 300) return 'done';
  if (status === 500) return 'unknown';
  if (status !== 503) return 'wrong';
  if (headers.get('retry-after') !== null) return 'not done';
  return text.includes('may have been done') ? 'unknown' : 'wrong';
}

const seen = new Set<string>();

let store: OpenStore;
let line: SlowLine;
let servers: [TestServer, ...TestServer[]];
/** The servers take turns. */
const serverOf = (n: number): TestServer => servers[n % servers.length] ?? servers[0];

async function startOne(options: object): Promise<typeof servers> {
  return [await startServer({ ...options, mongodb_url: line.url })];
}
async function startWorkers(options: object): Promise<typeof servers> {
  const next = makeCrew(undefined, line.url);
  const start = (): Promise<TestServer> =>
    startServer({ ...options, inMemory: true, mongodb_url: undefined, membership: next() });
  return [await start(), await start()];
}

const rowsOf = (name: string) => servers[0].dossier.services.connection.collection(`${name}s`);
/** What is on its way ends before writes that come later and take the same way, twice. */
async function settled(name: string, id: string): Promise<void> {
  for (let n = 0; n < 2; n++) {
    await until(() => line.isQuiet());
    await servers[0].send('PATCH', `/api/${name}/${id}`, { body: { $set: { note: n } } });
  }
}

/** Repeats what a loaded machine refuses, or may have done. */
async function sure(path: string, body: unknown): Promise<Answer> {
  const send = (): Promise<Answer> => servers[0].put(path, body);
  let answer = await send();
  await until(async () => answer.status < 300 || (answer = await send()).status < 300);
  return answer;
}

async function made(name: string, code: string, isDeleted: boolean): Promise<string> {
  const { document } = await sure(`/api/${name}?on=code`, { code, text: 'before', v: 0 });
  const id = String(document['_id']);
  await sure(`/api/${name}/${id}`, { code: `code ${id}`, ...(isDeleted && { _deleted: true }) });
  return id;
}

describe.each([
  ['one process', startOne],
  ['two workers', startWorkers],
])('%s', (_name, start) => {
  beforeAll(async () => {
    store = await open({});
    line = await openSlowLine(store);
    const { folder, remove } = await writeModels({ 'write.js': route });
    servers = await start({ models, routes_dir: folder, query_limits: { max_time_ms: limit } }).finally(remove);
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    line.close();
    await store.close();
  });

  describe.each(names)('a model: %s', (name) => {
    // for a limit of 200 ms, with 500 more for code: in a transaction, at its commit, while a single command is sent, and beyond all limits
    needs('transactions').each([[150], [260], [400], [1200]])('over a line of %d ms', async (delayMs) => {
      const trials = await Promise.all(
        waysOf(name).map(async ([way, { isDeleted = false, request, isDone }], n) => {
          const key = `${name} ${delayMs} ${n}`;
          const id = await made(name, key, isDeleted);
          return { way, key, id, request: request(name, id, key), isDone };
        }),
      );
      line.slow(delayMs);
      const answers = await Promise.all(trials.map(({ request }, n) => serverOf(n).send(...request)));
      line.slow(0);
      const other = await made(name, `other ${delayMs}`, false);
      await settled(name, other);
      const remaining = trials.filter(({ way }) => way !== 'delete for ever');
      await Promise.all(remaining.map(({ id }) => settled(name, id)));
      const { Types } = servers[0].dossier.services.connection.base;
      const wrong: unknown[] = [];
      for (const [at, { way, key, id, isDone }] of trials.entries()) {
        const answer = answers[at] as Answer;
        const found = await rowsOf(name).findOne(
          way === 'create' ? { code: key } : { _id: Types.ObjectId.createFromHexString(id) },
        );
        const done = (isDone ?? ((row): boolean => row?.['text'] === key))(found, key);
        const verdict = said(answer);
        seen.add(verdict);
        const isRight = verdict === 'unknown' || verdict === (done ? 'done' : 'not done');
        if (!isRight) wrong.push([way, verdict, done, answer.status, answer.text]);
      }
      expect(wrong).toEqual([]);
    });
  });

  needs('transactions').each([['kept'], ['plain']])(
    'fifty changes of one document at once count as often as the answers say: %s',
    async (name) => {
      const id = await made(name, `hot ${name}`, false);
      line.slow(60);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          serverOf(n).send('PATCH', `/api/${name}/${id}`, { body: { $inc: { v: 1 } } }),
        ),
      );
      line.slow(0);
      await settled(name, id);
      const count = (what: string): number => answers.filter((answer) => said(answer) === what).length;
      const v = Number((await servers[0].get(`/api/${name}/${id}`)).document['v']);
      expect(count('wrong')).toBe(0);
      expect(v).toBeGreaterThanOrEqual(count('done'));
      expect(v).toBeLessThanOrEqual(count('done') + count('unknown'));
    },
  );

  test('what waits when the limit passes never begins', async () => {
    const id = await made('kept', 'waiting', false);
    let release = (): void => undefined;
    const held = new Promise<void>((end) => (release = end));
    const holding = servers[0].dossier.services.shares.keyedMutex(`kept ${id}`, () => held);
    const answers = await Promise.all(
      [1, 2, 3].map(() => servers[0].send('PUT', `/update/kept/${id}`, { body: { text: 'late' } })),
    );
    release();
    await holding;
    await settled('kept', id);
    expect(answers.map(said)).toEqual(['not done', 'not done', 'not done']);
    expect((await servers[0].get(`/api/kept/${id}`)).document['text']).toBe('before');
  });
});

needs('transactions')('each of the three answers was given', async () => {
  expect([...seen].sort()).toEqual(['done', 'not done', 'unknown']);
  return Promise.resolve();
});
