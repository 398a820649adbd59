/** Composition: opens the store, loads the models, joins the parts and serves; closes in reverse. The only place where things are made. */
import type { Server } from 'node:http';
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import { makeApp } from './http/app.ts';
import { makeKeyedMutex } from './async/keyed-mutex.ts';
import { makeSemaphore, type Semaphore } from './async/semaphore.ts';
import { makeAuthCore } from './auth/core.ts';
import { loginCounters } from './auth/throttle/counters.ts';
import { makeFirstAdmin, setupNeeded } from './auth/setup/first-admin.ts';
import { moveGroups } from './auth/setup/moved-groups.ts';
import { makePasswords } from './auth/passwords/password.ts';
import { loginChanges } from './auth/sessions/login-changes.ts';
import { loginServices } from './auth/login-services.ts';
import { Failure } from './errors.ts';
import { makeCache } from './cache.ts';
import { openDatabase } from './database.ts';
import { makeBus } from './realtime/changes/bus.ts';
import { makeFeed } from './realtime/changes/feed.ts';
import { hearModelWrites } from './realtime/changes/model-writes.ts';
import { watch } from './realtime/changes/watch.ts';
import { makeLive } from './realtime/subscriptions/live.ts';
import { makeLog, type Log, type LogTarget } from './log.ts';
import { makeMail } from './mail.ts';
import { throttle } from './http/throttle.ts';
import { makeMatching } from './read/matching.ts';
import { makeSizes } from './read/sizes.ts';
import { builtIn } from './models/built-in/index.ts';
import { compileModels, type Hear } from './models/compile.ts';
import { prepareRules } from './policy/model-rules.ts';
import { preload } from './preload.ts';
import { unavailableFrom } from './models/database-errors.ts';
import { findModelFiles } from './models/files.ts';
import { fileLoader, loadModelFile, type LoadedSchema } from './models/load.ts';
import { tellThatWritten, tellWrites } from './models/model-writes.ts';
import { createIndexes, modelOf, type Connection } from './models/mongoose.ts';
import { makeRegistry, type Registry } from './models/registry.ts';
import { startWarnings } from './models/start-warnings.ts';
import { publicUrl } from './settings/public-url.ts';
import { sharedSecret } from './secret.ts';
import type { Bus } from './realtime/changes/contract.ts';
import type { Services } from './services.ts';
import { serveSockets } from './realtime/websocket/server.ts';
import { faultsOf, type DossierConfig } from './settings/config-file.ts';
import { blaming, readSettings, SettingsError } from './settings/read.ts';
import type { Settings } from './settings/types.ts';
import { fromWrite } from './write/mongoose-errors.ts';
import { httpLimits, serveHttp, type HttpLimits } from './http/server.ts';
import { hasTransactions, transactionRunner } from './transactions.ts';

/** What a program that embeds Dossier may give besides the settings. */
export interface ServerOptions extends DossierConfig {
  /** Variables to read settings from; none by default, so that only the config counts. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Where log lines go; standard output by default. */
  readonly logTarget?: LogTarget;
  readonly clock?: () => Date;
  /** Milliseconds by which short durations are measured, whatever becomes of the clock; `performance.now` by default. */
  readonly elapsed?: () => number;
  /** Keeps the embedded store in memory only: nothing outlives the server. */
  readonly inMemory?: boolean;
}

/** A server that is listening. */
export interface DossierServer {
  /** Where it listens, such as `http://127.0.0.1:4001`. */
  readonly url: string;
  readonly settings: Settings;
  /** The underlying HTTP server. */
  readonly http: Server;
  readonly services: Services;
  /** What the banner says: which database, which models. */
  readonly banner: readonly string[];
  /** Stops accepting, finishes what is under way (10 s at most) and closes the database. */
  close(): Promise<void>;
}

/**
 * Starts a server.
 * @throws SettingsError for bad settings, which a data folder, a database or a port that can't be used are too; ModelFileError for a bad model file
 */
