/** Histories of documents with as many values as a body can have: however they are read and written, others are served meanwhile. */
import http from 'node:http';
import { setTimeout as later } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { makeRoot } from '../support/fixtures/people.ts';
import { blocking, expectShortBlocks, referenceMs } from '../support/loop-blocks.ts';
import { agentAt } from '../support/mcp.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const models = {
  'doc.js': `module.exports = new (require('mongoose').Schema)({ title: String, meta: {} },
    { perms: { admin: 'crud', user: 'crud' }, history: true, trash: '30d' });`,
};
const values = 24_990;
const revisions = 17;
/** How much longer than the reading of one body others may wait. Before, it was thousands of times. */
const maxRatio = 16;

let server: TestServer;
let headers: Readonly<Record<string, string>> = {};
let id = '';
let position = '';

interface Answered {
  readonly status: number;
  readonly bytes: number;
}

/** A request whose answer is not parsed, which would hold up the server in this process. */
function ask(method: string, path: string, body?: string): Promise<Answered> {
  return new Promise((done, failed) => {
    const ofBody = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body ?? '')) };
    const request = http.request(server.url + path, { method, headers: { ...headers, ...ofBody } }, (response) => {
      let bytes = 0;
      response.on('data', (piece: Buffer) => (bytes += piece.length));
      response.on('end', () => done({ status: response.statusCode ?? 0, bytes }));
    });
    request.on('error', failed);
    request.end(body);
  });
}

const bodyOf = (rev: number): string => {
  const a = Object.fromEntries(Array.from({ length: values }, (_, at) => [`k${at}`, at + rev]));
  return JSON.stringify({ title: `revision ${rev}`, meta: { a } });
};

/** Blocks of the event loop while something is written, in the order of the revisions. */
const whileWriting: number[] = [];

beforeAll(async () => {
  server = await startServer({ models, query_limits: { max_time_ms: 120_000 } });
  ({ headers } = await makeRoot(server));
  for (let rev = 1; rev <= revisions; rev++) {
    const [method, path] = rev === 1 ? ['POST', '/api/doc'] : ['PUT', `/api/doc/${id}`];
    const { longest, result } = await blocking(() => ask(method, path, bodyOf(rev)));
    whileWriting.push(longest);
    // an answer has the document once, however often it has changed
    if (rev === revisions - 3)
      ({ position } = (await server.get('/changes/doc?fields=title', { headers })).body as { position: string });
    expect(result.status).toBe(rev === 1 ? 201 : 200);
    id ||= String((await server.get('/api/doc?fields=title', { headers })).rows[0]?.['_id']);
  }
}, 300_000);

test('a write of such a document', () => {
  expect(Math.min(...whileWriting.slice(1))).toBeLessThan(maxRatio * referenceMs());
});

describe('reading', () => {
  let target = 2;
  const ways: readonly (readonly [name: string, work: () => Promise<Answered>, minBytes: number])[] = [
    ['a revision', () => ask('GET', `/history/doc/${id}/${revisions - 1}`), 300_000],
    ['the document at a time', () => ask('GET', `/api/doc/${id}?at=${new Date().toISOString()}`), 300_000],
    ['the entries of a document', () => ask('GET', `/history/doc/${id}?limit=100`), 5_000_000],
    ['the entries of a model', () => ask('GET', '/history/doc?limit=100'), 5_000_000],
    [
      'changes since a position',
      () => ask('GET', `/changes/doc?fields=title&since=${encodeURIComponent(position)}`),
      100,
    ],
    ['a snapshot', () => ask('GET', '/changes/doc'), 300_000],
    ['the trash', () => ask('GET', '/api/doc?showDeleted=1'), 300_000],
    // to another revision each time, since a revert to the present state changes nothing
    ['a revert', () => ask('POST', `/history/doc/${id}/revert`, `{"rev":${(target += 1)}}`), 0],
  ];
  test.each(ways)(
    '%s',
    (_, work, minBytes) =>
      expectShortBlocks(maxRatio, async () => {
        const { status, bytes } = await work();
        expect(status).toBe(200);
        expect(bytes).toBeGreaterThanOrEqual(minBytes);
      }),
    300_000,
  );

  test('by an agent, who reads the largest answer', async () => {
    const agent = await agentAt(server.url, headers);
    await expectShortBlocks(2 * maxRatio, async () => {
      expect((await agent.call('history', { model: 'doc', id, limit: 100 })).isError).toBe(true);
    });
  }, 300_000);

  test('ends when the caller hangs up', async () => {
    const path = `/history/doc/${id}?limit=100`;
    const usedSince = (from: NodeJS.CpuUsage): number => {
      const { user, system } = process.cpuUsage(from);
      return user + system;
    };
    const begun = process.cpuUsage();
    await ask('GET', path);
    const whole = usedSince(begun);
    const from = process.cpuUsage();
    const request = http.request(server.url + path, { headers });
    request.on('error', () => undefined).end();
    // by the processor's time: a loaded machine may be much faster or slower than it was for the first request
    while (usedSince(from) < whole / 10) await later(1);
    request.destroy();
    await until(isIdle);
    expect(usedSince(from)).toBeLessThan(whole / 2);
  }, 300_000);
});

/** Whether this process has waited for most of some time. */
async function isIdle(): Promise<boolean> {
  const from = performance.eventLoopUtilization();
  await later(100);
  return performance.eventLoopUtilization(from).utilization < 0.3;
}
