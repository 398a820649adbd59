/**
 * `npm run bench -- store [names of rows]`: compares the embedded store with another engine (BENCH_OTHER_URL; its
 * database dossier_bench is overwritten), with the same driver and documents. Prints ratios, medians of alternating
 * rounds: above 1 the embedded store is faster. Then it measures start, memory and how long the store blocks the thread
 * of its caller.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import mongoose from 'mongoose';
import { memory, startPrinting, stop } from '../../../bench/processes.ts';
import type * as Store from '../src/index.ts';
import { documentCount, fillStore, type StoreRow, storeRows } from './store-rows.ts';

type Client = mongoose.mongo.MongoClient;

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const program = process.env['BUILT_STORE'] ?? pathToFileURL(resolve('packages/store/dist/index.js')).href;
const database = 'dossier_bench';

/** The results of one engine: milliseconds per operation, one number per round. */
type Times = Map<StoreRow, number[]>;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

/** Runs the measurements; all rows if no names are given. */
export async function benchStore(names: readonly string[]): Promise<void> {
  if (process.env['BUILT_STORE'] === undefined)
    spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const folder = await mkdtemp(join(tmpdir(), 'dossier-bench-'));
  const data = join(folder, 'data');
  try {
    await speed(
      data,
      storeRows.filter(({ name }) => names.length === 0 || names.includes(name)),
    );
    await startAndMemory(data, join(folder, 'empty'));
    await stalls(data);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The embedded store in its own process, with a client and the milliseconds until it was ready. */
async function embedded(dir: string) {
  process.env['BUILT_STORE'] = program;
  const begun = performance.now();
  const { child, line } = await startPrinting(['--import', 'tsx', 'packages/store/bench/store-process.ts', dir]);
  const started = performance.now() - begun;
  const client = await new mongoose.mongo.MongoClient(line).connect();
  const close = async (): Promise<void> => {
    await client.close();
    await stop({ child });
  };
  return { client, child, close, started };
}

async function speed(data: string, rows: readonly StoreRow[]): Promise<void> {
  const ours = await embedded(data);
  const url = process.env['BENCH_OTHER_URL'];
  const other = url === undefined ? undefined : await new mongoose.mongo.MongoClient(url).connect();
  try {
    for (const client of [ours.client, ...(other ? [other] : [])]) await fillStore(client.db(database));
    const times: readonly [Times, Times] = [new Map(), new Map()];
    for (const row of rows)
      for (let round = 0; round <= rounds; round += 1) await turns(row, round, [ours.client, other], times);
    table(rows, times);
    await ours.client.db(database).dropCollection('texts');
    await ours.client.db(database).dropCollection('writes');
  } finally {
    await ours.close();
    if (other !== undefined) await other.db(database).dropDatabase();
    await other?.close();
  }
}

/** Runs a row on both engines in alternating order. Round 0 warms up and checks that both return the same. */
async function turns(
  row: StoreRow,
  round: number,
  [ours, other]: readonly [Client, Client | undefined],
  times: readonly [Times, Times],
): Promise<void> {
  const sides = round % 2 === 0 ? [0, 1] : [1, 0];
  const counts: number[] = [];
  for (const side of sides) {
    const client = side === 0 ? ours : other;
    if (client === undefined) continue;
    const { milliseconds, documents } = await visit(row, round, client);
    counts.push(documents);
    const kept = times[side === 0 ? 0 : 1];
    if (round > 0) kept.set(row, [...(kept.get(row) ?? []), milliseconds]);
  }
  if (new Set(counts).size > 1) throw new Error(`${row.name}: the engines answer differently: ${counts.join(' and ')}`);
}

async function visit(
  row: StoreRow,
  round: number,
  client: Client,
): Promise<{ milliseconds: number; documents: number }> {
  const db = client.db(database);
  let next = 0;
  let documents = 0;
  const work = async (): Promise<void> => {
    while (next < row.times) {
      const number = round * row.times + next;
      next += 1;
      const count = await row.run(db, number);
      documents += count;
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: row.atOnce }, work));
  return { milliseconds: (performance.now() - begun) / row.times, documents };
}

function table(rows: readonly StoreRow[], [ours, other]: readonly [Times, Times]): void {
  print('| work | embedded store, ms | other engine, ms | ratio |');
  print('|---|---|---|---|');
  for (const row of rows) {
    const [mine, theirs] = [ours.get(row) ?? [], other.get(row) ?? []];
    const ratio = median(mine.map((time, at) => (theirs[at] ?? NaN) / time));
    print(`| ${row.name} | ${median(mine).toFixed(2)} | ${median(theirs).toFixed(2)} | **${ratio.toFixed(2)}** |`);
  }
}

async function startAndMemory(data: string, empty: string): Promise<void> {
  const without = await embedded(empty);
  const base = memory(without.child) ?? NaN;
  await without.close();
  const held: number[] = [];
  const starts: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const store = await embedded(data);
    starts.push(store.started - without.started);
    const count = await store.client
      .db(database)
      .collection('items')
      .countDocuments({ price: { $gte: 0 } });
    if (count !== documentCount) throw new Error(`there are ${count} documents after the start`);
    held.push(memory(store.child) ?? NaN);
    await store.close();
  }
  print(`\nstart with ${documentCount} documents of 1 KB and two indexes: ${(median(starts) / 1000).toFixed(2)} s`);
  const each = ((median(held) - base) * 1024) / documentCount;
  print(`memory: ${median(held)} MB, ${base} MB when empty: ${each.toFixed(2)} KB a document`);
}

/** How long this thread is blocked while the store, in a worker thread as in production, runs its heaviest work. */
async function stalls(dir: string): Promise<void> {
  const { open } = (await import(program)) as typeof Store;
  const store = await open({ dir });
  const client = await new mongoose.mongo.MongoClient(store.url).connect();
  const heavy = storeRows.filter(({ name }) => /scan|count|group|sort/.test(name));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (const row of heavy) await visit(row, 0, client);
  delay.disable();
  await client.close();
  await store.close();
  const [p99, longest] = [delay.percentile(99), delay.max].map((nanoseconds) => (nanoseconds / 1e6).toFixed(0));
  print(`event loop of the store's user under these scans: 99 % within ${p99} ms, at most ${longest} ms`);
}
