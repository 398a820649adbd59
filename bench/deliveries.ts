/**
 * `npm run bench -- deliveries`: what one process delivers to receivers that answer at once, and how many jobs it runs that do nothing. First all of
 * them are asked for, by a server that runs none; then one that runs them is measured. The rates for one core are those of its processor
 * time, which other programs change little. DELIVERIES (4000) sets how many. BENCH_PROFILE is a folder for processor profiles.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processorTime, type Running, startServer, stop } from './processes.ts';

const many = Number(process.env['DELIVERIES'] ?? 4000);
/** Of them, those that come before the measurement. */
const warm = Math.floor(many / 4);
const atOnce = 500;
const webhooks = 8;
const admin = { email: 'bench@example.com', password: 'a password for measuring' };
const basic = `Basic ${Buffer.from(`${admin.email}:${admin.password}`).toString('base64')}`;

async function ask({ port }: Running, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: basic },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { readonly data?: unknown };
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer.data;
}

/** A receiver that answers at once, and counts. */
interface Receiver {
  readonly url: string;
  readonly received: () => number;
  readonly server: Server;
}

async function openReceiver(): Promise<Receiver> {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      received += 1;
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, received: () => received, server };
}

/** Measures with a server and an embedded store of its own. @param print takes one line */
export async function measureDeliveries(print: (line: string) => void): Promise<void> {
  spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const folder = await mkdtemp(join(tmpdir(), 'dossier-deliveries-'));
  const receiver = await openReceiver();
  const environment = {
    ...{ MODELS_DIR: 'bench/models/jobs', DATA_DIR: folder, MONGODB_URL: '', THROTTLE_ENABLED: 'false' },
    ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, BCRYPT_COST: '4', WEBHOOK_ALLOW: '127.0.0.1' },
  };
  const start = (args: readonly string[], more: object = {}): Promise<Running> =>
    startServer([...args, '--max-semi-space-size=64', 'dist/main.js'], { ...environment, ...more }, '/health');
  const profiles = process.env['BENCH_PROFILE'];
  const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  print(`${many} of each; a quarter of them before the measurement\n`);
  print('| | processor time of each | for one core | in this run |');
  print('|---|---|---|---|');
  try {
    const asking = await start([], { BACKGROUND: 'off' });
    await askForDeliveries(asking, receiver);
    await stop(asking);
    const delivering = await start(profiling);
    print(await row('deliveries', delivering, () => Promise.resolve(receiver.received())));
    for (let n = 0; n < many; n += atOnce) await ask(delivering, 'POST', '/call/noted/ask', atOnce);
    print(await row('jobs', delivering, async () => Number(await ask(delivering, 'POST', '/call/noted/count', {}))));
    await stop(delivering);
  } finally {
    receiver.server.close();
    receiver.server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  }
}

/** One for each webhook and document. */
async function askForDeliveries(server: Running, { url }: Receiver): Promise<void> {
  for (let n = 0; n < webhooks; n++)
    await ask(server, 'POST', '/webhooks', { url, models: ['noted'], events: ['post'] });
  const documents = Math.ceil(many / webhooks);
  const insertions = Array.from({ length: documents }, (_, n) => ({
    insertOne: { document: { title: `title ${n}`, n } },
  }));
  for (let at = 0; at < documents; at += atOnce)
    await ask(server, 'POST', '/bulkwrite/noted', insertions.slice(at, at + atOnce));
}

/** Waits until as many have been done, and measures those after the first quarter. */
async function row(name: string, { child }: Running, done: () => Promise<number>): Promise<string> {
  const reach = async (
    count: number,
  ): Promise<{ readonly count: number; readonly at: number; readonly cpu: number }> => {
    let reached = await done();
    while (reached < count) {
      await pause(50);
      reached = await done();
    }
    return { count: reached, at: performance.now(), cpu: processorTime(child) ?? NaN };
  };
  const first = await reach(warm);
  const last = await reach(many);
  const count = last.count - first.count;
  const ms = (last.cpu - first.cpu) / count;
  const perSecond = (count / (last.at - first.at)) * 1000;
  return `| ${name} | ${ms.toFixed(2)} ms | ${Math.round(1000 / ms)}/s | ${Math.round(perSecond)}/s |`;
}
