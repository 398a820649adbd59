/** The primary process: opens what all workers share, starts them, and stops them in order. It serves no request. */
import cluster from 'node:cluster';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { exitProcess } from 'dossier-store/exit';
import { once } from 'dossier-store/single-flight';
import { programOf } from 'dossier-store/worker';
import { inFolder, openStore, StoreStop } from '../database/embedded-store.ts';
import type { Log } from '../ports/log.ts';
import { blameSetting } from '../settings/read.ts';
import { sharedSecret } from '../settings/secret.ts';
import { closeAll, type Closers } from '../start/closers.ts';
import { withModelFaults } from '../start/faults.ts';
import type { Launch } from '../start/launch.ts';
import { setupTokenFor } from '../start/setup-token.ts';
import type { StartMessage } from './process.ts';
import { superviseWorkers, type Supervisor } from './supervisor.ts';

/** Milliseconds for the connections that wait when the server stops; the workers need the rest of the time to stop. */
const maxWaitingMs = 8000;
/** The exit code after a second signal. */
const killed = 1;

/** Why a server can serve no more: its embedded store has stopped permanently, or no worker can be started. */
export type FailureCause = 'store' | 'workers';

/** A server that runs. */
export interface RunningServer {
  readonly url: string;
  readonly banner: readonly string[];
  /** Resolves when it can serve no more; the log has the reason. It is still to be closed. */
  readonly failed: Promise<FailureCause>;
  close(): Promise<void>;
}

/** Starts the workers. @throws SettingsError, ModelFileError or Error: what stops the start of a worker */
export async function startPrimary(
  { settings, config, log, clock }: Pick<Launch, 'settings' | 'config' | 'log' | 'clock'>,
  given: Pick<StartMessage, 'environment' | 'config'>,
): Promise<RunningServer> {
  const closers: Closers = [];
  const storeStop = new StoreStop();
  try {
    const secret = await blameSetting('DATA_DIR', inFolder(settings.data_dir, sharedSecret(settings)));
    const storeUrl =
      settings.mongodb_url === undefined
        ? await openStore(settings, { inMemory: false, storeStop }, closers, log)
        : undefined;
    prepareForks();
    const shared = { ...given, port: settings.port, storeUrl, secret, setupToken: setupTokenFor(settings) };
    const supervisor = await superviseWorkers({ ...shared, count: settings.workers, log });
    log.info('started', { url: supervisor.url, workers: settings.workers });
    const banner = [...supervisor.banner, `Workers: ${settings.workers}`];
    return runningServer({ ...supervisor, banner }, storeStop, closers, log);
  } catch (error) {
    await closeAll(closers).catch(() => undefined);
    throw await withModelFaults(error, { settings, config, clock });
  }
}

function prepareForks(): void {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const exec = fileURLToPath(programOf('worker', import.meta.url));
  // structured clones carry bytes and dates; the outputs are pipes, whose lines the primary joins
  cluster.setupPrimary({ exec, args: [], serialization: 'advanced', silent: true });
}

function runningServer(supervisor: Supervisor, storeStop: StoreStop, closers: Closers, log: Log): RunningServer {
  const close = once(async () => {
    log.info('stopping');
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => end(supervisor));
    await supervisor.stop(() => acceptWaiting(supervisor.url));
    await closeAll(closers).finally(() => log.info('stopped'));
  });
  const workersFailed = supervisor.failed.then((error): FailureCause => {
    log.error('the server stops, because no worker can be started', error);
    return 'workers';
  });
  const failed = Promise.race([workersFailed, storeStop.reason.then((): FailureCause => 'store')]);
  return { url: supervisor.url, banner: supervisor.banner, failed, close };
}

/** Ends the process and its workers at once. */
function end(supervisor: Supervisor): void {
  supervisor.kill();
  void exitProcess(killed);
}

/**
 * Waits until the connections that were made before are handed to workers: they are handed out in order, so when a request of the
 * primary itself is answered, all connections before it have a worker.
 */
function acceptWaiting(url: string): Promise<void> {
  const target = new URL('/health', url.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]'));
  return new Promise((done) => {
    const request = get(target, { agent: false, timeout: maxWaitingMs }, (response) => {
      response.resume();
      done();
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => done());
    request.on('close', () => done());
  });
}
