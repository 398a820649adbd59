/**
 * `npm run bench -- workers`: Dossier with two workers against Dossier with one, on the same store and the same documents. On four cores or
 * more, the load and the store run on other cores than the servers; otherwise they share them, and processor time for a request, that
 * of all processes of a server, shows what workers cost. The last line is the ratio of both over all workloads. BENCH_ROUNDS (5) and
 * BENCH_SECONDS (1) set how long; with MONGODB_URL that database is used, else an embedded store of its own.
 */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { fill } from './data.ts';
import { measure } from './load.ts';
import { type Cores, coresApart, pin } from './pinning.ts';
import { processorTime, type Running, startPrinting, startServer, stop } from './processes.ts';
import { type Workload, workloads } from './workloads.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const milliseconds = Number(process.env['BENCH_SECONDS'] ?? 1) * 1000;
const warmUpMs = 2000;
const measured = ['get one', 'list 100', 'create'];
const counts = [1, 2] as const;
const admin = { email: 'bench@example.com', password: 'a password for measuring' };

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

/** @returns a line that names the cores @param store undefined for a database that this command has not started */
function pinnedApart({ servers: cores, others }: Cores, servers: readonly Running[], store?: ChildProcess): string {
  pin([process.pid, ...(store === undefined ? [] : processesOf(store))], others);
  pin(
    servers.flatMap(({ child }) => processesOf(child)),
    cores,
  );
  return `The servers run on the cores ${cores}, ${store === undefined ? 'the load' : 'the load and the store'} on ${others}.`;
}

/** @param print takes one line */
export async function measureWorkers(print: (line: string) => void): Promise<void> {
  spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const folder = await mkdtemp(join(tmpdir(), 'dossier-workers-'));
  const given = process.env['MONGODB_URL'];
  const store = given ? undefined : await startPrinting(['--import', 'tsx', 'packages/store/bench/store-process.ts']);
  const url = given ?? store?.line ?? '';
  const servers: Running[] = [];
  try {
    const client = await new mongoose.mongo.MongoClient(url).connect();
    await fill(client.db());
    await client.close();
    for (const workers of counts) servers.push(await start(url, folder, workers));
    const cores = coresApart();
    print(
      cores === undefined ? 'The load and the servers share the cores.' : pinnedApart(cores, servers, store?.child),
    );
    const scene = { servers, token: await signIn(servers) };
    print('| workload | requests/s, 1 worker | 2 workers | ratio | processor time, µs, 1 worker | 2 workers |');
    print('|---|---|---|---|---|---|');
    const ratios: Visit[] = [];
    for (const workload of workloads.filter(({ name }) => measured.includes(name))) {
      const { line, ratio } = await compare(workload, scene);
      print(line);
      ratios.push(ratio);
    }
    const mean = (of: 'rate' | 'cost'): string => geometricMean(ratios.map((ratio) => ratio[of])).toFixed(2);
    print(`Two workers ÷ one: requests/s ${mean('rate')}, processor time for a request ${mean('cost')}`);
  } finally {
    for (const server of servers) await stop(server);
    if (store !== undefined) await stop(store);
    await rm(folder, { recursive: true, force: true });
  }
}

const start = (url: string, folder: string, workers: number): Promise<Running> =>
  startServer(
    ['--max-semi-space-size=64', 'dist/main.js'],
    {
      MODELS_DIR: 'bench/models',
      DATA_DIR: folder,
      MONGODB_URL: url,
      THROTTLE_ENABLED: process.env['BENCH_THROTTLE'] ?? 'false',
      THROTTLE_MAX: '100000000',
      WORKERS: String(workers),
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      BCRYPT_COST: '4',
    },
    '/api/item?limit=1',
  );

interface Scene {
  readonly servers: readonly Running[];
  readonly token: string;
}

interface Visit {
  readonly rate: number;
  /** Microseconds of processor time for a request. */
  readonly cost: number;
}

async function signIn([first]: readonly Running[]): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${first?.port}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  });
  return ((await response.json()) as { readonly token: string }).token;
}

/** A row of the table, and two workers ÷ one: both servers take turns in rounds. */
async function compare(
  { name, request, connections = 32 }: Workload,
  { servers, token }: Scene,
): Promise<{ readonly line: string; readonly ratio: Visit }> {
  const visits: Visit[][] = servers.map(() => []);
  const visit = async ({ port, child }: Running, duration: number): Promise<Visit> => {
    const text = (number: number): string => textOf(request(number), token);
    const before = timeOfAll(child);
    const { rate, answers, failed } = await measure({ port, request: text, connections, milliseconds: duration });
    if (failed.size > 0) throw new Error(`${name}: ${JSON.stringify([...failed])}`);
    return { rate, cost: ((timeOfAll(child) - before) / answers) * 1000 };
  };
  for (const server of servers) await visit(server, warmUpMs);
  for (let round = 0; round < rounds; round++)
    for (const [at, server] of servers.entries()) visits[at]?.push(await visit(server, milliseconds));
  const [one = [], two = []] = visits;
  const ratioOf = (of: 'rate' | 'cost'): number =>
    median(two.map((visited, round) => visited[of] / (one[round]?.[of] ?? NaN)));
  const ratio = { rate: ratioOf('rate'), cost: ratioOf('cost') };
  const shown = (of: 'rate' | 'cost'): string =>
    visits.map((all) => Math.round(median(all.map((each) => each[of])))).join(' | ');
  return { line: `| ${name} | ${shown('rate')} | **${ratio.rate.toFixed(2)}** | ${shown('cost')} |`, ratio };
}

/** Milliseconds of processor time of a server and its workers. */
const timeOfAll = (child: ChildProcess): number =>
  processesOf(child).reduce((sum, pid) => sum + (processorTime({ pid } as ChildProcess) ?? NaN), 0);

/** The ids of a process and its children. */
function processesOf({ pid = NaN }: ChildProcess): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return [pid, ...children.filter((child) => child !== '').map(Number)];
}

function textOf({ method, path, body }: ReturnType<Workload['request']>, token: string): string {
  const json = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...(method === 'GET' ? [] : [`Authorization: Bearer ${token}`]),
    ...(json === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${json}`;
}
