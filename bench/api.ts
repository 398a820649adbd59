/** `npm run bench -- api`: what `api.one` costs beside the driver's `findOne` on the same connection, in processor time of this process. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { createServer } from '../src/index.ts';
import { openBackend } from './backend.ts';
import { itemId } from './data.ts';

/** Reads in a round, and rounds, in which both take turns. */
const [reads, rounds] = [3000, 9];

/** @param print takes one line */
export async function measureApi(print: (line: string) => void): Promise<void> {
  process.env['BENCH_BACKEND'] ??= 'engine';
  const backend = await openBackend();
  const folder = await mkdtemp(join(tmpdir(), 'dossier-bench-'));
  const environment = { MONGODB_URL: backend.url, MODELS_DIR: 'bench/models', DATA_DIR: folder, LOG_LEVEL: 'error' };
  const server = await createServer({ environment, port: 0 });
  const client = await new mongoose.mongo.MongoClient(backend.url).connect();
  try {
    const items = client.db().collection('items');
    const model = server.api.model('item');
    const ways = {
      driver: (id: string) => items.findOne({ _id: new mongoose.Types.ObjectId(id) }),
      api: (id: string) => model.one(id),
    };
    const costs = { driver: [] as number[], api: [] as number[] };
    for (let round = -2; round < rounds; round++)
      for (const name of ['driver', 'api'] as const) {
        const cost = await costOf(ways[name]);
        if (round >= 0) costs[name].push(cost);
      }
    const [driver, api] = [median(costs.driver), median(costs.api)];
    print(`findOne of the driver: ${driver.toFixed(1)} µs of processor time`);
    print(`api.one: ${api.toFixed(1)} µs, ${(api / driver).toFixed(2)} times`);
  } finally {
    await client.close();
    await server.close();
    await backend.close();
    await rm(folder, { recursive: true });
  }
}

/** Microseconds of processor time of one read. */
async function costOf(read: (id: string) => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let at = 0; at < reads; at++) await read(itemId(at % 1000));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / reads;
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? NaN;
