/**
 * `npm run bench [-- <names of workloads>]`: Dossier against a hand-written node:http and driver server, on the same database and the
 * same documents. Prints ratios, medians of rounds in which both servers take turns. Other measurements are programs of their own:
 * `npm run bench -- store …` is `store.ts`, `events` is `events.ts`, `scale [documents …]` is `scale.ts`, `start` is
 * `cold-start.ts`, `size` is `size.ts`, `histories [entries …]` is `histories.ts`, `endurance` is `endurance.ts`, `workers` is `workers.ts`,
 * `servers` is `servers.ts`, `shed` is `shed.ts`, `deliveries` is `deliveries.ts`, `api` is `api.ts`, `files [request]` is `files.ts`.
 * `npm run bench -- --against <commit> [<names of workloads>]` compares this checkout with another commit, which it installs and builds.
 * `npm run bench -- history` needs BENCH_BACKEND=engine, as all workloads that depend on what is stored.
 * BENCH_ROUNDS (5) and BENCH_SECONDS (1) set how long; BENCH_BACKEND and MONGODB_URL set the database (`backend.ts`),
 * whose collections items, makers, drafts and leaves are overwritten; BENCH_PROFILE is a folder for processor profiles
 * of Dossier.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchScale } from '../packages/store/bench/scale.ts';
import { benchStore } from '../packages/store/bench/store.ts';
import { measureApi } from './api.ts';
import { type Backend, openBackend, otherDatabase } from './backend.ts';
import { checkoutOf } from './checkout.ts';
import { measureStarts } from './cold-start.ts';
import { compare, type MeasuredServer } from './compare.ts';
import { itemId } from './data.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureEndurance } from './endurance.ts';
import { measureEvents } from './events.ts';
import { measureFiles } from './files.ts';
import { measureHistories } from './histories.ts';
import { print } from './print.ts';
import { memory, type Running, startServer, stop } from './processes.ts';
import { measureServers } from './servers.ts';
import { measureShedding } from './shed.ts';
import { measureSizes } from './size.ts';
import { measureWorkers } from './workers.ts';
import { commitWorkloads } from './workloads.ts';

const admin = { email: 'bench@example.com', password: 'a password for measuring' };
const profiles = process.env['BENCH_PROFILE'];
/** As `npm start` starts it. */
const dossierArgs = [
  ...(profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`]),
  '--max-semi-space-size=64',
  'dist/main.js',
];
const limitArgs = ['--import', 'tsx', 'bench/limit-server.ts'];
const firstPath = `/api/item/${itemId(7)}`;

const settings = (folder: string): Record<string, string> => ({
  MODELS_DIR: 'bench/models',
  DATA_DIR: folder,
  THROTTLE_ENABLED: 'false',
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  BCRYPT_COST: '4',
});

/** Starts a server of this checkout, or of the one in a folder. */
type Start = (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  folder?: string,
) => Promise<Running>;

/** Gives a body what it needs to start servers, and stops them after it. */
async function withServers(backend: Backend, body: (start: Start, folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-bench-'));
  const running: Running[] = [];
  try {
    await body(async (args, environment, checkout) => {
      const url = { MONGODB_URL: checkout === undefined ? backend.url : otherDatabase(backend.url) };
      const options = checkout === undefined ? {} : { folder: checkout };
      const server = await startServer(args, { ...environment, ...url }, firstPath, options);
      running.push(server);
      return server;
    }, folder);
  } finally {
    for (const server of running) await stop(server);
    await backend.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function bench(names: readonly string[]): Promise<void> {
  const backend = await openBackend();
  await withServers(backend, async (start, folder) => {
    const dossier = await start(dossierArgs, settings(folder));
    const { token, credentials } = await signIn(dossier.port);
    const cached = await start(dossierArgs, { ...settings(folder), CACHE_ENABLED: 'true' });
    const history = await start(dossierArgs, { ...settings(folder), MODELS_FOLDERS: 'traced' });
    const metered = await start(dossierArgs, { ...settings(folder), METRICS: 'on' });
    const unshed = await start(dossierArgs, { ...settings(folder), SHED_AFTER_MS: '0' });
    const limit = await start(limitArgs, { TOKEN: token });
    const all = { dossier, cached, history, metered, unshed, limit };
    const servers = mapValues(all, (server): MeasuredServer => ({ ...server, credentials }));
    await compare({ backend, servers, cursors: new Map() }, names);
    print(`\nmemory after the load: Dossier ${memory(dossier.child)} MB, limit ${memory(limit.child)} MB`);
  });
}

const mapValues = <K extends string, V, W>(values: Readonly<Record<K, V>>, map: (value: V) => W): Record<K, W> =>
  Object.fromEntries(Object.entries<V>(values).map(([key, value]) => [key, map(value)])) as Record<K, W>;

/** This checkout against another commit, each over documents and users of its own. */
async function benchAgainst(commit: string, names: readonly string[]): Promise<void> {
  const checkout = checkoutOf(commit);
  const backend = await openBackend({ hasOther: true });
  await withServers(backend, async (start, folder) => {
    const measured = async (...args: Parameters<Start>): Promise<MeasuredServer> => {
      const server = await start(...args);
      return { ...server, credentials: (await signIn(server.port)).credentials };
    };
    const servers = {
      dossier: await measured(dossierArgs, settings(join(folder, 'this'))),
      'other commit': await measured(dossierArgs, settings(join(folder, 'other')), checkout),
    };
    await compare({ backend, servers, cursors: new Map() }, names, commitWorkloads);
  });
}

async function signIn(port: number): Promise<{ readonly token: string } & Pick<MeasuredServer, 'credentials'>> {
  const response = await fetch(`http://127.0.0.1:${port}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  });
  const { token, apikey } = (await response.json()) as { readonly token: string; readonly apikey: string };
  const credentials = {
    bearer: `Authorization: Bearer ${token}`,
    'api key': `x-api-key: ${apikey}`,
    Basic: `Authorization: Basic ${Buffer.from(`${admin.email}:${admin.password}`).toString('base64')}`,
  };
  return { token, credentials };
}

spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
const [first, ...names] = process.argv.slice(2);
if (first === '--against') await benchAgainst(names[0] ?? '', names.slice(1));
else if (first === 'store') await benchStore(names);
else if (first === 'scale') await benchScale(names);
else if (first === 'events') await measureEvents(print);
else if (first === 'start') await measureStarts();
else if (first === 'size') await measureSizes(names.map(Number));
else if (first === 'histories') await measureHistories(names.map(Number));
else if (first === 'endurance') await measureEndurance(names.map(Number));
else if (first === 'workers') await measureWorkers(print);
else if (first === 'servers') await measureServers(print);
else if (first === 'shed') await measureShedding(print);
else if (first === 'deliveries') await measureDeliveries(print);
else if (first === 'api') await measureApi(print);
else if (first === 'files') await measureFiles(print, names[0]);
else {
  await bench(first === undefined ? [] : [first, ...names]);
  if (first === undefined) await measureStarts();
}
