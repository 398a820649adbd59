/** Writes at once to a model with a history: they share transactions and commands, and each has its own outcome and entry. */
import { beforeAll, expect } from '@jest/globals';
import { makeRoot } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models = {
  'note.js': `module.exports = new (require('mongoose').Schema)({ title: String, open: Boolean, a: Number },
    { perms: { all: { c: true, r: true, u: { where: { open: true } } } }, history: true });`,
};

interface Entry {
  readonly changes: readonly { readonly path: string; readonly from?: unknown; readonly to?: unknown }[];
}

let server: TestServer;
let root: Awaited<ReturnType<typeof makeRoot>>;
beforeAll(async () => {
  server = await startServer({ models });
  root = await makeRoot(server);
});

const numbers = Array.from({ length: 20 }, (_, number) => number);
const make = (number: number) => server.post('/api/note', { title: `t${number}`, open: true });
const firstEntryOf = async (id: string): Promise<string> => (await server.get(`/history/note/${id}`, root)).text;

const shared = needs('transactions');

shared('each creation has the document and the entry of its own', async () => {
  const made = await Promise.all(numbers.map(make));
  expect(made.map(({ document }) => document['title'])).toEqual(numbers.map((number) => `t${number}`));
  for (const [number, { document }] of made.entries())
    expect(await firstEntryOf(String(document['_id']))).toContain(`"t${number}"`);
});

shared('changes of one document see each other', async () => {
  const { document } = await make(0);
  const path = `/api/note/${String(document['_id'])}`;
  const answers = await Promise.all(numbers.map((a) => server.put(path, { a })));
  expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 200));
  const { body } = await server.get(`/history/note/${String(document['_id'])}?limit=100`, root);
  const steps = (body.data as readonly Entry[]).flatMap(({ changes }) => changes.filter(({ path }) => path === 'a'));
  const [last, ...earlier] = steps.map(({ to }) => to);
  expect(steps.map(({ from }) => from)).toEqual([...earlier, undefined]);
  expect((await server.get(path)).document).toMatchObject({ a: last, __v: numbers.length });
});

shared('a rule is asked for each document', async () => {
  const made = await Promise.all(numbers.map(make));
  const answers = await Promise.all(
    made.map(({ document }, at) =>
      server.put(`/api/note/${String(document['_id'])}`, at % 2 === 0 ? { title: 'new' } : { open: false }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(numbers.map((number) => (number % 2 === 0 ? 200 : 403)));
});
