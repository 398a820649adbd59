/** What a scraper reads: who may, which metrics there are, and that callers cannot make series. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Snapshot } from '../../src/metrics/metrics.ts';
import { counters, gauges, histograms, withEndedProcess } from '../../src/metrics/table.ts';
import { WorkerHub } from '../../src/workers/hub.ts';
import { WorkerPeers } from '../../src/workers/peers.ts';
import { type StartOptions, startServer, type TestServer } from '../support/server.ts';
import { startPair } from '../support/workers.ts';

const models = {
  'note.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ title: String }, { perms: { all: 'crud' } });`,
};
const token = 'a token of the scraper';
const bearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });

/** The values of the series of a metric, by their labels. */
function seriesOf(text: string, name: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(name.length, at), Number(line.slice(at + 1))];
    }),
  );
}

describe('who may read the metrics', () => {
  const off = {};
  const open = { metrics: { enabled: true } };
  const openBehind = { ...open, trust_proxy: 1 };
  const closed = { metrics: { enabled: true, token } };
  const outside = { headers: { 'x-forwarded-for': '203.0.113.7' } };
  const cases = [
    ['off', off, {}, 404],
    ['off, with a token', { metrics: { token } }, bearer(token), 404],
    ['of this machine', open, {}, 200],
    ['of this machine, with a header that is not trusted', open, outside, 200],
    ['behind a proxy, from outside', openBehind, outside, 403],
    ['behind a proxy, from this machine', openBehind, { headers: { 'x-forwarded-for': '::1' } }, 200],
    ['behind a proxy that states no address', openBehind, { headers: { 'x-forwarded-for': 'x' } }, 403],
    ['with the token', closed, bearer(token), 200],
    [
      'with the token, from outside',
      { ...closed, trust_proxy: 1 },
      { headers: { ...bearer(token).headers, ...outside.headers } },
      200,
    ],
    ['without the token', closed, {}, 401],
    ['with another token', closed, bearer('another token'), 401],
    ['with a part of the token', closed, bearer(token.slice(0, -1)), 401],
    ['with the token as Basic', closed, { headers: { authorization: `Basic ${btoa(`x:${token}`)}` } }, 401],
  ] as const;

  const servers = new Map<object, Promise<TestServer>>();
  const serverWith = (settings: StartOptions): Promise<TestServer> => {
    const found = servers.get(settings) ?? startServer(settings);
    servers.set(settings, found);
    return found;
  };

  test.each(cases)('%s', async (_name, settings, sent, status) => {
    const answer = await (await serverWith(settings)).get('/metrics', sent);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    else expect(answer.text).not.toContain('dossier_');
  });
});

describe('the metrics', () => {
  let server: TestServer;
  const scrape = async (): Promise<string> => (await server.get('/metrics')).text;

  beforeAll(async () => {
    server = await startServer({ models, metrics: { enabled: true }, cache: { enabled: true } });
  });
  afterAll(() => server.close());

  test('each metric of the table is there, and those of the process', async () => {
    const text = await scrape();
    const names = [...Object.keys(counters), ...Object.keys(gauges), ...Object.keys(histograms)];
    for (const name of [
      ...names,
      'process_cpu_seconds_total',
      'process_start_time_seconds',
      'nodejs_heap_size_used_bytes',
    ])
      expect(text).toContain(`# TYPE ${name} `);
    expect(seriesOf(text, 'dossier_requests_shed_total').get('')).toBe(0);
    expect(seriesOf(text, 'dossier_store_bytes').get('')).toBeGreaterThanOrEqual(0);
  });

  test('requests are counted by method, template and status', async () => {
    const { document } = await server.post('/api/note', { title: 'one' });
    await server.get(`/api/note/${String(document['_id'])}`);
    await server.get('/api/note/no-id');
    await server.send('PURGE', '/api/note');
    const counts = seriesOf(await scrape(), 'http_server_request_duration_seconds_count');
    const labels = (method: string, route: string, status: number): string =>
      `{http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"}`;
    expect(counts.get(labels('POST', '/api/:model', 201))).toBe(1);
    expect(counts.get(labels('GET', '/api/:model/:id', 200))).toBe(1);
    expect(counts.get(labels('GET', '/api/:model/:id', 400))).toBe(1);
    expect(counts.get(labels('_OTHER', '/api/:model', 405))).toBe(1);
    expect(seriesOf(await scrape(), 'http_server_active_requests').get('')).toBe(1);
  });

  test('answers of the cache are counted', async () => {
    for (let times = 0; times < 3; times++) await server.get('/api/note?limit=7');
    const text = await scrape();
    expect(seriesOf(text, 'dossier_cache_misses_total').get('')).toBeGreaterThanOrEqual(1);
    expect(seriesOf(text, 'dossier_cache_hits_total').get('')).toBeGreaterThanOrEqual(2);
  });

  test('operations on the database are counted, of models and of the server itself', async () => {
    const counted = async (name: string): Promise<number> => {
      const series = [...seriesOf(await scrape(), 'db_client_operation_duration_seconds_count')];
      const found = series.filter(([labels]) => labels.includes(`db_operation_name="${name}"`));
      return found.reduce((sum, [, count]) => sum + count, 0);
    };
    const names = ['insert', 'find', 'findAndModify', 'aggregate'];
    const before = await Promise.all(names.map(counted));
    const { document } = await server.post('/api/note', { title: 'counted' });
    const path = `/api/note/${String(document['_id'])}`;
    await server.get(path);
    await server.put(path, { title: 'again' });
    await server.send('POST', '/aggregate/note', { body: [{ $group: { _id: '$title' } }] });
    const after = await Promise.all(names.map(counted));
    expect(names.filter((_, at) => (after[at] ?? 0) <= (before[at] ?? 0))).toEqual([]);
  });

  test('callers make no series, and nothing that they send is a label', async () => {
    const secret = 'ann-from-the-test';
    const rounds = async (): Promise<void> => {
      for (let at = 0; at < 20; at++) {
        const id = `${secret}-${randomUUID()}`;
        await server.get(`/${id}/${at}`);
        await server.get(`/api/${id}`);
        await server.get(`/api/note/${id}?filter[title]=${id}`);
        await server.get('/api/note', { headers: { authorization: `Bearer ${id}`, 'x-request-id': id } });
        await server.send(`M${at}X`, '/api/note');
      }
    };
    const count = (text: string): number => text.split('\n').filter((line) => /^(http|db|dossier)_/.test(line)).length;
    await rounds();
    await scrape();
    const before = count(await scrape());
    await rounds();
    const text = await scrape();
    expect(count(text)).toBe(before);
    expect(text).not.toContain(secret);
  });

  test('a scrape is logged at debug', async () => {
    await scrape();
    const lines = server.log.map((line) => JSON.parse(line) as { path?: string; level?: string });
    const levels = lines.filter(({ path }) => path === '/metrics').map(({ level }) => level);
    expect(new Set(levels)).toEqual(new Set(['debug']));
  });
});

