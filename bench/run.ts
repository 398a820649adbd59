/**
 * `npm run bench [-- <names of workloads>]`: Dossier against a hand-written node:http and driver server, on the same database and the
 * same documents. Prints ratios, medians of rounds in which both servers take turns. Other measurements are programs of their own:
 * `npm run bench -- store …` is `store.ts`, `events` is `events.ts`, `scale [documents …]` is `scale.ts`, `start` is
 * `cold-start.ts`, `size` is `size.ts`, `histories [entries …]` is `histories.ts`, `endurance` is `endurance.ts`, `workers` is `workers.ts`,
 * `servers` is `servers.ts`, `shed` is `shed.ts`.
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
import { openBackend } from './backend.ts';
import { measureStarts } from './cold-start.ts';
import { compare } from './compare.ts';
import { itemId } from './data.ts';
import { measureEndurance } from './endurance.ts';
import { measureEvents } from './events.ts';
import { measureHistories } from './histories.ts';
import { print } from './print.ts';
import { memory, type Running, startServer, stop } from './processes.ts';
import { measureServers } from './servers.ts';
import { measureShedding } from './shed.ts';
import { measureSizes } from './size.ts';
import { measureWorkers } from './workers.ts';

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

async function bench(names: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-bench-'));
  const backend = await openBackend();
  const running: Running[] = [];
  try {
    const start = async (args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Running> => {
      const server = await startServer(args, { ...environment, MONGODB_URL: backend.url }, firstPath);
      running.push(server);
      return server;
    };
    const dossier = await start(dossierArgs, settings(folder));
    const { token, apikey } = await signIn(dossier.port);
    const cached = await start(dossierArgs, { ...settings(folder), CACHE_ENABLED: 'true' });
    const history = await start(dossierArgs, { ...settings(folder), MODELS_FOLDERS: 'traced' });
    const metered = await start(dossierArgs, { ...settings(folder), METRICS: 'on' });
    const unshed = await start(dossierArgs, { ...settings(folder), SHED_AFTER_MS: '0' });
    const limit = await start(limitArgs, { TOKEN: token });
    const credentials = {
      bearer: `Authorization: Bearer ${token}`,
      'api key': `x-api-key: ${apikey}`,
      Basic: `Authorization: Basic ${Buffer.from(`${admin.email}:${admin.password}`).toString('base64')}`,
    };
    const servers = { dossier, cached, history, metered, unshed, limit };
    await compare({ backend, servers, credentials, cursors: new Map() }, names);
    print(`\nmemory after the load: Dossier ${memory(dossier.child)} MB, limit ${memory(limit.child)} MB`);
  } finally {
    for (const server of running) await stop(server);
    await backend.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function signIn(port: number): Promise<{ token: string; apikey: string }> {
  const response = await fetch(`http://127.0.0.1:${port}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  });
  return (await response.json()) as { token: string; apikey: string };
}

spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
const [first, ...names] = process.argv.slice(2);
if (first === 'store') await benchStore(names);
else if (first === 'scale') await benchScale(names);
else if (first === 'events') await measureEvents(print);
else if (first === 'start') await measureStarts();
else if (first === 'size') await measureSizes(names.map(Number));
else if (first === 'histories') await measureHistories(names.map(Number));
else if (first === 'endurance') await measureEndurance(names.map(Number));
else if (first === 'workers') await measureWorkers(print);
else if (first === 'servers') await measureServers(print);
else if (first === 'shed') await measureShedding(print);
else {
  await bench(first === undefined ? [] : [first, ...names]);
  if (first === undefined) await measureStarts();
}
