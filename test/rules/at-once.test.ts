/** Writes at once to a model whose `changed` is quick: they may share a transaction, and each has its own event, refusal and consequence. */
import { beforeAll, beforeEach, expect } from '@jest/globals';
import type { ChangedEvent } from '../../src/index.ts';
import { makeRoot } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

const noted: ChangedEvent[] = [];
Object.assign(globalThis, { notedAtOnce: noted });

const models = {
  'note.js': `module.exports = new (require('mongoose').Schema)({ title: String, a: Number }, {
    perms: { all: 'cru' }, history: true, changed: async (event) => {
      globalThis.notedAtOnce.push(event);
      const { title } = event.after;
      if (title === 'refused') throw Object.assign(new Error('no'), { statusCode: 422, expose: true });
      if (title === 'writes') await event.api.model('copy').create({ of: event.id });
      if (title === 'slow') await new Promise((done) => setTimeout(done, 50));
    } });`,
  'copy.js': `module.exports = new (require('mongoose').Schema)({ of: String }, { perms: { all: 'cr' } });`,
};

let server: TestServer;
let root: Awaited<ReturnType<typeof makeRoot>>;
beforeAll(async () => {
  server = await startServer({ models });
  root = await makeRoot(server);
});

const numbers = Array.from({ length: 24 }, (_, number) => number);
const make = (title: string) => server.post('/api/note', { title });
/** The reactions are known to be quick. */
beforeEach(async () => {
  for (const number of numbers) await make(`quick ${number}`);
  noted.splice(0);
});
const countOf = async (model: string, filter: string): Promise<unknown> =>
  (await server.get(`/count/${model}?${filter}`)).body['count'];

const shared = needs('transactions');

shared('each creation has the event of its own', async () => {
  const made = await Promise.all(numbers.map((number) => make(`t${number}`)));
  const expected = made.map(({ document }, number) => `${String(document['_id'])} t${number}`);
  expect(noted.map(({ id, after }) => `${id} ${String(after?.['title'])}`).sort()).toEqual(expected.sort());
});

shared('changes of one document see each other', async () => {
  const { document } = await make('one');
  const path = `/api/note/${String(document['_id'])}`;
  noted.splice(0);
  const answers = await Promise.all(numbers.map((a) => server.put(path, { a: a + 1 })));
  expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 200));
  const steps = noted.map(({ before, after }) => [before?.['__v'], after?.['__v']]);
  // a run whose transaction began again is called again
  expect(new Set(steps.map(String))).toEqual(new Set(numbers.map((at) => `${at},${at + 1}`)));
});

shared.each([
  ['refuses', 'refused', 422, 0],
  ['writes', 'writes', 201, 1],
  ['takes long', 'slow', 201, 1],
])('one that %s keeps the others as they are', async (_, title, status, stored) => {
  const before = [await countOf('note', `filter[title]=${title}`), await countOf('copy', '')] as [number, number];
  const others = numbers.slice(1).map((number) => `${title}${number}`);
  const answers = await Promise.all([title, ...others].map(make));
  expect(answers.map((answer) => answer.status)).toEqual([status, ...others.map(() => 201)]);
  expect(await countOf('note', `filter[title]=${title}`)).toBe(before[0] + stored);
  expect(await countOf('copy', '')).toBe(before[1] + (title === 'writes' ? 1 : 0));
  for (const { document } of answers.slice(1)) {
    const { body } = await server.get(`/history/note/${String(document['_id'])}`, root);
    expect((body.data as unknown[]).length).toBe(1);
  }
});
