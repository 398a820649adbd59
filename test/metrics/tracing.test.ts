/** Spans, with an SDK that this process has loaded: which there are, that they are one trace, and that they have no value of a caller. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import * as conventions from '@opentelemetry/semantic-conventions';
import { attributeNames } from '../../src/adapters/tracing.ts';
import { listen } from '../support/event-stream.ts';
import { makeUsers, rootBasic } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const traceId = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';
const traced = { headers: { traceparent: `00-${traceId}-${parent}-01` } };
const secret = 'value-of-a-caller';

const models = {
  'note.js': `const { Schema } = require('mongoose');
    const note = new Schema({ title: String }, { perms: { all: 'crud' }, callable_statics: ['ask'] });
    note.statics.ask = async function ({ url }) { return (await fetch(url)).headers.get('x-seen'); };
    note.statics.tidy = async function () {};
    module.exports = note;`,
};
let server: TestServer;

beforeAll(async () => {
  provider.register();
  server = await startServer({ models, webhook: { allow: ['127.0.0.1'] } });
  await makeUsers(server, ['root']);
});
afterAll(async () => {
  await server.close();
  await provider.shutdown();
  // the SDK is registered for the whole process, which runs other test files next
  for (const api of [trace, context, propagation]) api.disable();
});

/** The spans of one request, which are exported when it has ended. */
async function spansOf(work: () => Promise<unknown>) {
  exporter.reset();
  await work();
  await new Promise((done) => setImmediate(done));
  return exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
}

test('a request and its work are in the trace of the caller, whose id is that of the request', async () => {
  let answer: Awaited<ReturnType<TestServer['get']>> | undefined;
  const spans = await spansOf(async () => {
    answer = await server.get(`/api/note?filter[title]=${secret}`, traced);
  });
  expect(answer?.status).toBe(200);
  expect(answer?.headers.get('x-request-id')).toBe(traceId);
  expect(server.log.some((line) => line.includes(`"id":"${traceId}"`))).toBe(true);
  const request = spans.find(({ kind }) => kind === SpanKind.SERVER);
  expect(request).toMatchObject({
    name: 'GET /api/:model',
    attributes: { 'http.request.method': 'GET', 'http.route': '/api/:model', 'http.response.status_code': 200 },
  });
  expect(request?.parentSpanContext?.spanId).toBe(parent);
  expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['plan note', 'find notes']));
  expect(spans.find(({ name }) => name === 'find notes')).toMatchObject({
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'mongodb', 'db.operation.name': 'find', 'db.collection.name': 'notes' },
  });
});

/** The names of the commands that the database answers from now on. */
function watchCommands() {
  const commands: string[] = [];
  const seen = ({ commandName }: { readonly commandName: string }): void => void commands.push(commandName);
  const client = server.dossier.services.connection.getClient().on('commandSucceeded', seen);
  return { commands, end: () => void client.off('commandSucceeded', seen) };
}

needs('change streams')('the change stream that the first subscriber begins is in no trace', async () => {
  exporter.reset();
  const { commands, end } = watchCommands();
  const stream = await listen(`${server.url}/events/note`, traced.headers);
  await until(() => commands.filter((name) => name === 'getMore').length > 2);
  expect(exporter.getFinishedSpans().map(({ name }) => name)).not.toContain('getMore');
  stream.close();
  end();
});

test('no span has a value of a caller', async () => {
  const spans = await spansOf(async () => {
    await server.post('/api/note', { title: secret }, traced);
    await server.get(`/api/note/${secret}`, traced);
    await server.get(`/${secret}`, { headers: { ...traced.headers, 'x-api-key': secret } });
    await server.send('PATCH', `/api/note/${'a'.repeat(24)}`, { body: { title: secret }, ...traced });
  });
  expect(spans.length).toBeGreaterThan(4);
  const texts = spans.map(({ name, attributes, events, status }) =>
    JSON.stringify({ name, attributes, events, status }),
  );
  expect(texts.join()).not.toContain(secret);
  expect(texts.join()).not.toContain('a'.repeat(24));
});

