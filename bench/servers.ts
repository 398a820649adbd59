/**
 * `npm run bench -- servers`: one, two and three servers on one `dossier store`, or on the database of MONGODB_URL. Requests/s of all
 * together, and processor time for a request; then what must hold whatever the servers do at the same time, as counts. BENCH_ROUNDS (5)
 * and BENCH_SECONDS (1) set how long.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { fill } from './data.ts';
import { measure } from './load.ts';
import { processorTime, type Running, startServer, stop } from './processes.ts';
import { checkTogether, type Group } from './together.ts';
import { type Sent, workloads } from './workloads.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const milliseconds = Number(process.env['BENCH_SECONDS'] ?? 1) * 1000;
const connections = 36;
const most = 3;
const measured = ['get one', 'list 100', 'create', 'update'];
const admin = { email: 'bench@example.com', password: 'a password for measuring' };

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

/** @param print takes one line */
export async function measureServers(print: (line: string) => void): Promise<void> {
  spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const folder = await mkdtemp(join(tmpdir(), 'dossier-servers-'));
  const store = process.env['MONGODB_URL'] ? undefined : await startStore(folder);
  const url = process.env['MONGODB_URL'] ?? store?.url ?? '';
  const servers: Running[] = [];
  try {
    const client = await new mongoose.mongo.MongoClient(url).connect();
    await fill(client.db());
    await client.close();
    for (let at = 0; at < most; at++) servers.push(await start(url, folder));
    const group: Group = { ports: servers.map(({ port }) => port), token: await signIn(servers[0]?.port) };
    const processes = [...servers, ...(store === undefined ? [] : [store])].map(({ child }) => child);
    print(`| requests/s (µs of processor time) | 1 server | 2 servers | 3 servers |`);
    print('|---|---|---|---|');
    for (const workload of workloads.filter(({ name }) => measured.includes(name)))
      print(`| ${workload.name} | ${(await visitsOf(workload.request, group, processes)).join(' | ')} |`);
    for (const line of await checkTogether(group)) print(line);
  } finally {
    for (const server of servers) await stop(server);
    if (store !== undefined) await stop(store);
    await rm(folder, { recursive: true, force: true });
  }
}

/** A cell for each number of servers, which take turns in rounds. */
async function visitsOf(
  request: (number: number) => Sent,
  { ports, token }: Group,
  processes: readonly ChildProcess[],
): Promise<readonly string[]> {
  const visits = ports.map(() => [] as { readonly rate: number; readonly cost: number }[]);
  let sent = 0;
  const text = (): string => textOf(request(sent++), token);
  for (let round = -1; round < rounds; round++)
    for (const [at, found] of visits.entries()) {
      const before = timeOf(processes);
      const share = { request: text, connections: connections / (at + 1), milliseconds };
      const all = await Promise.all(ports.slice(0, at + 1).map((port) => measure({ ...share, port })));
      if (all.some(({ failed }) => failed.size > 0))
        throw new Error(JSON.stringify(all.map(({ failed }) => [...failed])));
      const answers = all.reduce((sum, one) => sum + one.answers, 0);
      const rate = all.reduce((sum, one) => sum + one.rate, 0);
      // the first round warms up
      if (round >= 0) found.push({ rate, cost: ((timeOf(processes) - before) / answers) * 1000 });
    }
  return visits.map((found) => {
    const [rate, cost] = [median(found.map((one) => one.rate)), median(found.map((one) => one.cost))];
    return `${Math.round(rate).toLocaleString('en')} (${Math.round(cost).toLocaleString('en')})`;
  });
}

const timeOf = (processes: readonly ChildProcess[]): number =>
  processes.reduce((sum, child) => sum + (processorTime(child) ?? NaN), 0);

const start = (url: string, folder: string): Promise<Running> =>
  startServer(
    ['--max-semi-space-size=64', 'dist/main.js'],
    {
      ...{ MODELS_DIR: 'bench/models', DATA_DIR: folder, MONGODB_URL: url, THROTTLE_ENABLED: 'false' },
      ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, BCRYPT_COST: '4' },
      SHARED_SECRET: 'a secret that all of these servers share',
    },
    '/api/item?limit=1',
  );

/** `dossier store` over a folder. */
async function startStore(folder: string): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const args = ['bin/dossier.mjs', 'store', '--port', '0', '--data', join(folder, 'store')];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    const [, url] = /MONGODB_URL=(\S+)\n/.exec(text) ?? [];
    if (url !== undefined) return { child, url };
  }
  throw new Error('dossier store has ended before it printed its address');
}

async function signIn(port: number | undefined): Promise<string> {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(admin) };
  const response = await fetch(`http://127.0.0.1:${port}/login`, sent);
  return ((await response.json()) as { readonly token: string }).token;
}

function textOf({ method, path, body }: Sent, token: string): string {
  const json = body === undefined ? '' : JSON.stringify(body);
  const type = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`;
  return `${head}${json === '' ? '' : type}\r\n${json}`;
}
