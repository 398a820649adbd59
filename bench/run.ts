/**
 * `npm run bench [-- <names of workloads>]`: Dossier against a hand-written node:http and driver server, on the same store and the
 * same documents. `npm run bench -- store …` is `store.ts`, `npm run bench -- events` is `events.ts`, `npm run bench -- workers` is `workers.ts`. Prints ratios, medians of rounds in which both servers take turns. BENCH_ROUNDS (5) and BENCH_SECONDS (1) set how long;
 * with MONGODB_URL that database is used (its collections items, makers, drafts and leaves are overwritten), else an embedded store of its own.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { benchStore } from '../packages/store/bench/store.ts';
import { fill, itemId } from './data.ts';
import { measureEvents } from './events.ts';
import { measure } from './load.ts';
import { memory, processorTime, type Running, startPrinting, startServer, stop } from './processes.ts';
import { measureWorkers } from './workers.ts';
import { type Credential, type ServerName, type Side, type Workload, workloads } from './workloads.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const milliseconds = Number(process.env['BENCH_SECONDS'] ?? 1) * 1000;
/** Requests of a workload; then they begin again, so that making them costs little. */
const distinct = 100;
const admin = { email: 'bench@example.com', password: 'a password for measuring' };
/** As `npm start` starts it. */
const dossierArgs = ['--max-semi-space-size=64', 'dist/main.js'];
const limitArgs = ['--import', 'tsx', 'bench/limit-server.ts'];
const firstPath = `/api/item/${itemId(7)}`;

interface Bench {
  readonly servers: Readonly<Record<ServerName, Running>>;
  /** The header of each. */
  readonly credentials: Readonly<Record<Credential, string>>;
  /** What leads to the page of a side that is not the first one, by the paths of the list and the page. */
  readonly cursors: Map<string, string>;
}

