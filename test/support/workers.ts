/** Workers of one server in the process of the test, which can address each of them. Only the processes are missing. */
import { open } from 'dossier-store';
import { Channel, type Item } from '../../src/workers/channel.ts';
import type { Membership } from '../../src/workers/contract.ts';
import { WorkerHub } from '../../src/workers/hub.ts';
import { WorkerPeers } from '../../src/workers/peers.ts';
import { onMongo, ownDatabase } from './database.ts';
import { type StartOptions, startServer, type TestServer } from './server.ts';

export const secret = 'the secret of all workers, which is long enough';

/** One of the workers. */
interface Crewman extends Membership {
  /** Delivers nothing to it until the returned function is called. */
  readonly hold: () => () => void;
}

/** @returns makes the next worker @param storeUrl the embedded store that the workers share */
export function makeCrew(clock: () => Date = () => new Date(), storeUrl?: string): () => Crewman {
  const hub = new WorkerHub(() => clock().getTime());
  let count = 0;
  return () => {
    const number = ++count;
    let held: (readonly Item[])[] | undefined;
    const ofWorker: Channel = new Channel(
      (items) => ofHub.receive(structuredClone(items)),
      (name, value) => peers.answer(name, value),
    );
    const ofHub: Channel = new Channel(
      (items) => (held === undefined ? ofWorker.receive(structuredClone(items)) : void held.push(items)),
      (name, value) => connection.answer(name, value),
    );
    const peers = new WorkerPeers((name, value) => ofWorker.call(name, value));
    const connection = hub.join((name, value) => ofHub.call(name, value));
    const hold = (): (() => void) => {
      held = [];
      return () => {
        const items = held?.flat() ?? [];
        held = undefined;
        ofWorker.receive(structuredClone(items));
      };
    };
    const given = { storeUrl, secret, setupToken: undefined, replaces: [] };
    return { ...given, number, id: `worker-${number}`, isFirst: number === 1, peers, hold };
  };
}

export interface Pair {
  readonly first: TestServer;
  readonly second: TestServer;
  /** Delivers nothing to the second one until the returned function is called. */
  readonly holdSecond: () => () => void;
  readonly close: () => Promise<void>;
}

/** Starts two workers over one database. */
export async function startPair(options: StartOptions = {}): Promise<Pair> {
  const store = onMongo ? undefined : await open({});
  const next = makeCrew(options.clock, store?.url);
  const database = ownDatabase();
  const start = (membership: Membership): Promise<TestServer> => startServer({ ...options, ...database, membership });
  const first = await start(next());
  const member = next();
  const second = await start(member);
  const close = async (): Promise<void> => {
    await second.close();
    await first.close();
    await store?.close();
  };
  return { first, second, holdSecond: member.hold, close };
}
