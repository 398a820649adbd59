/** Creates the services of a server, each from what it needs. */
import type { Connection } from 'mongoose';
import { makeSealer } from '../adapters/sealing.ts';
import { makeApis } from '../api/api.ts';
import type { Apis } from '../api/contract.ts';
import { Background } from '../async/background.ts';
import { Semaphore, type WaitOptions } from '../async/semaphore.ts';
import { type AuthAdditions, type AuthCore, type AuthParts, makeAuthCore } from '../auth/core.ts';
import { loginServices } from '../auth/login-services.ts';
import { makeMail } from '../auth/mails/mail-server.ts';
import { OwnMails } from '../auth/mails/own-mails.ts';
import { makePasswords } from '../auth/passwords/password.ts';
import { accountEvents } from '../auth/ports.ts';
import { loginChanges } from '../auth/sessions/login-changes.ts';
import { makeFailedAttempts, makeUserThrottle } from '../auth/throttle/failures.ts';
import { storeHolder } from '../database/embedded-store.ts';
import { innerOperations } from '../http/inner-operations.ts';
import { UnsentAnswers } from '../http/unsent.ts';
import { connectionsOf } from '../models/connect.ts';
import { unavailableFailure } from '../models/database-errors.ts';
import type { InvokeServices } from '../operations/interceptor.ts';
import { interceptorsOf } from '../operations/source.ts';
import {
  accountRecorder,
  appName,
  changeFeed,
  consolePath,
  embeddedFolder,
  groupMembers,
  hasStoreStopped,
  jobEntry,
  monotonicClock,
  ownAccount,
  passwordHashing,
  requiredSetupToken,
  serverUrl,
  sessionList,
  userData,
  userLimit,
} from '../ports/core.ts';
import type { Core, OpenCache } from '../ports/parts.ts';
import { fallbackOf, firstProviderValue } from '../ports/port.ts';
import type { AnswerCache, ReadWatch } from '../read/contract.ts';
import { answerCache, pastDocuments, readWatch } from '../read/ports.ts';
import { makeSizes } from '../read/sizes.ts';
import type { Feed } from '../realtime/changes/contract.ts';
import { makeFeed } from '../realtime/changes/feed.ts';
import { watch } from '../realtime/changes/stream.ts';
import type { Services } from '../services.ts';
import type { Closers } from './closers.ts';
import { authAdditions, type FeatureServices, featuresOf, namesOf } from './features.ts';
import type { Launch } from './launch.ts';
import type { Storage } from './storage.ts';

/** Characters of a cursor: a position of 4096 bytes, and what encrypts it. */
const maxCursorLength = 6000;

/** @param publicUrl where browsers and other programs reach this server, once it listens */
export async function makeServices(
  launch: Launch,
  storage: Storage,
  publicUrl: () => string,
  closers: Closers,
): Promise<InvokeServices> {
  const { settings, place } = launch;
  const { connection, featureServices, shared } = storage;
  const feed = await openFeed(launch, storage, closers);
  const cache = openCache(launch, storage, closers);
  if (cache !== undefined) await feed.ensureDelivered();
  const shares = sharesOf(settings, { connection, shared });
  const events = accountEvents(featureServices.accountListeners);
  const { of, recorders } = featureServices;
  const core = openLogins({ ...launch, ...storage, of, recorders, accountEvents: events, shares, publicUrl }, closers);
  featureServices.provide(changeFeed, feed);
  featureServices.provide(embeddedFolder, await storeFolderOf(launch, connection));
  provideFacts(launch, core, featureServices);
  let apis: Apis | undefined;
  const reads = readServices(launch, storage, cache);
  const services: InvokeServices = {
    ...baseOf(launch, storage),
    ...{ reads, shares },
    auth: serveLogins(core, featureServices),
    past: firstProviderValue(featuresOf(launch), pastDocuments, undefined),
    interceptors: interceptorsOf(featuresOf(launch)),
    get apis() {
      return (apis ??= makeApis(services, () => innerOperations(storage.groups, services)));
    },
  };
  featureServices.provide(jobEntry, firstProviderValue(featuresOf(launch), jobEntry, services));
  const onClose = (close: () => Promise<void>): void => void closers.push(close);
  await featureServices.begin({ services, auth: core, onClose, worker: workerOf(launch), place });
  reads.watch = featureServices.of(readWatch);
  return services;
}