test('a function has a span, and what it fetches receives the trace', async () => {
  const url = `${server.url}/health`;
  const spans = await spansOf(() => server.post('/call/note/ask', { url }, traced));
  expect(spans.find(({ name }) => name === 'call note.ask')?.attributes).toEqual({ 'code.function.name': 'note.ask' });
  const asked = spans.find(({ name }) => name === 'GET /health');
  const called = spans.find(({ name }) => name === 'call note.ask');
  expect(asked?.parentSpanContext?.spanId).toBe(called?.spanContext().spanId);
});

test('a fault has its type, and not its message', async () => {
  const spans = await spansOf(() => server.post('/call/note/ask', { url: `http://${secret}.invalid` }, traced));
  const called = spans.find(({ name }) => name === 'call note.ask');
  expect(called).toMatchObject({ status: { code: SpanStatusCode.ERROR }, attributes: { 'error.type': 'TypeError' } });
  expect(called?.status.message).toBeUndefined();
});

describe('what runs after the commit', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());
  /** The spans of a name that have ended since. */
  const untilSpan = async (name: string): Promise<readonly ReadableSpan[]> => {
    const found = (): ReadableSpan[] => exporter.getFinishedSpans().filter((span) => span.name === name);
    await until(() => found().length > 0);
    return found();
  };

  test.each([
    [204, {}],
    [503, { 'error.type': '503' }],
  ])('a delivery that is answered with %i has the attributes of an HTTP client', async (status, added) => {
    receiver.respond = (_received, answer) => void answer.writeHead(status).end();
    const url = new URL(receiver.url);
    const { document } = await server.post(
      '/webhooks',
      { url: `${receiver.url}?key=${secret}`, models: ['note'] },
      { headers: rootBasic },
    );
    exporter.reset();
    await server.post(`/webhooks/${String(document['id'])}/test`, undefined, { headers: rootBasic });
    const [span] = await untilSpan('POST');
    expect(span).toMatchObject({ kind: SpanKind.CLIENT });
    expect(span?.attributes).toEqual({
      'http.request.method': 'POST',
      'server.address': '127.0.0.1',
      'server.port': Number(url.port),
      'url.full': `${url.origin}/REDACTED`,
      'http.response.status_code': status,
      ...added,
    });
    const [run] = await untilSpan('run webhook');
    expect(span?.parentSpanContext?.spanId).toBe(run?.spanContext().spanId);
    expect(receiver.received.at(-1)?.headers['traceparent']).toContain(span?.spanContext().spanId);
    await server.remove(`/webhooks/${String(document['id'])}`, { headers: rootBasic });
  });

  test('a job has the name of its function', async () => {
    exporter.reset();
    await server.dossier.api.as('system').later('note.tidy', { secret });
    const [run] = await untilSpan('run job');
    expect(run?.attributes).toEqual({ 'code.function.name': 'note.tidy' });
  });
});

test('looks for entries that are due are in no trace, whatever wakes them', async () => {
  const { outbox } = server.dossier.services;
  const { commands, end } = watchCommands();
  for (const wake of [
    () => outbox.committed(),
    () =>
      trace.getTracer('test').startActiveSpan('a request', (span) => {
        outbox.committed();
        span.end();
      }),
  ]) {
    commands.length = 0;
    exporter.reset();
    wake();
    // each kind is asked for what is due, and for what is due next
    await until(() => commands.length >= 3);
    const names = exporter.getFinishedSpans().map(({ name }) => name);
    expect(names.filter((name) => name !== 'a request')).toEqual([]);
  }
  end();
});

test('without a trace of the caller, the request id is that of a new one', async () => {
  exporter.reset();
  const id = (await server.get('/health')).headers.get('x-request-id');
  await new Promise((done) => setImmediate(done));
  expect(exporter.getFinishedSpans().map((span) => span.spanContext().traceId)).toContain(id);
});

test('all names of attributes are in the stable semantic conventions', () => {
  const stable = new Set<unknown>(Object.values(conventions));
  expect(Object.values(attributeNames).filter((name) => !stable.has(name))).toEqual([]);
});
