/** Work of callers that have disconnected stops in the database, and so do cursors that are not read. */
import { beforeAll, expect } from '@jest/globals';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const callers = 4;

let server: TestServer;

beforeAll(async () => {
  server = await startServer({
    // plans of slow reads would be read besides
    slow_ms: 0,
    // nothing ends by itself while the test waits for it
    query_limits: { max_time_ms: 120_000, max: 10_000 },
    models: { page: ({ Schema }) => new Schema({ n: Number, text: String, list: [Number] }, { perms: { all: 'r' } }) },
  });
  const list = Array.from({ length: 1000 }, (_, at) => at);
  const rows = Array.from({ length: 1000 }, (_, n) => ({ n, list, _deleted: false }));
  await server.dossier.services.connection.collection('pages').insertMany(rows);
});

/** What holds of no document, and is only known after all of a list has been looked at, many times. */
const conditions = Array.from({ length: 199 }, (_, at) => ({ list: -1 - at }));
const inUrl = conditions.map(({ list }, at) => `filter[$or][${at}][list]=${list}`).join('&');
const everyPair = [
  {
    $lookup: {
      from: 'pages',
      pipeline: [{ $match: { $expr: { $gt: ['$n', -1] } } }, { $project: { n: 1 } }],
      as: 'pair',
    },
  },
  { $unwind: '$pair' },
  { $count: 'pairs' },
];

/** The commands under way on the pages. */
async function running(): Promise<readonly unknown[]> {
  const { db } = server.dossier.services.connection;
  const { inprog } = (await db?.admin().command({ currentOp: 1 })) as { inprog: readonly { ns?: string }[] };
  return inprog.filter(({ ns }) => ns === `${db?.databaseName}.pages`);
}

const ways = [
  { name: 'a list', path: `/api/page?limit=10&${inUrl}`, body: undefined },
  { name: 'a count', path: `/count/page?${inUrl}`, body: undefined },
  { name: 'a CSV', path: `/csv/page?limit=10&${inUrl}`, body: undefined },
  { name: 'a query', path: '/query/page?limit=10', body: { query: { $or: conditions } } },
  { name: 'a pipeline', path: '/aggregate/page', body: everyPair },
];

const hangsUp = async (path: string, body: unknown): Promise<void> => {
  const hangUp = new AbortController();
  const init =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answers = Array.from({ length: callers }, () =>
    fetch(server.url + path, { ...init, signal: hangUp.signal }).then(
      ({ status }) => status,
      () => 'hung up',
    ),
  );
  await until(async () => (await running()).length > 0);
  hangUp.abort();
  expect(await Promise.all(answers)).toEqual(Array.from({ length: callers }, () => 'hung up'));
  await until(async () => (await running()).length === 0);
  // none of them comes to the database later either
  expect((await server.get('/api/page?limit=1&fields=n')).rows).toMatchObject([{ n: 0 }]);
  expect(await running()).toEqual([]);
};

const run = needs('currentOp');
for (const { name, path, body } of ways) run(name, () => hangsUp(path, body));

async function openCursors(): Promise<number> {
  const status = await server.dossier.services.connection.db?.admin().command({ serverStatus: 1 });
  return (status as { metrics: { cursor: { open: { total: number } } } }).metrics.cursor.open.total;
}

run('the head of an export leaves no cursor open', async () => {
  // more than is read before an export begins to flow, and more than the buffers of sockets hold
  const rows = Array.from({ length: 1500 }, () => ({ n: -2, text: 'x'.repeat(9000), _deleted: false }));
  await server.dossier.services.connection.collection('pages').insertMany(rows);
  const before = await openCursors();
  const { status, headers } = await server.send('HEAD', '/csv/page?limit=all&filter[n]=-2');
  expect([status, headers.get('content-length')]).toEqual([200, null]);
  await until(async () => (await openCursors()) <= before);
});

run('a caller who hangs up in the middle of an export leaves no cursor open', async () => {
  const before = await openCursors();
  const hangUp = new AbortController();
  const { body } = await fetch(`${server.url}/csv/page?limit=all&filter[n]=-2`, { signal: hangUp.signal });
  await body?.getReader().read();
  expect(await openCursors()).toBeGreaterThan(before);
  hangUp.abort();
  await until(async () => (await openCursors()) <= before);
});

run('a page that does not fit one message of the database leaves no cursor open', async () => {
  // more than 16 MB as they are stored, and next to nothing of it shown
  const rows = Array.from({ length: 85 }, () => ({ n: -1, password: 'x'.repeat(200_000), _deleted: false }));
  await server.dossier.services.connection.collection('pages').insertMany(rows);
  const before = await openCursors();
  expect((await server.get('/api/page?limit=85&filter[n]=-1')).rows).toHaveLength(85);
  await until(async () => (await openCursors()) <= before);
});
