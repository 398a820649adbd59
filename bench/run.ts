/**
 * `npm run bench [-- <names of workloads>]`: Dossier against a hand-written node:http and driver server, on the same store and the
 * same documents. Prints ratios, medians of rounds in which both servers take turns. BENCH_ROUNDS (5) and BENCH_SECONDS (1) set how long;
 * with MONGODB_URL that database is used (its collections items, makers and drafts are overwritten), else an embedded store of its own.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { fill, itemId } from './data.ts';
import { measure } from './load.ts';
import { memory, processorTime, startPrinting, startServer, stop, type Running } from './processes.ts';
import { workloads, type Workload } from './workloads.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const milliseconds = Number(process.env['BENCH_SECONDS'] ?? 1) * 1000;
const connections = 32;
const admin = { email: 'bench@example.com', password: 'a password for measuring' };
/** As `npm start` starts it. */
const dossierArgs = ['--max-semi-space-size=64', 'dist/main.js'];
const limitArgs = ['--import', 'tsx', 'bench/limit-server.ts'];
const firstPath = `/api/item/${itemId(7)}`;

interface Servers {
  readonly dossier: Running;
  readonly limit: Running;
  readonly token: string;
}

interface Cell {
  readonly rates: { dossier: number[]; limit: number[] };
  /** Microseconds of processor time for a request. */
  readonly costs: { dossier: number[]; limit: number[] };
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
const settings = (folder: string): Record<string, string> => ({
  MODELS_DIR: 'bench/models',
  DATA_DIR: folder,
  THROTTLE_ENABLED: 'false',
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  BCRYPT_COST: '4',
});

async function bench(): Promise<void> {
  spawnSync(process.execPath, ['scripts/build-if-stale.mjs'], { stdio: 'inherit' });
  const folder = await mkdtemp(join(tmpdir(), 'dossier-bench-'));
  const store = process.env['MONGODB_URL']
    ? undefined
    : await startPrinting(['--import', 'tsx', 'bench/store-process.ts']);
  const url = process.env['MONGODB_URL'] ?? store?.line ?? '';
  const running: Running[] = [];
  try {
    await fillDatabase(url);
    const dossier = await startServer(dossierArgs, { ...settings(folder), MONGODB_URL: url }, firstPath);
    running.push(dossier);
    const token = await signIn(dossier.port);
    const limit = await startServer(limitArgs, { MONGODB_URL: url, TOKEN: token }, firstPath);
    running.push(limit);
    await compare({ dossier, limit, token });
    print(`\nfirst answer with this database: Dossier ${ms(dossier)}, limit ${ms(limit)} (with the start of tsx)`);
    print(`memory after the load: Dossier ${memory(dossier.child)} MB, limit ${memory(limit.child)} MB`);
    for (const server of running.splice(0)) await stop(server);
    if (store !== undefined)
      print(`first answer with an empty embedded store: ${await emptyStart(join(folder, 'empty'))}`);
  } finally {
    for (const server of running) await stop(server);
    if (store !== undefined) await stop(store);
    await rm(folder, { recursive: true, force: true });
  }
}

const ms = ({ firstAnswer }: Running): string => `${Math.round(firstAnswer)} ms`;

async function fillDatabase(url: string): Promise<void> {
  const client = await new mongoose.mongo.MongoClient(url).connect();
  await fill(client.db());
  await client.close();
}

/** Median of three starts. */
async function emptyStart(folder: string): Promise<string> {
  const times: number[] = [];
  for (let at = 0; at < 3; at++) {
    const server = await startServer(dossierArgs, settings(`${folder}-${at}`), '/api/item');
    times.push(server.firstAnswer);
    await stop(server);
  }
  return `${Math.round(median(times))} ms`;
}

async function signIn(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  });
  return ((await response.json()) as { token: string }).token;
}

/** The text of a request. */
function textOf(workload: Workload, number: number, token: string): string {
  const { method, path, body } = workload.request(number);
  const json = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...(workload.token === true ? [`Authorization: Bearer ${token}`] : []),
    ...(json === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${json}`;
}

async function compare(servers: Servers): Promise<void> {
  const names = process.argv.slice(2);
  const chosen = workloads.filter(({ name }) => names.length === 0 || names.includes(name));
  const cells = new Map<Workload, Cell>();
  for (const workload of chosen) {
    await checkSame(workload, servers);
    cells.set(workload, { rates: { dossier: [], limit: [] }, costs: { dossier: [], limit: [] } });
    for (const side of ['limit', 'dossier'] as const) await visit(workload, servers, side, 500);
  }
  for (let round = 0; round < rounds; round++)
    for (const [workload, { rates, costs }] of cells)
      for (const side of round % 2 === 0 ? (['limit', 'dossier'] as const) : (['dossier', 'limit'] as const)) {
        const { rate, cost } = await visit(workload, servers, side, milliseconds);
        rates[side].push(rate);
        costs[side].push(cost);
      }
  table(cells);
}

/** Both must give the same data for the same reading request, or the comparison means nothing. */
async function checkSame(workload: Workload, { dossier, limit, token }: Servers): Promise<void> {
  const { method, path } = workload.request(1);
  if (method !== 'GET') return;
  const headers = workload.token === true ? { authorization: `Bearer ${token}` } : {};
  const [ours, theirs] = await Promise.all(
    [dossier, limit].map(async ({ port }) => {
      const { data } = (await (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).json()) as {
        data: unknown;
      };
      return JSON.stringify(data);
    }),
  );
  if (ours !== theirs || ours === undefined)
    throw new Error(
      `${workload.name}: the servers answer differently\n${ours?.slice(0, 800)}\n${theirs?.slice(0, 800)}`,
    );
}

async function visit(
  workload: Workload,
  servers: Servers,
  side: 'dossier' | 'limit',
  duration: number,
): Promise<{ rate: number; cost: number }> {
  const { child, port } = servers[side];
  const before = processorTime(child) ?? NaN;
  const request = (number: number): string => textOf(workload, number, servers.token);
  const { rate, answers, failed } = await measure({ port, request, connections, milliseconds: duration });
  if (failed.size > 0) throw new Error(`${workload.name} on ${side}: ${JSON.stringify([...failed])}`);
  return { rate, cost: (((processorTime(child) ?? NaN) - before) / answers) * 1000 };
}

function table(cells: ReadonlyMap<Workload, Cell>): void {
  print(
    '| workload | Dossier, requests/s | limit, requests/s | ratio | processor time: Dossier, µs | limit, µs | ratio |',
  );
  print('|---|---|---|---|---|---|---|');
  for (const [{ name }, { rates, costs }] of cells) {
    const ratio = median(rates.dossier.map((rate, at) => rate / (rates.limit[at] ?? NaN)));
    const costRatio = median(costs.limit.map((cost, at) => cost / (costs.dossier[at] ?? NaN)));
    const whole = [rates.dossier, rates.limit].map((values) => Math.round(median(values)));
    const micros = [costs.dossier, costs.limit].map((values) => Math.round(median(values)));
    print(
      `| ${name} | ${whole.join(' | ')} | **${ratio.toFixed(2)}** | ${micros.join(' | ')} | ${costRatio.toFixed(2)} |`,
    );
  }
}

await bench();
