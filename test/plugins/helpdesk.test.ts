/** docs/examples/helpdesk, as docs/helpdesk.md walks through it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { surveys } from '../../docs/examples/helpdesk/surveys/index.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const folder = 'docs/examples/helpdesk';
const password = 'a long enough passphrase';
const basic = (email: string): Readonly<Record<string, string>> => ({
  authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
});
const agent = { headers: basic('ada@example.com') };
const admin = { headers: basic('root@example.com') };

let server: TestServer;
let mailbox: Mailbox;
let receiver: Server;
const received: { readonly type: string; readonly data: { readonly item?: object } }[] = [];
let ticket: string;

beforeAll(async () => {
  mailbox = await openMailbox();
  receiver = createServer((req, res) => {
    let text = '';
    req.on('data', (chunk: Buffer) => (text += chunk.toString()));
    req.on('end', () => {
      received.push(JSON.parse(text) as (typeof received)[number]);
      res.end();
    });
  });
  await new Promise<void>((listening) => void receiver.listen(0, '127.0.0.1', listening));
  process.env['HELPDESK_SMTP_URL'] = mailbox.url;
  server = await startServer({
    models: `${folder}/models`,
    routes_dir: `${folder}/routes`,
    plugins: [surveys({ best: 5 })],
    webhook: { allow: '127.0.0.1' },
  });
  const system = server.dossier.api.as('system');
  await system.model('user').create({ email: 'ada@example.com', name: 'Ada', password, groups: ['agents'] });
  await system.model('user').create({ email: 'root@example.com', name: 'Root', password, admin: true });
  const customer = { name: 'Cleo', email: 'cleo@example.com' };
  const made = await server.post('/api/customer', customer, agent);
  const opened = await server.post('/api/ticket', { title: 'It is broken', customer_id: made.document['_id'] }, agent);
  ticket = String(opened.document['_id']);
});
afterAll(async () => {
  receiver.close();
  await mailbox.close();
});

/** Asks until it is there, for what happens after an answer. */
async function eventually<T>(read: () => Promise<T | undefined> | T | undefined): Promise<T> {
  let found: T | undefined;
  await until(async () => (found = await read()) !== undefined);
  return found as T;
}

test('a webhook receives a change of the status', async () => {
  const { port } = receiver.address() as AddressInfo;
  const webhook = {
    url: `http://127.0.0.1:${port}/chat`,
    models: ['ticket'],
    events: ['put'],
    filter: { urgent: true },
  };
  expect((await server.post('/webhooks', webhook, admin)).status).toBe(201);
  const customer = (await server.get('/api/customer', agent)).rows[0];
  const made = await server.post('/api/ticket', { title: 'Fire', urgent: true, customer_id: customer?.['_id'] }, agent);
  await server.put(`/api/ticket/${String(made.document['_id'])}`, { status: 'closed' }, agent);
  const message = await eventually(() => received[0]);
  expect(message).toMatchObject({ type: 'ticket.updated', data: { item: { title: 'Fire', status: 'closed' } } });
});

needs('transactions')('an answer changes the ticket, and is mailed by a job', async () => {
  const path = `/tickets/${ticket}/answers`;
  expect((await server.post(path, { text: 'Restart it' })).status).toBe(401);
  expect((await server.post(path, {}, agent)).status).toBe(400);
  expect((await server.post(path, { text: 'Restart it' }, agent)).body['data']).toMatchObject({ text: 'Restart it' });
  expect((await server.get(`/api/ticket/${ticket}`, agent)).document).toMatchObject({ status: 'answered' });
  const [letter] = await eventually(() => {
    const found = mailbox.sentTo('cleo@example.com');
    return found.length === 0 ? undefined : found;
  });
  expect(letter?.raw).toContain('Restart it');
});

needs('transactions')('an answer to no ticket leaves nothing', async () => {
  const answer = await server.post(`/tickets/${'0'.repeat(24)}/answers`, { text: 'a' }, agent);
  expect(answer.status).toBe(404);
  expect((await server.get('/api/message', agent)).rows).toHaveLength(1);
});

needs('transactions')('the report counts by status', async () => {
  const year = new Date().getUTCFullYear();
  expect((await server.get(`/reports/${year}`, agent)).body).toEqual({ data: { open: 0, answered: 1, closed: 1 } });
  expect((await server.get(`/reports/${year}`)).status).toBe(401);
});

test('the schedule runs', async () => {
  expect((await server.post('/schedules/ticket.nightly/run', undefined, admin)).status).toBe(202);
  const last = await eventually(async () => {
    const { rows } = await server.get('/schedules', admin);
    const found = rows.find(({ name }) => name === 'ticket.nightly')?.['last'] as { outcome?: string } | undefined;
    return found?.outcome == null ? undefined : found;
  });
  expect(last).toMatchObject({ outcome: 'ok' });
});

test('the plug-in has a model and a route', async () => {
  expect((await server.post('/api/survey', { ticket_id: ticket, stars: 4 })).status).toBe(201);
  expect((await server.post('/api/survey', { ticket_id: ticket, stars: 6 })).status).toBe(400);
  expect((await server.get('/surveys/average', agent)).body).toEqual({ data: { best: 5, surveys: 1, average: 4 } });
});
