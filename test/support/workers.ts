/** Workers of one server in the process of the test, which can address each of them. Only the processes are missing. */
import { open } from 'dossier-store';
import { Channel } from '../../src/workers/channel.ts';
import type { Membership } from '../../src/workers/contract.ts';
import { Desk } from '../../src/workers/desk.ts';
import { WorkerPeers } from '../../src/workers/peers.ts';
import { onMongo, ownDatabase } from './database.ts';
import { type StartOptions, startServer, type TestServer } from './server.ts';

export const secret = 'the secret of all workers, which is long enough';

/** @returns makes the next worker */
export function makeCrew(clock: () => Date = () => new Date()): () => Membership {
  const desk = new Desk(() => clock().getTime());
  let count = 0;
  return () => {
    const number = ++count;
    const ofWorker: Channel = new Channel(
      (items) => ofDesk.receive(structuredClone(items)),
      (name, value) => peers.answer(name, value),
    );
    const ofDesk: Channel = new Channel(
      (items) => ofWorker.receive(structuredClone(items)),
      (name, value) => seat.answer(name, value),
    );
    const peers = new WorkerPeers((name, value) => ofWorker.call(name, value));
    const seat = desk.join((name, value) => ofDesk.call(name, value));
    const given = { storeUrl: undefined, secret, setupToken: undefined, replaces: [] };
    return { ...given, number, id: `worker-${number}`, isFirst: number === 1, peers };
  };
}

export interface Pair {
  readonly first: TestServer;
  readonly second: TestServer;
  readonly close: () => Promise<void>;
}

/** Starts two workers over one database. */
export async function startPair(options: StartOptions = {}): Promise<Pair> {
  const next = makeCrew(options.clock);
  const store = onMongo ? undefined : await open({});
  const database = store === undefined ? ownDatabase() : { mongodb_url: store.url };
  const start = (): Promise<TestServer> => startServer({ ...options, ...database, membership: next() });
  const first = await start();
  const second = await start();
  const close = async (): Promise<void> => {
    await second.close();
    await first.close();
    await store?.close();
  };
  return { first, second, close };
}