test('requests that a throttle refuses are counted', async () => {
  const server = await startServer({ metrics: { enabled: true }, throttle: { enabled: true, max: 2 } });
  const { metrics } = server.dossier.services;
  for (let times = 0; times < 5; times++) await server.get('/api');
  const snapshot = await metrics.snapshot();
  const throttled = snapshot.find(({ name }) => name === 'dossier_requests_throttled_total');
  expect(throttled?.values).toMatchObject([{ value: 3 }]);
  await server.close();
});

test('scrapes with the token do not count against the throttle, and guesses of it do', async () => {
  const server = await startServer({ metrics: { enabled: true, token }, throttle: { enabled: true, max: 2 } });
  const statuses = async (sent: ReturnType<typeof bearer>): Promise<number[]> => {
    const all: number[] = [];
    for (let times = 0; times < 4; times++) all.push((await server.get('/metrics', sent)).status);
    return all;
  };
  expect(await statuses(bearer(token))).toEqual([200, 200, 200, 200]);
  expect(await statuses(bearer(`${token}x`))).toEqual([401, 401, 429, 429]);
  expect(await statuses(bearer(token))).toEqual([200, 200, 200, 200]);
  await server.close();
});

test('without the setting nothing is measured', async () => {
  const server = await startServer();
  const { metrics, connection } = server.dossier.services;
  expect(metrics.isOn).toBe(false);
  expect(connection.getClient().listenerCount('commandStarted')).toBe(0);
  expect(Object.hasOwn(connection, 'startSession')).toBe(false);
  await server.close();
});

describe('workers', () => {
  const requests = (text: string): number =>
    [...seriesOf(text, 'http_server_request_duration_seconds_count')]
      .filter(([labels]) => labels.includes('"/api/:model"'))
      .reduce((sum, [, count]) => sum + count, 0);

  test('are summed', async () => {
    const { first, second, close } = await startPair({ models, metrics: { enabled: true } });
    for (const server of [first, first, second]) await server.get('/api/note');
    for (const server of [first, second]) expect(requests((await server.get('/metrics')).text)).toBe(3);
    await close();
  });

  const sample = (value: number): Snapshot => [
    { name: 'x_total', help: 'x', type: 'counter', aggregator: 'sum', values: [{ value, labels: { status: 'ok' } }] },
    { name: 'y', help: 'y', type: 'gauge', aggregator: 'sum', values: [{ value, labels: {} }] },
  ];

  test('what they have counted stays when they have ended, but for gauges', async () => {
    const hub = new WorkerHub();
    const join = () => {
      const peers: WorkerPeers = new WorkerPeers(async (name, value) => connection.answer(name, value));
      const connection = hub.join(async (name, value) => peers.answer(name, value));
      return { peers, leave: connection.leave };
    };
    const [one, two, three] = [join(), join(), join()];
    for (const [{ peers }, value] of [
      [two, 10],
      [three, 100],
    ] as const)
      peers.onMessage('metrics', () => sample(value));
    const total = async (name: string): Promise<number> =>
      (await one.peers.metrics(sample(1)))
        .flat()
        .filter((metric) => metric.name === name)
        .flatMap(({ values }) => values)
        .reduce((sum, { value }) => sum + value, 0);
    expect(await total('x_total')).toBe(111);
    two.leave();
    expect(await total('x_total')).toBe(111);
    // what is counted after the last scrape is read in between
    three.peers.onMessage('metrics', () => sample(150));
    await hub.readKept();
    three.leave();
    expect(await total('x_total')).toBe(161);
    expect(await total('y')).toBe(1);
  });

  test('counts of those that end one after the other take no more room', () => {
    let kept: Snapshot = [];
    for (let times = 0; times < 50; times++) kept = withEndedProcess(kept, sample(2));
    expect(kept).toEqual([sample(100)[0]]);
  });
});
