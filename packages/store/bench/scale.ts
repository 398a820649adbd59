/**
 * `npm run bench -- scale [documents …]` (default 1000 50000): how the store on disk behaves as its data grow. For each
 * number of documents of 1 KB with five indexes, one of them text, it loads a store, restarts it, and prints the
 * milliseconds to the first answer and of each operation (medians), and the memory of the process. The indexes are built after the
 * documents have been inserted, as an import does. BENCH_CGROUP is the folder of a control group for the store. BENCH_FOLDER keeps the
 * loaded data, in a folder for each number, for other runs.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import mongoose from 'mongoose';
import { fieldsOf } from '../../../bench/articles.ts';
import { ownMemory, startPrinting, stop } from '../../../bench/processes.ts';
import { defaultLimits } from '../src/engine/limits.ts';

type Collection = mongoose.mongo.Collection<Item>;
type Item = mongoose.mongo.BSON.Document & { readonly _id: number };

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 30);
const perInsert = 1000;
/** The file that marks a folder with all documents and indexes. */
const loaded = 'loaded';
const group = process.env['BENCH_CGROUP'];
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

const itemOf = (n: number): Item => ({ _id: n, ...fieldsOf(n) });

const keys = [{ name: 1 }, { group: 1, created: -1 }, { price: 1 }, { created: -1 }, { text: 'text' }] as const;
const score = { $meta: 'textScore' } as const;

/** The measured operations, on a collection of a number of documents. */
const operations: readonly (readonly [
  name: string,
  run: (c: Collection, n: number, at: number) => Promise<unknown>,
])[] = [
  ['get', (c, n, at) => c.findOne({ _id: (at * 7919) % n })],
  ['list by an index', (c, _n, at) => c.find({ group: at }).sort({ created: -1 }).limit(20).toArray()],
  ['sort by an index', (c) => c.find().sort({ price: 1 }).limit(20).toArray()],
  ['create', (c, n, at) => c.insertOne(itemOf(n + at))],
  ['update', (c, n, at) => c.updateOne({ _id: (at * 104_729) % n }, { $inc: { price: 1 } })],
  ['update of a text', (c, n, at) => c.updateOne({ _id: (at * 1299) % n }, { $set: { text: `changed ${at}` } })],
  ['count of all', (c) => c.countDocuments()],
  ['count of a range', (c) => c.countDocuments({ price: { $gt: 100_000 } })],
  ['search, rare word', (c, n, at) => c.find({ $text: { $search: `unique${(at * 31) % n}` } }).toArray()],
  [
    'search, frequent word, first page by score',
    (c) =>
      c
        .find({ $text: { $search: 'common' } })
        .sort({ score })
        .limit(20)
        .toArray(),
  ],
];

/** The store in its own process, with the milliseconds until its first answer. */
async function started(folder: string) {
  const begun = performance.now();
  // the heap limit of the store's worker thread
  const heap = `--max-old-space-size=${defaultLimits.diskHeapMegabytes}`;
  const { child, line } = await startPrinting([
    heap,
    '--import',
    'tsx',
    'packages/store/bench/store-process.ts',
    folder,
  ]);
  const client = await new mongoose.mongo.MongoClient(line).connect();
  await client.db('scale').command({ ping: 1 });
  const milliseconds = performance.now() - begun;
  if (group !== undefined) writeFileSync(join(group, 'cgroup.procs'), String(child.pid));
  const close = async (): Promise<void> => {
    await client.close();
    await stop({ child });
  };
  return { c: client.db('scale').collection<Item>('items'), child, milliseconds, close };
}

async function load(folder: string, count: number): Promise<void> {
  const { c, child, close } = await started(folder);
  let most = 0;
  const sampling = setInterval(() => (most = Math.max(most, ownMemory(child) ?? 0)), 500);
  const timed = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    most = 0;
    const begun = performance.now();
    await work();
    const seconds = (performance.now() - begun) / 1000;
    print(`  ${name}: ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} documents/s, at most ${most} MB`);
  };
  await timed('inserted', async () => {
    for (let at = 0; at < count; at += perInsert) {
      const length = Math.min(perInsert, count - at);
      await c.insertMany(Array.from({ length }, (_, n) => itemOf(at + n)));
    }
  });
  for (const key of keys) await timed(`index ${JSON.stringify(key)}`, () => c.createIndex(key));
  clearInterval(sampling);
  await close();
}

async function measure(folder: string): Promise<void> {
  const { c, child, milliseconds, close } = await started(folder);
  // kept data have the documents that an earlier run created
  const count = await c.estimatedDocumentCount();
  print(`  first answer ${Math.round(milliseconds)} ms, ${ownMemory(child)} MB`);
  print(`  data file ${Math.round(statSync(join(folder, 'store.db')).size / 1024 ** 2)} MB`);
  for (const [name, run] of operations) {
    const times: number[] = [];
    for (let at = 0; at < rounds; at += 1) {
      const begun = performance.now();
      await run(c, count, at);
      times.push(performance.now() - begun);
    }
    print(`  ${name.padEnd(44)} ${median(times).toFixed(2)} ms`);
  }
  print(`  at the end ${ownMemory(child)} MB`);
  await close();
}

/** Runs the measurements. */
export async function benchScale(counts: readonly string[]): Promise<void> {
  process.env['BUILT_STORE'] ??= buildStore();
  for (const count of counts.length > 0 ? counts.map(Number) : [1000, 50_000]) {
    const kept = process.env['BENCH_FOLDER'];
    const folder = kept === undefined ? await mkdtemp(join(tmpdir(), 'dossier-scale-')) : join(kept, String(count));
    try {
      print(`${count} documents`);
      if (!existsSync(join(folder, loaded))) {
        await mkdir(folder, { recursive: true });
        await load(folder, count);
        writeFileSync(join(folder, loaded), '');
      }
      await measure(folder);
    } finally {
      if (kept === undefined) await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Compiles the program. @returns the URL of the store */
function buildStore(): string {
  spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  return pathToFileURL(resolve('packages/store/dist/index.js')).href;
}
