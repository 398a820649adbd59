/** Slow operations over time, and those of several workers. */
import { expect, test } from '@jest/globals';
import { modelOf } from '../../src/models/mongoose.ts';
import { as, makeCallers } from '../support/fixtures/people.ts';
import type { ModelFiles } from '../support/models.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';
import { startPair } from '../support/workers.ts';

const models: ModelFiles = {
  film: ({ Schema }) => new Schema({ genre: String, title: String }, { perms: { all: 'r' } }),
};
const fill = ({ dossier }: TestServer) =>
  modelOf(dossier.services.registry.get('film')).collection.insertMany(
    Array.from({ length: 300 }, (_, at) => ({ genre: `genre${at}`, title: `title${at}` })),
  );

/** How often each path of a filter has been read slowly. */
async function countsAt(
  server: TestServer,
  caller: Parameters<typeof as>[0],
): Promise<Readonly<Record<string, number>>> {
  const { rows } = await server.send('GET', '/server/slow', as(caller));
  const pathOf = (shape: unknown): string => /genre|title/.exec(String(shape))?.[0] ?? '';
  return Object.fromEntries(rows.map(({ shape, count }) => [pathOf(shape), Number(count)]));
}

needs('explain')('a shape is counted each time, and logged once a minute', async () => {
  let ahead = 0;
  const server = await startServer({ models, elapsed: () => performance.now() + ahead });
  const { root } = await makeCallers(server, ['root']);
  await fill(server);
  const logged = (path: string) => server.log.filter((line) => line.includes('slow read') && line.includes(path));
  let sent = 0;
  const read = async (path: string): Promise<void> => {
    await server.get(`/api/film?filter[${path}]=${path}${sent++}`);
  };
  const counts = () => countsAt(server, root);
  await read('genre');
  // the next ones are counted as soon as its plan is there
  await until(async () => (await counts())['genre'] === 1);
  for (const count of [2, 3]) {
    await read('genre');
    expect((await counts())['genre']).toBe(count);
  }
  await read('title');
  await until(async () => (await counts())['title'] === 1);
  expect([logged('genre').length, logged('title').length]).toEqual([1, 1]);
  ahead = 61_000;
  await read('genre');
  await until(() => logged('genre').length === 2);
  await read('genre');
  expect(await counts()).toEqual({ genre: 5, title: 1 });
  expect(logged('genre')).toHaveLength(2);
  expect(logged('genre')[1]).toMatch(/"count":4|count=4/);
  expect(server.log.join()).not.toContain('genre0');
});

needs('explain')('workers are summed', async () => {
  const { first, second, close } = await startPair({ models });
  const { root } = await makeCallers(first, ['root']);
  await fill(first);
  const read = (server: TestServer) => server.get('/api/film?filter[genre]=genre1');
  for (const [at, server] of [first, second].entries()) {
    await read(server);
    await until(async () => (await countsAt(first, root))['genre'] === 1 + at * 2);
    await read(server);
  }
  for (const server of [first, second]) expect(await countsAt(server, root)).toEqual({ genre: 4 });
  await close();
});

test('writes by id are counted, without their values', async () => {
  const server = await startServer({
    models: { film: ({ Schema }) => new Schema({ title: String }, { perms: { admin: 'crud' } }) },
    slow_ms: 1,
  });
  const { root } = await makeCallers(server, ['root']);
  const sent = async (method: string, path: string, body?: object) => server.send(method, path, { ...as(root), body });
  const written = async (): Promise<readonly unknown[]> =>
    (await sent('GET', '/server/slow')).rows.flatMap(({ shape }) => /"write":"(\w+)"/.exec(String(shape))?.[1] ?? []);
  const made = async () => String((await sent('POST', '/api/film', { title: 'secret title' })).document['_id']);
  const id = await made();
  await until(async () => {
    await sent('PUT', `/api/film/${id}`, { title: `secret ${Math.random()}` });
    return (await written()).includes('updateOne');
  });
  await until(async () => {
    await sent('DELETE', `/api/film/${await made()}?_permaDelete=1`);
    return (await written()).includes('deleteOne');
  });
  expect((await sent('GET', '/server/slow')).text).not.toContain('secret');
});