interface Cell {
  /** Answers in a second. */
  readonly rates: Readonly<Record<'side' | 'against', number[]>>;
  /** Microseconds of processor time for a request. */
  readonly costs: Readonly<Record<'side' | 'against', number[]>>;
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
  spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const folder = await mkdtemp(join(tmpdir(), 'dossier-bench-'));
  const store = process.env['MONGODB_URL']
    ? undefined
    : await startPrinting(['--import', 'tsx', 'packages/store/bench/store-process.ts']);
  const url = process.env['MONGODB_URL'] ?? store?.line ?? '';
  const running: Running[] = [];
  try {
    await fillDatabase(url);
    const start = async (args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Running> => {
      const server = await startServer(args, { ...environment, MONGODB_URL: url }, firstPath);
      running.push(server);
      return server;
    };
    const dossier = await start(dossierArgs, settings(folder));
    const { token, apikey } = await signIn(dossier.port);
    const cached = await start(dossierArgs, { ...settings(folder), CACHE_ENABLED: 'true' });
    const limit = await start(limitArgs, { TOKEN: token });
    const credentials = {
      bearer: `Authorization: Bearer ${token}`,
      'api key': `x-api-key: ${apikey}`,
      Basic: `Authorization: Basic ${Buffer.from(`${admin.email}:${admin.password}`).toString('base64')}`,
    };
    await compare({ servers: { dossier, cached, limit }, credentials, cursors: new Map() });
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

async function signIn(port: number): Promise<{ token: string; apikey: string }> {
  const response = await fetch(`http://127.0.0.1:${port}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  });
  return (await response.json()) as { token: string; apikey: string };
}

const pathFor = ({ model }: Side, path: string): string =>
  model === undefined ? path : path.replace('/item', `/${model}`);

/** The text of a request. */
function textOf({ request }: Workload, number: number, side: Side, { cursors, credentials }: Bench): string {
  const credential = side.credential === undefined ? undefined : credentials[side.credential];
  const { method, path: list, body, type = 'application/json' } = (side.request ?? request)(number);
  const path = list + (cursors.get(cursorKey(list, side)) ?? '');
  const json = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${pathFor(side, path)} HTTP/1.1`,
    'Host: localhost',
    ...(credential === undefined ? [] : [credential]),
    ...(json === '' ? [] : [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(json)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${json}`;
}

const cursorKey = (path: string, { page }: Side): string => `${path} ${page ?? 1}`;

/** Finds out the cursor of a page by the page before. */
async function findCursor({ request, side }: Workload, { servers, cursors }: Bench): Promise<void> {
  if (side.page === undefined) return;
  const { path } = request(0);
  const answer = await fetch(`http://127.0.0.1:${servers[side.server].port}${path}&page=${side.page - 1}`);
  const { next_cursor: cursor } = (await answer.json()) as { readonly next_cursor?: string };
  if (cursor === undefined) throw new Error(`${path} has no page ${side.page}`);
  cursors.set(cursorKey(path, side), `&after=${cursor}`);
}

const bothSides = ['side', 'against'] as const;

async function compare(bench: Bench): Promise<void> {
  const names = process.argv.slice(2);
  const chosen = workloads.filter(({ name }) => names.length === 0 || names.includes(name));
  const cells = new Map<Workload, Cell>();
  for (const workload of chosen) {
    await findCursor(workload, bench);
    if (workload.side.page === undefined) await checkSame(workload, bench);
    cells.set(workload, { rates: { side: [], against: [] }, costs: { side: [], against: [] } });
    for (const side of bothSides) await visit(workload, bench, side, 500);
  }
  for (let round = 0; round < rounds; round++)
    for (const [workload, { rates, costs }] of cells)
      for (const side of round % 2 === 0 ? bothSides : [...bothSides].reverse()) {
        const { rate, cost } = await visit(workload, bench, side, milliseconds);
        rates[side].push(rate);
        costs[side].push(cost);
      }
  table(cells);
}

const reading = /^\/(query|aggregate)\//;

/** Both must give the same data for the same reading request, or the comparison means nothing. */
async function checkSame(workload: Workload, { servers, credentials }: Bench): Promise<void> {
  const { method, path, body } = workload.request(1);
  if ((method !== 'GET' && !reading.test(path)) || workload.against.request !== undefined) return;
  const ask = async (side: Side): Promise<string> => {
    const { server, credential } = side;
    const [name = '', ...value] = credential === undefined ? [] : credentials[credential].split(': ');
    const response = await fetch(`http://127.0.0.1:${servers[server].port}${pathFor(side, path)}`, {
      method,
      headers: { 'content-type': 'application/json', ...(name === '' ? {} : { [name]: value.join(': ') }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return path.startsWith('/csv/') ? text : JSON.stringify((JSON.parse(text) as { data: unknown }).data);
  };
  const [ours, theirs] = await Promise.all([ask(workload.side), ask(workload.against)]);
  if (ours !== theirs)
    throw new Error(`${workload.name}: the servers answer differently\n${ours.slice(0, 800)}\n${theirs.slice(0, 800)}`);
}

async function visit(
  workload: Workload,
  bench: Bench,
  which: 'side' | 'against',
  duration: number,
): Promise<{ rate: number; cost: number }> {
  const { server, worth = 1 } = workload[which];
  const { child, port } = bench.servers[server];
  const texts: string[] = [];
  const before = processorTime(child) ?? NaN;
  const request = (number: number): string =>
    (texts[number % distinct] ??= textOf(workload, number, workload[which], bench));
  const { connections = 32 } = workload;
  const { rate, answers, failed } = await measure({ port, request, connections, milliseconds: duration });
  if (failed.size > 0) throw new Error(`${workload.name} on ${server}: ${JSON.stringify([...failed])}`);
  return { rate: rate * worth, cost: (((processorTime(child) ?? NaN) - before) / (answers * worth)) * 1000 };
}

function table(cells: ReadonlyMap<Workload, Cell>): void {
  print('| workload | against | requests/s | of the other | ratio | processor time, µs | of the other | ratio |');
  print('|---|---|---|---|---|---|---|---|');
  for (const [{ name, against }, { rates, costs }] of cells) {
    const ratio = median(rates.side.map((rate, at) => rate / (rates.against[at] ?? NaN)));
    const costRatio = median(costs.against.map((cost, at) => cost / (costs.side[at] ?? NaN)));
    const whole = [rates.side, rates.against].map((values) => Math.round(median(values))).join(' | ');
    const micros = [costs.side, costs.against].map((values) => Math.round(median(values))).join(' | ');
    print(`| ${name} | ${against.server} | ${whole} | **${ratio.toFixed(2)}** | ${micros} | ${costRatio.toFixed(2)} |`);
  }
}

const [first, ...names] = process.argv.slice(2);
if (first === 'store') await benchStore(names);
else if (first === 'events') await measureEvents(print);
else if (first === 'workers') await measureWorkers(print);
else await bench();
