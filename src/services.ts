/** What a request may reach (types only). `start/services.ts` makes it of what the folders implement, whose interfaces are in their `contract.ts`. */
import type { ClientSession, Connection } from 'mongoose';
import type { KeyedMutex } from './async/keyed-mutex.ts';
import type { Semaphore } from './async/semaphore.ts';
import type { Auth, Groups, Logins, OAuth, OwnAccount, Passwords } from './auth/contract.ts';
import type { Log } from './log.ts';
import type { Registry } from './models/registry.ts';
import type { AnswerCache, Sizes } from './read/contract.ts';
import type { Bus, Feed } from './realtime/changes/contract.ts';
import type { Live } from './realtime/subscriptions/contract.ts';
import type { DossierConfig } from './settings/config-file.ts';
import type { Settings } from './settings/types.ts';

/** Kinds of work that would take all connections to the database if they could. */
type ShareName = 'lists' | 'pipelines';

export interface Services {
  readonly settings: Settings;
  readonly config: DossierConfig;
  readonly registry: Registry;
  readonly connection: Connection;
  readonly log: Log;
  readonly bus: Bus;
  readonly feed: Feed;
  readonly live: Live;
  readonly sizes: Sizes;
  /** Undefined when the cache is switched off. */
  readonly cache: AnswerCache | undefined;
  readonly passwords: Passwords;
  readonly auth: Auth;
  readonly account: OwnAccount;
  readonly oauth: OAuth;
  readonly groups: Groups;
  readonly logins: Logins;
  /** What `/setup` wants as x-setup-token; undefined where it wants none. */
  readonly setupToken: string | undefined;
  readonly clock: () => Date;
  /** Each kind of heavy work has a share of the connections to the database; the rest is left for everything else. */
  readonly shares: Readonly<Record<ShareName, Semaphore['run']>>;
  /**
   * Runs work of one name one after the other, inside this server.
   * @throws 503 for work that waits too long, or behind work that finds the database away
   */
  readonly oneAtATime: KeyedMutex;
  /** Where browsers and other programs reach this server: `API_URL`, or where it listens. */
  readonly publicUrl: () => string;
  /** Runs work in a transaction where the database has them, else plainly. */
  readonly inTransaction: <T>(work: (session: ClientSession | undefined) => Promise<T>) => Promise<T>;
}
