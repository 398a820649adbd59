/**
 * `npm run bench -- events`: the time from sending a write to receiving its event, with 1,000 subscribers and 100 writes a second, and what
 * 2,000 open sockets cost. EVENTS_SECONDS (5) sets how long. Prints results, and checks none.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { itemBody } from './data.ts';
import { memory, processorTime, type Running, startServer, stop } from './processes.ts';
import type { Open, Received } from './subscribers.ts';

const seconds = Number(process.env['EVENTS_SECONDS'] ?? 5);
const perSecond = 100;
const subscribers = 1000;
const sockets = 2000;
const kinds = 50;
const loadProcesses = 2;
const admin = { email: 'bench@example.com', password: 'a password for measuring' };

/** What the subscriber of this number subscribes to. */
type FilterOf = (number: number) => object;

/** A server, and a client with the admin's token. */
interface Scene {
  readonly server: Running;
  readonly token: string;
  /** One item of each kind. */
  readonly items: readonly string[];
  readonly load: readonly ChildProcess[];
}

/** Measures events, with a server, an embedded store and load processes of its own. @param print takes one line */
export async function measureEvents(print: (line: string) => void): Promise<void> {
  spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const folder = await mkdtemp(join(tmpdir(), 'dossier-events-'));
  const environment = {
    MODELS_DIR: 'bench/models',
    DATA_DIR: folder,
    MONGODB_URL: '',
    THROTTLE_ENABLED: 'false',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    BCRYPT_COST: '4',
  };
  const server = await startServer(['--max-semi-space-size=64', 'dist/main.js'], environment, '/api/item');
  const load = Array.from({ length: loadProcesses }, () =>
    fork('bench/subscribers.ts', [], { execArgv: ['--import', 'tsx'] }),
  );
  try {
    const token = await signIn(server.port);
    const scene = { server, token, items: await makeItems(server.port, token), load };
    print(await manySockets(scene));
    print(`\n${subscribers} subscribers, ${perSecond} writes/s; milliseconds from sending the write, p50 and p99\n`);
    print('| who receives | events | event received | write answered | processor, % of one core |');
    print('|---|---|---|---|---|');
    print(
      await row('each receives one write in 50', scene, subscribers / kinds, (number) => ({
        kind: `kind ${number % kinds}`,
      })),
    );
    print(await row('each receives every write', scene, subscribers, () => ({})));
  } finally {
    for (const child of load) child.kill('SIGKILL');
    await stop(server);
    await rm(folder, { recursive: true, force: true });
  }
}

async function ask(port: number, method: string, path: string, body: unknown, token = ''): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

const signIn = async (port: number): Promise<string> =>
  ((await ask(port, 'POST', '/login', admin)) as { token: string }).token;

async function makeItems(port: number, token: string): Promise<string[]> {
  const made: string[] = [];
  for (let number = 0; number < kinds; number++) {
    const { data } = (await ask(port, 'POST', '/api/item', itemBody(number), token)) as { data: { _id: string } };
    made.push(data._id);
  }
  return made;
}

/** Sends the time as a field of the item of this number. */
const write = ({ server, token, items }: Scene, number: number): Promise<unknown> =>
  ask(server.port, 'PUT', `/api/item/${items[number % kinds] ?? ''}`, { stock: Date.now() }, token);

/** @param receivers number of subscribers that receive each write */
async function row(name: string, scene: Scene, receivers: number, filterOf: FilterOf): Promise<string> {
  await open(scene, subscribers, filterOf);
  await writeFor(scene, 1);
  await collectAll(scene, perSecond * receivers);
  const before = processorTime(scene.server.child) ?? NaN;
  const answered = await writeFor(scene, seconds);
  const received = await collectAll(scene, seconds * perSecond * receivers);
  const used = (processorTime(scene.server.child) ?? NaN) - before;
  await close(scene);
  const share = Math.round(used / seconds / 10);
  const lost = received.ended > 0 ? ` ${received.ended} connections ended` : '';
  return `| ${name} | ${received.events} | ${quantiles(received.delays)} | ${quantiles(answered)} | ${share} |${lost}`;
}

/** Writes at a steady rate, whether or not the last write is answered. @returns the number of answers by milliseconds of delay */
async function writeFor(scene: Scene, duration: number): Promise<number[]> {
  const begun = performance.now();
  const answered: number[] = [];
  const under: Promise<void>[] = [];
  const timed = async (number: number): Promise<void> => {
    const sent = Date.now();
    await write(scene, number);
    const delay = Date.now() - sent;
    answered[delay] = (answered[delay] ?? 0) + 1;
  };
  for (let number = 0; number < duration * perSecond; number++) {
    await pause(Math.max(0, begun + (number * 1000) / perSecond - performance.now()));
    under.push(timed(number));
  }
  await Promise.all(under);
  return answered;
}

/** Memory with no socket and with many, and how long until one write has reached all of them. */
async function manySockets(scene: Scene): Promise<string> {
  const { child } = scene.server;
  const before = memory(child) ?? NaN;
  await open(scene, sockets, () => ({}));
  const after = memory(child) ?? NaN;
  await collect(scene);
  await write(scene, 0);
  const received = await collectAll(scene, sockets);
  await close(scene);
  const last = quantile(received.delays, 1);
  return `${sockets} sockets: ${after} MB (${before} MB without); one write reached ${received.events} of them within ${last} ms`;
}

async function open({ server, token, load }: Scene, count: number, filterOf: FilterOf): Promise<void> {
  const filters = Array.from({ length: count }, (_, number) => filterOf(number));
  const share = Math.ceil(count / load.length);
  await Promise.all(
    load.map(async (child, at) => {
      const part = filters.slice(at * share, (at + 1) * share);
      child.send({ port: server.port, token, filters: part } satisfies Open);
      await once(child, 'message');
    }),
  );
}

async function collect({ load }: Scene): Promise<Received> {
  return sum(
    await Promise.all(
      load.map(async (child) => {
        child.send('collect');
        return ((await once(child, 'message')) as [Received])[0];
      }),
    ),
  );
}

/** Collects until this number of events has been received, for a quarter of a minute at most. */
async function collectAll(scene: Scene, count: number): Promise<Received> {
  let received = await collect(scene);
  for (const begun = performance.now(); received.events < count && performance.now() - begun < 15_000;) {
    await pause(50);
    received = sum([received, await collect(scene)]);
  }
  return received;
}

async function close({ load }: Scene): Promise<void> {
  for (const child of load) child.send('close');
  await pause(500);
}

function sum(all: readonly Received[]): Received {
  const delays: number[] = [];
  for (const received of all)
    received.delays.forEach((count, delay) => (delays[delay] = (delays[delay] ?? 0) + (count ?? 0)));
  const total = (of: (received: Received) => number): number => all.reduce((so, received) => so + of(received), 0);
  return { events: total((received) => received.events), delays, ended: total((received) => received.ended) };
}

const quantiles = (delays: readonly number[]): string => `${quantile(delays, 0.5)}, ${quantile(delays, 0.99)}`;

/** The delay that this share of them did not exceed, in milliseconds. */
function quantile(delays: readonly number[], share: number): number {
  const all = delays.reduce((so, count) => so + (count ?? 0), 0);
  let seen = 0;
  for (const [delay, count] of delays.entries()) {
    seen += count ?? 0;
    if (seen >= all * share) return delay;
  }
  return NaN;
}
