/**
 * The place of a process among those that it shares state with: alone, a worker of a server, or with other servers on a database. Besides
 * `workers/`, only this file knows which.
 */
import type { Connection } from '../models/mongoose.ts';
import type { Registry } from '../models/registry.ts';
import type { Log } from '../ports/log.ts';
import type { ProcessPlace } from '../ports/parts.ts';
import type { Bus } from '../realtime/changes/contract.ts';
import type { Settings } from '../settings/types.ts';
import type { SharedState } from '../shared/contract.ts';
import { ProcessState } from '../shared/process.ts';
import type { Membership } from '../workers/contract.ts';
import type { Closers } from './closers.ts';
import { setupTokenFor } from './setup-token.ts';

export interface Place extends ProcessPlace {
  /** Whether it is a whole server; otherwise a primary starts it, stops it and logs that. */
  readonly isServer: boolean;
  /** Whether it prepares the database for all processes of its server: indexes, moved data, the first admin. */
  readonly isFirst: boolean;
  /** The number of a worker, for the log. */
  readonly number: number | undefined;
  /** The URL of the embedded store, and the secret, where the primary has them. */
  readonly storeUrl: string | undefined;
  readonly secret: string | undefined;
  readonly setupToken: string | undefined;
  /** The bus of changes to documents. `begin` is to be called with the models. */
  openBus(log: Log, replicated: boolean): Promise<{ readonly bus: Bus; readonly begin: (registry: Registry) => void }>;
  /** What the process shares with the others. */
  share(storage: SharedStorage, closers: Closers): Promise<SharedState>;
}

interface SharedStorage {
  readonly connection: Connection;
  readonly registry: Registry;
  readonly log: Log;
}

/** @param clock that of the options: it is taken for the clock of all servers */
export function placeOf(settings: Settings, clock: (() => Date) | undefined, membership?: Membership): Place {
  const now = (): number => (clock?.() ?? new Date()).getTime();
  const server = membership?.peers ?? new ProcessState(now);
  const isMongo = settings.mongodb_url !== undefined;
  const isFirst = membership?.isFirst !== false;
  return {
    isServer: membership === undefined,
    isFirst,
    number: membership?.number,
    id: membership?.id,
    ended: isFirst && !isMongo ? 'all' : (membership?.replaces ?? []),
    storeUrl: membership?.storeUrl,
    secret: membership?.secret,
    setupToken: membership === undefined ? setupTokenFor(settings) : membership.setupToken,
    openBus: (log, replicated) => openBus(membership, { log, replicated }),
    share: async (storage, closers) => (isMongo ? shareDatabase(server, { ...storage, clock }, closers) : server),
  };
}

/** The place of a command that writes nothing: what servers share over a database is written there. */
export const readOnlyPlace = (place: Place): Place => {
  const own = new ProcessState(Date.now);
  return { ...place, share: () => Promise.resolve(own) };
};

// what follows loads while the embedded store opens, so that a server starts sooner

async function openBus(
  membership: Membership | undefined,
  { log, replicated }: { readonly log: Log; readonly replicated: boolean },
): ReturnType<Place['openBus']> {
  const { makeBus } = await import('../realtime/changes/bus.ts');
  if (membership === undefined) return { bus: makeBus(log), begin: () => undefined };
  const { SpanningBus } = await import('../realtime/changes/spanning-bus.ts');
  const bus = new SpanningBus(makeBus(log), { peers: membership.peers, replicated, log });
  return { bus, begin: (registry) => bus.begin(registry) };
}

async function shareDatabase(
  server: SharedState,
  { connection, registry, log, clock: given }: SharedStorage & { readonly clock: (() => Date) | undefined },
  closers: Closers,
): Promise<SharedState> {
  const [{ DatabaseState }, { DatabaseRows }, { DatabaseClock, programClock: givenClock }] = await Promise.all([
    import('../shared/database.ts'),
    import('../shared/database-rows.ts'),
    import('../shared/database-clock.ts'),
  ]);
  const ask = async (): Promise<Date> => (await connection.getClient().db().command({ hello: 1 }))['localTime'] as Date;
  const clock = given === undefined ? new DatabaseClock(ask) : givenClock(given);
  const state = new DatabaseState({ server, rows: new DatabaseRows(registry, clock), clock, log });
  closers.push(() => state.close());
  return state;
}
