/**
 * `npm run bench -- shed`: 800 lists at once, again and again, from callers who send much, beside one who sends little and a load balancer
 * that asks for `/health`. Prints what each of them gets, first when the server is calm and warm, then under the load with shedding and without it
 * (`SHED_AFTER_MS=0`), and ratios to the calm. With BENCH_DELAY_MS a line to the store delays each command and each answer by half of it.
 * BENCH_ROUNDS (5) sets how many times the 800 are sent.
 */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { fill } from './data.ts';
import { reader } from './load.ts';
import { memory, type Running, startPrinting, startServer, stop } from './processes.ts';
import { openSlowLine } from './slow-line.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const delayMs = Number(process.env['BENCH_DELAY_MS'] ?? 0);
const atOnce = 800;
/** What is normal: so many connections, each with so many lists one after the other. */
const calmConnections = 32;
const calmLists = 20;
/** How many times what is normal is asked for before it counts: a process that has just started is several times slower. */
const warmUps = 8;
/** Milliseconds between two requests of the caller who sends little, and between two of the load balancer. */
const stepMs = 50;
/** Milliseconds after the load until the memory is read again. */
const restMs = 10_000;
const admin = { email: 'bench@example.com', password: 'a password for measuring' };
const list = '/api/item?limit=100';

/** One answer: its status, and milliseconds until all of it has arrived. */
interface Timed {
  readonly status: number;
  readonly ms: number;
}

interface Scene {
  readonly port: number;
  readonly child: ChildProcess;
  readonly token: string;
}

/** What was answered, and megabytes of memory. */
interface Seen {
  readonly many: readonly Timed[];
  readonly few: readonly Timed[];
  readonly health: readonly Timed[];
  readonly memory: { readonly before: number; readonly most: number; readonly after: number };
  readonly seconds: number;
}

/** @param print takes one line */
export async function measureShedding(print: (line: string) => void): Promise<void> {
  spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const folder = await mkdtemp(join(tmpdir(), 'dossier-shed-'));
  const given = process.env['MONGODB_URL'];
  const store = given ? undefined : await startPrinting(['--import', 'tsx', 'packages/store/bench/store-process.ts']);
  const direct = given ?? store?.line ?? '';
  const line = delayMs === 0 ? undefined : await openSlowLine(direct, delayMs);
  try {
    const client = await new mongoose.mongo.MongoClient(direct).connect();
    await fill(client.db());
    await client.close();
    print(
      `${atOnce} lists of 100 at once, ${rounds} times${delayMs === 0 ? '' : `; a command takes ${delayMs} ms more`}`,
    );
    print(
      '| | accepted | p50, p99 of these, ms (÷ calm) | one caller, accepted | p99, ms | /health p99, most, ms | MB before, most, after | s |',
    );
    print('|---|---|---|---|---|---|---|---|');
    for (const shedAfterMs of [500, 0])
      for (const row of await rowsWith(shedAfterMs, line?.url ?? direct, folder)) print(row);
  } finally {
    line?.close();
    if (store !== undefined) await stop(store);
    await rm(folder, { recursive: true, force: true });
  }
}

/** The rows of one server: calm, and under the load. */
async function rowsWith(shedAfterMs: number, url: string, folder: string): Promise<readonly string[]> {
  const server = await start(url, folder, shedAfterMs);
  try {
    const scene = { ...server, token: await signIn(server.port) };
    for (let n = 0; n < warmUps; n++) await seeCalm(scene);
    const calm = await seeCalm(scene);
    const load = await seeLoad(scene);
    const name = shedAfterMs === 0 ? 'without shedding' : `SHED_AFTER_MS=${shedAfterMs}`;
    return [rowOf(`calm, ${name}`, calm), rowOf(`load, ${name}`, load, calm)];
  } finally {
    await stop(server);
  }
}

const start = (url: string, folder: string, shedAfterMs: number): Promise<Running> =>
  startServer(
    ['dist/main.js'],
    {
      ...{ MODELS_DIR: 'bench/models', DATA_DIR: folder, MONGODB_URL: url, THROTTLE_ENABLED: 'false' },
      ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, BCRYPT_COST: '4' },
      SHED_AFTER_MS: String(shedAfterMs),
    },
    '/api/item?limit=1',
  );