/** What reads use. The watch is replaced by that of a feature, once it has begun. */
const readServices = (
  { clock }: Launch,
  { bus, secrets, listedFrom }: Storage,
  cache: AnswerCache | undefined,
): Services['reads'] & { watch: ReadWatch } => ({
  sizes: makeSizes(bus, clock),
  watch: fallbackOf(readWatch),
  cursors: makeSealer(secrets, 'list cursors', maxCursorLength),
  ...{ cache, listedFrom },
});

const workerOf = ({ place, settings }: Launch): Core['worker'] =>
  place.isServer ? { number: 1, of: 1 } : { number: place.number ?? 1, of: settings.workers };

/** Provides facts about the server. */
function provideFacts(
  { settings, clock, elapsed, place, storeStop }: Launch,
  { appName: name, consolePath: path, publicUrl, shared }: AuthCore,
  featureServices: FeatureServices,
): void {
  featureServices.provide(userLimit, makeUserThrottle(settings.throttle, clock, shared));
  featureServices.provide(appName, name);
  featureServices.provide(consolePath, path);
  featureServices.provide(serverUrl, publicUrl);
  featureServices.provide(requiredSetupToken, place.setupToken);
  featureServices.provide(hasStoreStopped, () => storeStop.hasStopped);
  featureServices.provide(monotonicClock, elapsed);
}

/** What the other services are made from. */
function baseOf({ settings, config, log, clock }: Launch, storage: Storage) {
  const { shared, registry, connection, bus, inTransaction, featureServices, isReplicaSet, metrics, outbox } = storage;
  const { of, recorders } = featureServices;
  return {
    ...{ settings, config, log, clock, metrics, of, recorders, outbox, shared },
    ...{ registry, connection, bus, inTransaction, isReplicaSet },
  };
}

async function openFeed(
  { log }: Launch,
  { connection, registry, bus, secrets, isReplicaSet }: Storage,
  closers: Closers,
): Promise<Feed> {
  const feed = await makeFeed({ connection, registry, bus, log }, secrets, isReplicaSet);
  closers.push(() => feed.close());
  return feed;
}

function openCache(
  launch: Launch,
  { bus, shared, metrics }: Pick<Services, 'bus' | 'shared' | 'metrics'>,
  closers: Closers,
): OpenCache | undefined {
  const { settings } = launch;
  const cache = firstProviderValue(featuresOf(launch), answerCache, settings)?.({ settings, bus, shared, metrics });
  if (cache !== undefined) closers.push(() => Promise.resolve(cache.close()));
  return cache;
}

function openLogins(
  parts: Launch &
    Pick<Storage, 'secrets' | 'isReplicaSet' | 'connection'> &
    Omit<
      AuthParts,
      keyof AuthAdditions | 'appName' | 'consolePath' | 'passwords' | 'failures' | 'background' | 'mail' | 'ownMails'
    >,
  closers: Closers,
): AuthCore {
  const { settings, config, connection, log, isReplicaSet, shared } = parts;
  const passwords = makePasswords(settings);
  closers.push(() => passwords.close());
  const background = new Background((what, error) => log.error(`${what} failed`, error));
  closers.push(() => background.close());
  const store = config.throttle_stores?.logins;
  const failures = makeFailedAttempts({ throttle: settings.throttle, shared, store, log });
  const core = makeAuthCore({
    ...parts,
    ...authAdditions(parts),
    ...namesOf(parts),
    passwords,
    failures,
    background,
    mail: makeMail(settings),
    ownMails: new OwnMails({ registry: parts.registry, config, log, limit: settings.query_limits.max_time_ms }),
  });
  // workers send each other messages, and no other server uses their embedded store
  if (isReplicaSet && settings.mongodb_url !== undefined) closers.push(watch(connection, log, loginChanges(core)));
  return core;
}

