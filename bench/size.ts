/**
 * `npm run bench -- size [counts]`: what requests cost over collections of these sizes (1,000, 200,000 and 1,000,000 documents), with the
 * embedded store in the server's own process: its start and its memory count too. BENCH_SECONDS (1) sets how long each row is measured.
 * Prints results, and checks none.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { measure } from './load.ts';
import { print } from './print.ts';
import { memory, processorTime, type Running, startPrinting, startServer, stop } from './processes.ts';

const usual = [1000, 200_000, 1_000_000];
const milliseconds = Number(process.env['BENCH_SECONDS'] ?? 1) * 1000;
const connections = 4;
const atOnce = 5000;
/** One document in this many has the rare word. */
const rarity = 1000;

const stamps = { _deleted: false, createdAt: new Date(1.7e12), updatedAt: new Date(1.71e12), __v: 0 };
const idOf = (number: number): mongoose.Types.ObjectId =>
  new mongoose.Types.ObjectId(`00000004${number.toString(16).padStart(16, '0')}`);
const page = (number: number): object => ({
  _id: idOf(number),
  n: (number * 7919) % 1_000_003,
  title: `Page ${number} of the ${number % rarity === 7 ? 'quartz' : 'usual'} kind`,
  ...stamps,
});

/** The requests, by their names. @param count of documents @param cursor of a late page */
const requests = (count: number, cursor: string): Readonly<Record<string, (number: number) => string>> => ({
  'get one': (number) => `/api/page/${idOf((number * 2_654_435_761) % count).toHexString()}`,
  'list 20 by an index': (number) => `/api/page?filter[n]=$gte:${(number * 7919) % 1_000_003}&sort=n&limit=20`,
  count: (number) => `/count/page?filter[n]=$lt:${number % 1000}`,
  'search, a rare word': () => '/api/page?search=quartz&limit=20',
  'search, a frequent word': () => '/api/page?search=usual&limit=20',
  'page 1': () => '/api/page?limit=20',
  'a late page by its number': () => `/api/page?sort=n&limit=20&page=${Math.floor((count * 0.9) / 20)}`,
  'a late page by its cursor': () => `/api/page?limit=20&after=${cursor}`,
});

/** Measures each size with a data folder of its own. @param counts of documents; the default ones where none are given */
export async function measureSizes(counts: readonly number[]): Promise<void> {
  const found: Map<string, string[]> = new Map();
  const sizes = counts.length === 0 ? usual : counts;
  for (const count of sizes)
    for (const [name, value] of await sizesOf(count)) found.set(name, [...(found.get(name) ?? []), value]);
  print(`| | ${sizes.map((count) => count.toLocaleString('en')).join(' | ')} |`);
  print(`|---|${sizes.map(() => '---|').join('')}`);
  for (const [name, values] of found) print(`| ${name} | ${values.join(' | ')} |`);
}

async function sizesOf(count: number): Promise<[string, string][]> {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-size-'));
  try {
    await fillFolder(folder, count);
    const environment = { MODELS_DIR: 'bench/models', DATA_DIR: folder, MONGODB_URL: '', THROTTLE_ENABLED: 'false' };
    const start = (): Promise<Running> =>
      startServer(['--max-semi-space-size=64', 'dist/main.js'], environment, '/health');
    // the first start creates the indexes
    await stop(await start());
    const server = await start();
    const begun = `${Math.round(server.firstAnswer)} ms`;
    const held = `${memory(server.child)} MB`;
    const rows = await rowsOf(server, count);
    await stop(server);
    return [['start', begun], ['memory after the start', held], ...rows];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Puts the documents into the store of a data folder. */
async function fillFolder(dir: string, count: number): Promise<void> {
  const { child, line } = await startPrinting(['--import', 'tsx', 'packages/store/bench/store-process.ts', dir]);
  const client = await new mongoose.mongo.MongoClient(line).connect();
  const pages = client.db().collection('pages');
  for (let from = 0; from < count; from += atOnce)
    await pages.insertMany(Array.from({ length: Math.min(atOnce, count - from) }, (_, at) => page(from + at)));
  await client.close();
  await stop({ child });
}

async function rowsOf({ child, port }: Running, count: number): Promise<[string, string][]> {
  const late = await fetch(`http://127.0.0.1:${port}/api/page?limit=20&page=${Math.floor((count * 0.9) / 20)}`);
  const { next_cursor: cursor = '' } = (await late.json()) as { readonly next_cursor?: string };
  const rows: [string, string][] = [];
  for (const [name, path] of Object.entries(requests(count, cursor))) {
    const request = (number: number): string => `GET ${path(number)} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    await measure({ port, request, connections, milliseconds: milliseconds / 2 });
    const before = processorTime(child) ?? NaN;
    const { answers, failed } = await measure({ port, request, connections, milliseconds });
    const micros = (((processorTime(child) ?? NaN) - before) / answers) * 1000;
    const value = failed.size > 0 ? `status ${[...failed.keys()].join()}` : Math.round(micros).toLocaleString('en');
    rows.push([`${name}, µs of processor time`, value]);
  }
  return [...rows, ['memory after the load', `${memory(child)} MB`]];
}