async function signIn(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  });
  return ((await response.json()) as { readonly token: string }).token;
}

async function seeCalm({ child, port }: Scene): Promise<Seen> {
  const before = memory(child) ?? NaN;
  const health: Timed[] = [];
  const askInTurn = async (): Promise<readonly Timed[]> => {
    const connection = await open(port);
    const answers: Timed[] = [];
    for (let n = 0; n < calmLists; n++) {
      answers.push(await connection.ask(textOf(list)));
      health.push(await connection.ask(textOf('/health')));
    }
    connection.close();
    return answers;
  };
  const begun = performance.now();
  const many = (await Promise.all(Array.from({ length: calmConnections }, askInTurn))).flat();
  const seconds = (performance.now() - begun) / 1000;
  const after = memory(child) ?? NaN;
  return { many, few: many, health, memory: { before, most: after, after }, seconds };
}

async function seeLoad(scene: Scene): Promise<Seen> {
  const { child, port, token } = scene;
  const before = memory(child) ?? NaN;
  let most = before;
  let isOver = false;
  const asked = async (request: string): Promise<readonly Timed[]> => {
    const connection = await open(port);
    const answers: Timed[] = [];
    for (; !isOver; await pause(stepMs)) answers.push(await connection.ask(request));
    connection.close();
    return answers;
  };
  const others = Promise.all([asked(textOf(list, token)), asked(textOf('/health'))]);
  const watch = setInterval(() => (most = Math.max(most, memory(child) ?? NaN)), stepMs);
  const connections = await Promise.all(Array.from({ length: atOnce }, () => open(port)));
  const begun = performance.now();
  const many: Timed[] = [];
  for (let round = 0; round < rounds; round++)
    many.push(...(await Promise.all(connections.map((connection) => connection.ask(textOf(list))))));
  const seconds = (performance.now() - begun) / 1000;
  isOver = true;
  const [few, health] = await others;
  for (const connection of connections) connection.close();
  clearInterval(watch);
  await pause(restMs);
  return { many, few, health, memory: { before, most, after: memory(child) ?? NaN }, seconds };
}

interface Connection {
  /** Sends a request and waits for its answer. */
  readonly ask: (text: string) => Promise<Timed>;
  readonly close: () => void;
}

async function open(port: number): Promise<Connection> {
  const socket: Socket = connect(port, '127.0.0.1').setNoDelay(true);
  const answer = reader(socket);
  await new Promise((done) => socket.once('connect', done));
  return {
    ask: async (text) => {
      const begun = performance.now();
      socket.write(text);
      const status = await answer();
      return { status, ms: performance.now() - begun };
    },
    close: () => void socket.removeAllListeners('close').destroy(),
  };
}

const textOf = (path: string, token?: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${token === undefined ? '' : `Authorization: Bearer ${token}\r\n`}\r\n`;

/** The milliseconds within which this share of the answers arrived. */
function within(share: number, answers: readonly Timed[]): number {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

function rowOf(name: string, seen: Seen, calm = seen): string {
  const accepted = (answers: readonly Timed[]): readonly Timed[] => answers.filter(({ status }) => status === 200);
  const shareOf = (answers: readonly Timed[]): string =>
    `${Math.round((100 * accepted(answers).length) / answers.length)} % of ${answers.length}`;
  const times = [0.5, 0.99].map((share) => {
    const ms = within(share, accepted(seen.many));
    return `${Math.round(ms)} (${(ms / within(share, accepted(calm.many))).toFixed(1)})`;
  });
  const { before, most, after } = seen.memory;
  const cells = [
    ...[name, shareOf(seen.many), times.join(', '), shareOf(seen.few)],
    Math.round(within(0.99, accepted(seen.few))),
    `${Math.round(within(0.99, seen.health))}, ${Math.round(within(1, seen.health))}`,
    `${before}, ${most}, ${after}`,
    seen.seconds.toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}
