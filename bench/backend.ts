/** The database of a measurement: a real engine, or `replay.ts` in front of one. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import mongoose from 'mongoose';
import { collections, fill } from './data.ts';
import { startPrinting, stop } from './processes.ts';

export interface Backend {
  readonly url: string;
  readonly kind: 'replay' | 'engine';
  /** The commands since the last call, which are round trips of the servers; NaN if they are not counted. */
  roundTrips(): Promise<number>;
  close(): Promise<void>;
}

/** The address of another database of the same engine. */
export function otherDatabase(url: string): string {
  const other = new URL(url);
  other.pathname = `${other.pathname === '/' ? '/test' : other.pathname}_other`;
  return other.href;
}

/**
 * Starts what BENCH_BACKEND says (`replay`, or `engine`), over the database of MONGODB_URL, else over an embedded store in a process
 * of its own, and puts the documents in it; on request, in a second database too.
 */
export async function openBackend({ hasOther = false }: { readonly hasOther?: boolean } = {}): Promise<Backend> {
  const kind = process.env['BENCH_BACKEND'] ?? 'replay';
  if (kind !== 'replay' && kind !== 'engine') throw new Error(`BENCH_BACKEND must be replay or engine, got "${kind}"`);
  const store = process.env['MONGODB_URL']
    ? undefined
    : await startPrinting(['--import', 'tsx', 'packages/store/bench/store-process.ts']);
  const url = process.env['MONGODB_URL'] ?? store?.line ?? '';
  const closeStore = async (): Promise<void> => (store === undefined ? undefined : stop(store));
  for (const database of hasOther ? [url, otherDatabase(url)] : [url]) {
    const client = await new mongoose.mongo.MongoClient(database).connect();
    await fill(client.db());
    await client.close();
  }
  if (kind === 'engine') return { url, kind, roundTrips: () => Promise.resolve(NaN), close: closeStore };
  const replay = fork('bench/replay.ts', [url, ...collections], { execArgv: ['--import', 'tsx'] });
  return {
    url: String(await received(replay)),
    kind,
    async roundTrips() {
      replay.send('count');
      return Number(await received(replay));
    },
    async close() {
      await stop({ child: replay });
      await closeStore();
    },
  };
}

const received = async (child: ChildProcess): Promise<unknown> => (await once(child, 'message'))[0] as unknown;
