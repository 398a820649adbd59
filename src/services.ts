/** What a request may reach (types only). `start/services.ts` creates it from the folders, whose interfaces are in their `contract.ts`. */
import type { EventEmitter } from 'node:events';
import type { ClientSession, Connection } from 'mongoose';
import type { Sealer } from './adapters/sealing.ts';
import type { Apis } from './api/contract.ts';
import type { KeyedMutex } from './async/keyed-mutex.ts';
import type { Semaphore, WaitOptions } from './async/semaphore.ts';
import type { Auth } from './auth/contract.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { ReadPreference } from './models/connect.ts';
import type { Registry } from './models/registry.ts';
import type { Outbox } from './outbox/contract.ts';
import type { Principal } from './policy/principal.ts';
import type { Log } from './ports/log.ts';
import type { Port } from './ports/port.ts';
import type { AnswerCache, ReadWatch, Sizes } from './read/contract.ts';
import type { Bus } from './realtime/changes/contract.ts';
import type { DossierConfig } from './settings/config-file.ts';
import type { Settings } from './settings/types.ts';
import type { SharedState } from './shared/contract.ts';
import type { Recorder } from './write/contract.ts';

/** The memory of answers that their clients have not read yet. */
export interface Room {
  /** Waits until further answers may be made. @returns undefined when they may at once @throws 503 after the time, or when the caller is gone */
  enter(caller: WaitOptions | undefined, maxWaitMs: number): Promise<void> | undefined;
  /** Counts an answer until it has been sent. */
  add(sink: Pick<EventEmitter, 'once'> & { destroy(): unknown }, bytes: number): void;
}

/** @param by the caller: a user's id or an address @throws 503 for work that waits too long, or may not wait */
type OfCaller = <T>(by: string, caller: WaitOptions, work: () => Promise<T>) => Promise<T>;

/** What an operator should look at. */
export interface Advice {
  readonly kind: 'right' | 'setting' | 'index' | 'factor' | 'webhook' | 'backup' | 'schedule' | 'disk';
  /** The name of a model, a setting or a file, or an id. */
  readonly about: string;
  /** What is so, and what to do, without a secret. */
  readonly advice: string;
}

/**
 * Finds what an operator should look at now.
 * @param principal an admin, who may not see all models
 * @param opened when a command has opened the data: what the database counts since then shows nothing @throws 503
 */
export type Adviser = (principal: Principal, opened?: Date) => Promise<readonly Advice[]>;

/** The kinds of heavy work, each with a share of the connections to the database; the rest is left for everything else. */
interface Shares {
  readonly lists: Semaphore['run'];
  /** Pipelines of one caller run one at a time, and a few beside it that were quick when they last ran. */
  readonly pipelines: OfCaller;
  readonly quickPipelines: OfCaller;
  /** Bulk writes and batches: a few of one caller run at a time, and few of them wait. */
  readonly bulks: OfCaller;
  /** Lists and pipelines wait for it. */
  readonly unsent: Room;
  /**
   * Runs work with the same name one at a time, within this server and all its workers.
   * @throws 503 for work that waits too long, or that waits for work which finds the database unreachable
   */
  readonly keyedMutex: KeyedMutex;
}

/** What reads use. */
interface ReadServices {
  readonly sizes: Sizes;
  /** Receives how long reads and writes took, where a feature wants that. */
  readonly watch: ReadWatch;
  /** Undefined when the cache is disabled. */
  readonly cache: AnswerCache | undefined;
  /** Seals the cursors of lists. */
  readonly cursors: Sealer;
  /** The members of the database that lists are read from; undefined for the primary. */
  readonly listedFrom: ReadPreference | undefined;
}

/** Finds what a function of a feature has made, or what is provided for a port. */
interface Find {
  <T>(make: (parts: never) => T): T;
  <T>(of: Port<never, T>): T;
}

export interface Services {
  /**
   * What is provided for a port, or what a function of a feature has made for this server.
   * @throws Error where nothing provides for the port, or the feature has been left out
   */
  readonly of: Find;
  readonly settings: Settings;
  readonly config: DossierConfig;
  readonly registry: Registry;
  readonly connection: Connection;
  readonly log: Log;
  /** Counts what the server does. */
  readonly metrics: Metrics;
  readonly bus: Bus;
  readonly reads: ReadServices;
  /** What is written together with writes. */
  readonly recorders: readonly Recorder[];
  /** What is done after a write: entries that are written with it. */
  readonly outbox: Outbox;
  readonly auth: Auth;
  /** What the processes of this server share. */
  readonly shared: SharedState;
  /** Makes the `api` of hooks, functions and programs. */
  readonly apis: Apis;
  readonly clock: () => Date;
  readonly shares: Shares;
  /** Whether the database is a replica set or a sharded cluster, and so has transactions and change streams. */
  readonly isReplicaSet: boolean;
  /** Runs work in a transaction where the database has them, otherwise without one. */
  readonly inTransaction: <T>(work: (session: ClientSession | undefined) => Promise<T>) => Promise<T>;
}
