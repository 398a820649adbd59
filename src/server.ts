/** Starts a server: opens the storage, creates the services and listens; closes in reverse. What is opened and created is in `start/`. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'dossier-store/single-flight';
import type { Api } from './api/contract.ts';
import { makeApp } from './http/app.ts';
import { Overload } from './http/overload.ts';
import { type HttpLimits, httpLimits, serveHttp } from './http/server.ts';
import { storeOver, throttle } from './http/throttle.ts';
import { connectionsOf } from './models/connect.ts';
import type { InvokeServices } from './operations/interceptor.ts';
import type { OperationGroup } from './operations/operation.ts';
import type { Log } from './ports/log.ts';
import { publicUrl } from './settings/own-host.ts';
import { blameSetting, SettingsError } from './settings/read.ts';
import type { Settings } from './settings/types.ts';
import { beginBackground, beginWork } from './start/background.ts';
import { bannerOf } from './start/banner.ts';
import { closeAll, type Closers } from './start/closers.ts';
import { withConfigFile } from './start/config-file.ts';
import { checkedLaunch } from './start/faults.ts';
import { featuresOf, incompleteAfterCrash } from './start/features.ts';
import type { Launch, ServerOptions } from './start/launch.ts';
import { makeServices } from './start/services.ts';
import { makeConfiguredAdmin } from './start/setup.ts';
import { openStorage } from './start/storage.ts';
import { maxTimerMs } from './text/durations.ts';
import { setupNeeded } from './write/before-setup.ts';

export type { ServerOptions };

/** A server that is listening. */
export interface DossierServer {
  /** The URL that it listens on, such as `http://127.0.0.1:4001`. */
  readonly url: string;
  readonly settings: Settings;
  /** The underlying HTTP server. */
  readonly http: Server;
  readonly services: InvokeServices;
  /** Reads and writes documents inside of the server. It acts as a caller who has not signed in, until `as` names another. */
  readonly api: Api;
  /** The lines of the banner: the URL, the database, the models. */
  readonly banner: readonly string[];
  /**
   * Resolves with the reason when the server can serve no more, because its embedded store has stopped permanently: close it, and let
   * another process serve. The log has the reason too, and `/health` answers 503. It never rejects.
   */
  readonly failed: Promise<Error>;
  /** Stops accepting connections, finishes running requests (for at most 10 s) and closes the database. */
  close(): Promise<void>;
}

/**
 * Starts a server.
 * @throws SettingsError for bad settings and a bad config file, also for a data folder, a database or a port that can't be used;
 * ModelFileError for bad model files; ProjectError for both
 */
export async function createServer(options: ServerOptions = {}): Promise<DossierServer> {
  const { options: all, faults } = await withConfigFile(options);
  return startServer(await checkedLaunch(all, faults));
}

/** @param closers the functions that close what is open already @throws as `createServer` */
export async function startServer(launch: Launch, closers: Closers = []): Promise<DossierServer> {
  const { settings, log, place } = launch;
  if (place.isServer && settings.workers > 1)
    throw new SettingsError(['WORKERS: must be 1 for createServer, which serves in the process that calls it']);
  // of several workers, the primary prints it
  const announce: Log['info'] = (...line) => (place.isServer ? log.info(...line) : undefined);
  closers.push(() => Promise.resolve(log.close()));
  try {
    const storage = await openStorage(launch, closers);
    let { port } = settings;
    const services = await makeServices(launch, storage, () => publicUrl(settings, port), closers);
    if (place.isFirst) await makeConfiguredAdmin(services);
    const waiting = await beginBackground(storage, launch, closers);
    const { groups } = storage;
    const http = await listen(launch, services, groups, closers);
    port = (http.address() as AddressInfo).port;
    await beginWork(launch, services, closers);
    const url = urlOf(http);
    const begun = { setupNeeded: await setupNeeded(storage.registry), incomplete: incompleteAfterCrash(launch) };
    // what follows has no await: a signal after this line closes the server in an orderly way
    announce('started', { url, database: storage.database, models: services.registry.served.length });
    const close = once(async () => {
      announce('stopping');
      await closeAll(closers).finally(() => announce('stopped'));
    });
    const banner = bannerOf({ ...storage, ...begun, moved: [...waiting, ...storage.moved], url, groups }, services);
    return {
      url,
      settings,
      http,
      services,
      api: services.apis.anonymous,
      banner,
      failed: launch.storeStop.reason,
      close,
    };
  } catch (error) {
    await closeAll(closers).catch(() => undefined);
    throw error;
  }
}

/** Serves HTTP, and what features attach to it. @throws SettingsError for a host or port that can't be used */
async function listen(
  launch: Launch,
  services: InvokeServices,
  groups: readonly OperationGroup[],
  closers: Closers,
): Promise<Server> {
  const { settings, config, shared } = services;
  const requests = throttle(settings, config.throttle_stores?.requests ?? storeOver(shared, settings.throttle));
  const overload = new Overload({
    ...{ shedAfterMs: settings.shed_after_ms, elapsed: () => performance.now() },
    ...{ connections: connectionsOf(services.connection), maxBodyBytes: settings.max_body_size },
    areHandedOver: !launch.place.isServer,
    onShed: () => services.metrics.count('dossier_requests_shed_total'),
  });
  closers.push(() => Promise.resolve(overload.close()));
  const app = makeApp(services, groups, { throttle: requests, overload });
  const server = await blameSetting(portOrHost, serveHttp(app, settings, limitsFor(settings, groups)));
  server.http.on('connection', () => overload.accepted());
  closers.push(server.close);
  for (const { attach } of featuresOf(launch))
    if (attach !== undefined) closers.push(attach(server, services, requests));
  return server.http;
}

/** The limits of connections. An answer may take the time limits of several hooks in sequence, and connections wait for it. */
function limitsFor(
  { query_limits, keep_alive_timeout: idle }: Settings,
  groups: readonly OperationGroup[],
): HttpLimits {
  const own = groups.flatMap(({ operations }) => operations.map(({ timeoutMs = 0 }) => timeoutMs));
  const longest = Math.max(httpLimits.inactivity, 5 * query_limits.max_time_ms, 2 * Math.max(...own));
  return { ...httpLimits, idle: idle * 1000, inactivity: Math.min(maxTimerMs, longest) };
}

/** The setting that causes an error of listening. */
const portOrHost = (error: unknown): string =>
  ['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '') ? 'PORT' : 'HOST';

function urlOf(http: Server): string {
  const { address, port, family } = http.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