/** Provides what requests may do with accounts. @returns what tells who calls */
function serveLogins(core: AuthCore, featureServices: FeatureServices): Services['auth'] {
  const { auth, account, sessions, groups } = loginServices(core, featureServices.logins(core));
  featureServices.provide(ownAccount, account);
  featureServices.provide(sessionList, sessions);
  featureServices.provide(groupMembers, groups);
  featureServices.provide(userData, core.userData);
  featureServices.provide(passwordHashing, core.passwords);
  featureServices.provide(accountRecorder, core.accountEvents);
  return auth;
}

/** Maximum waiting lists, and waiting pipelines. */
const maxReadsWaiting = 1000;
/** Maximum waiting bulk writes and batches. */
const maxBulksWaiting = 100;

/** What one caller may have of a kind of work: so much at a time, and so much waiting. */
const callerLimits = {
  pipelines: { permits: 1, maxWaiting: 50 },
  // one at a time would take a turn of the event loop each
  quickPipelines: { permits: 4, maxWaiting: 50 },
  // each may hold a whole body of operations, and a transaction
  bulks: { permits: 2, maxWaiting: 20 },
} as const;

/** Lists may use a fifth of the connections to the database, and so may pipelines, and bulk writes with batches. */
function sharesOf(
  settings: Launch['settings'],
  { connection, shared }: Pick<Services, 'connection' | 'shared'>,
): Services['shares'] {
  const maxWaitMs = settings.query_limits.max_time_ms;
  const unsent = new UnsentAnswers();
  const permits = Math.ceil(connectionsOf(connection) / 5);
  const lists = new Semaphore({ permits, maxWaiting: maxReadsWaiting, maxWaitMs });
  const pipelines = new Semaphore({ permits, maxWaiting: maxReadsWaiting, maxWaitMs });
  const bulks = new Semaphore({ permits, maxWaiting: maxBulksWaiting, maxWaitMs });
  const withRoom =
    <T>(caller: WaitOptions | undefined, work: () => Promise<T> | T) =>
    (): Promise<T> | T =>
      unsent.enter(caller, maxWaitMs)?.then(work) ?? work();
  const pipelinesOf = (kind: 'pipelines' | 'quickPipelines'): Services['shares'][typeof kind] => {
    const ofCaller = shared.mutex({ maxWaitMs, ...callerLimits[kind] });
    return (by, caller, work) => ofCaller(`${kind} ${by}`, () => pipelines.run(caller, withRoom(caller, work)), caller);
  };
  const bulksOf = shared.mutex({ maxWaitMs, ...callerLimits.bulks });
  return {
    lists: (caller, work) => lists.run(caller, withRoom(caller, work)),
    pipelines: pipelinesOf('pipelines'),
    quickPipelines: pipelinesOf('quickPipelines'),
    bulks: (by, caller, work) => bulksOf(`bulks ${by}`, () => bulks.run(caller, work), caller),
    unsent,
    keyedMutex: shared.mutex({ maxWaitMs, sharedFailure: unavailableFailure }),
  };
}

/**
 * The folder of the store in this server, or of `dossier store` on this machine where `DATA_DIR` is its folder: the process that serves the folder is
 * that which answers. @returns undefined for MongoDB, and for a store in memory
 */
async function storeFolderOf(
  { settings, inMemory }: Pick<Launch, 'settings' | 'inMemory'>,
  connection: Connection,
): Promise<string | undefined> {
  const { mongodb_url: url, data_dir: dir } = settings;
  if (url === undefined) return inMemory ? undefined : dir;
  const holder = storeHolder(dir);
  if (holder === undefined) return undefined;
  const status = await connection.db?.command({ serverStatus: 1 }).catch(() => undefined);
  const isShared = status?.['process'] === 'embedded' && Number(status['pid']) === holder;
  return isShared ? dir : undefined;
}