export async function createServer(options: ServerOptions = {}): Promise<DossierServer> {
  const settings = readSettings(options.environment ?? {}, options);
  const { environment: _, logTarget, clock = (): Date => new Date(), elapsed, inMemory = false, ...config } = options;
  const faults = faultsOf(config);
  if (faults.length > 0) throw new SettingsError(faults);
  const log = makeLog(settings.log_level, logTarget);
  const closers: (() => Promise<void>)[] = [];
  try {
    const secret = await blaming('DATA_DIR', sharedSecretFor(settings, inMemory));
    const { connection, describes } = await openDatabase(settings, inMemory, closers, log);
    const bus = makeBus(log);
    const replicated = await hasTransactions(connection);
    const inTransaction = transactionRunner(connection, replicated, settings.query_limits.max_time_ms);
    const registry = await loadModels(settings, connection, hearing(settings, bus, replicated, log));
    prepareRules(registry.all, clock);
    for (const warning of startWarnings(settings.models_dir, registry.all)) log.warn(warning);
    const moved = await moveGroups({
      registry,
      connection,
      clock,
      bus,
      inTransaction,
      isOfJxp: preload() !== undefined,
    });
    await createIndexes(registry.all);
    const passwords = makePasswords(settings);
    closers.push(() => passwords.close());
    const feed = makeFeed({ connection, registry, bus, log }, secret, replicated);
    closers.push(() => feed.close());
    const counters = loginCounters({ settings, config, registry, clock, log });
    const cache = settings.cache.enabled ? makeCache(settings.cache.ttl, bus) : undefined;
    closers.push(() => Promise.resolve(cache?.close()));
    if (cache !== undefined && feed.shared) await feed.need();
    let port = settings.port;
    const oneAtATime = makeKeyedMutex({
      maxWaitMs: settings.query_limits.max_time_ms,
      sharedFailure: unavailableFrom,
    });
    const url = (): string => publicUrl(settings, port);
    const time = { clock, elapsed: elapsed ?? (() => performance.now()) };
    const parts = {
      registry,
      settings,
      secret,
      passwords,
      bus,
      inTransaction,
      counters,
      ...time,
      oneAtATime,
      publicUrl: url,
    };
    const core = makeAuthCore(parts);
    // the embedded store of this process has no other server
    if (replicated && settings.mongodb_url !== undefined) closers.push(watch(connection, log, loginChanges(core)));
    const logins = loginServices(core, config, makeMail(settings), log);
    const matching = makeMatching();
    closers.push(() => matching.close());
    const live = makeLive({ auth: logins.auth, bus, feed, log, matching, limits: settings.websocket });
    closers.push(() => Promise.resolve(live.end()));
    const services: Services = {
      settings,
      config,
      registry,
      connection,
      log,
      bus,
      feed,
      live,
      sizes: makeSizes(bus, clock),
      cache,
      passwords,
      ...logins,
      setupToken: setupTokenFor(settings),
      clock,
      inTransaction,
      shares: sharesOf(connection, settings),
      oneAtATime,
      publicUrl: url,
    };
    await configuredAdmin(services);
    const requests = throttle(settings, config.throttle_stores?.requests);
    const app = makeApp(services, requests);
    const { http, close } = await blaming(portOrHost, serveHttp(app, settings, limitsFor(settings)));
    port = (http.address() as AddressInfo).port;
    closers.push(close);
    closers.push(serveSockets(http, services, requests).close);
    log.info('started', { url: urlOf(http), database: describes, models: registry.served.length });
    closers.push(() => Promise.resolve(log.info('stopping')));
    closers.unshift(() => Promise.resolve(log.info('stopped')));
    let closed: Promise<void> | undefined;
    return {
      url: urlOf(http),
      settings,
      http,
      services,
      banner: [...banner(urlOf(http), describes, services), ...moved],
      close: () => (closed ??= closeAll(closers)),
    };
  } catch (error) {
    await closeAll(closers).catch(() => undefined);
    throw error;
  }
}

const sharedSecretFor = async (settings: Settings, inMemory: boolean): Promise<string> =>
  inMemory ? (settings.shared_secret ?? randomBytes(32).toString('base64url')) : sharedSecret(settings);

/** An answer may come after the time limits of several hooks, one after the other: connections wait for it. */
const limitsFor = ({ query_limits }: Settings): HttpLimits => ({
  ...httpLimits,
  silence: Math.min(maxTimer, Math.max(httpLimits.silence, 5 * query_limits.max_time_ms)),
});
const maxTimer = 2_147_483_647;

