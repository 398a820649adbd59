/** The examples of docs/operating.md: the alarms fire when they should, and the spans of a process reach a collector. */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { writeModels } from '../support/models.ts';
import { startProcess } from '../support/process.ts';
import { until } from '../support/waiting.ts';

const folder = 'docs/examples/operating';
const isThere = spawnSync('promtool', ['--version']).status === 0;
(isThere ? test : test.skip)('promtool accepts the alarms, which fire when they should (needs promtool)', () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', `${folder}/alerts.test.yaml`]);
  expect(`${String(stdout)}${String(stderr)}`).not.toContain('FAILED');
  expect(status).toBe(0);
});

test('the example of tracing sends the spans of a process, with the trace of the caller', async () => {
  let received = '';
  // stands for the collector: OTLP over HTTP, as JSON
  const collector = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      received += `${String(req.url)} ${Buffer.concat(chunks).toString('utf8')}\n`;
      res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
  const { port } = collector.address() as AddressInfo;
  const models = await writeModels({});
  const environment = {
    MODELS_DIR: models.folder,
    DATA_DIR: `${models.folder}/data`,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
  const server = await startProcess(environment, ['--import', './docs/examples/tracing/tracing.mjs']);
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const answer = await fetch(`${server.url}/ready`, { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } });
  expect(answer.headers.get('x-request-id')).toBe(traceId);
  await until(() => received.includes('GET /ready'));
  expect(received).toMatch(/^\/v1\/traces /);
  expect(received).toContain(traceId);
  expect(received).toContain('hello');
  expect(await server.stop()).toBe(0);
  await new Promise((done) => collector.close(done));
  await models.remove();
});