/** Whose fault it is that the server can't listen. */
const portOrHost = (error: unknown): string =>
  ['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '') ? 'PORT' : 'HOST';

/** Closes everything, in reverse. A database that has gone away in the meantime is not waited for beyond the patience. */
async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  const late = later(patience, undefined, { ref: false });
  const failed: unknown[] = [];
  for (const close of closers.splice(0).reverse())
    await Promise.race([close().catch((error: unknown) => failed.push(error)), late]);
  if (failed.length > 0) throw failed[0];
}

/** Milliseconds; more than what requests under way get. */
const patience = 12_000;

/** Lists may take one of five connections to the database, pipelines as many. */
function sharesOf(connection: Connection, { query_limits }: Settings): Services['shares'] {
  // 0 is no limit
  const atOnce = Math.ceil((connection.getClient().options.maxPoolSize || 50) / 5);
  const share = (): Semaphore['run'] => makeSemaphore({ permits: atOnce, maxWaitMs: query_limits.max_time_ms }).run;
  return { lists: share(), pipelines: share() };
}

async function loadModels(settings: Settings, connection: Connection, hear?: Hear): Promise<Registry> {
  const files = await findModelFiles(settings.models_dir);
  const load = fileLoader();
  const own: LoadedSchema[] = [];
  // one after the other: files may load each other, and would find a file that is being loaded half done
  for (const file of files) own.push(await loadModelFile(load, file));
  const registry = makeRegistry(
    compileModels([...own, ...builtIn(new Set(own.map(({ name }) => name)))], connection, {
      limit: settings.query_limits.max_time_ms,
      hear,
    }),
  );
  preload()?.serve(registry.all.map((entry) => ({ ...entry, model: modelOf(entry) })));
  return registry;
}

/** What models write by themselves: told as events where the database has no change streams, else to the cache, which can't wait for them. */
function hearing({ cache }: Settings, bus: Bus, replicated: boolean, log: Log): Hear | undefined {
  if (replicated)
    return cache.enabled ? (schema, entry) => tellThatWritten(schema, () => bus.touched(entry())) : undefined;
  const listener = hearModelWrites(bus, log);
  return (schema, entry) => tellWrites(schema, entry, listener);
}

/** In production on a public address `/setup` needs a token; it is made when none is set. */
function setupTokenFor(settings: Settings): string | undefined {
  const loopback = settings.host === 'localhost' || settings.host === '::1' || settings.host.startsWith('127.');
  if (!settings.production || loopback) return undefined;
  return settings.setup_token ?? randomBytes(18).toString('base64url');
}

/** `ADMIN_EMAIL` and `ADMIN_PASSWORD` make the first admin when there is no user. */
async function configuredAdmin(services: Services): Promise<void> {
  const { settings, registry } = services;
  const { email, password, name } = settings.admin;
  if (email !== undefined && password !== undefined && (await setupNeeded(registry)))
    await makeFirstAdmin(services, { email, password, name }).catch((error: unknown) => {
      const failure = fromWrite(error);
      if (!(failure instanceof Failure)) throw error;
      if (failure.status === 400)
        throw new SettingsError([`ADMIN_EMAIL: the first admin does not fit the user model: ${failure.reason}`]);
      // another server that starts at the same time makes it
      if (failure.status !== 409) throw failure;
    });
}

function urlOf(http: Server): string {
  const { address, port, family } = http.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** A token that the operator has set is known to them. */
const shown = (token: string, { setup_token }: Settings): string => (setup_token === undefined ? token : 'SETUP_TOKEN');

function banner(url: string, database: string, { registry, feed, setupToken, settings }: Services): string[] {
  return [
    `Dossier listens on ${url}`,
    `Database: ${database}`,
    `Models: ${registry.served.map(({ name }) => name).join(', ')}`,
    ...(feed.shared
      ? []
      : ['Realtime: this database has no change streams, so each server tells only of its own writes']),
    ...(setupToken === undefined ? [] : [`POST /setup needs the header x-setup-token: ${shown(setupToken, settings)}`]),
  ];
}
