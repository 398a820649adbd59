/** Serves with the settings of the process: in this process, or with several workers. */
import { openStore } from '../database/embedded-store.ts';
import type { DossierConfig } from '../settings/config-file.ts';
import { closeAll, type Closers } from '../start/closers.ts';
import { checkedLaunch } from '../start/faults.ts';
import type { Launch } from '../start/launch.ts';
import type { FailureCause, RunningServer } from './primary.ts';

export type { RunningServer };

/** What a process serves with. */
export interface ServeOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The config, and the path of its file. */
  readonly config: DossierConfig;
  readonly configFile: string | undefined;
  /** The faults of the config file. */
  readonly faults: readonly string[];
}

/**
 * @param onLaunch receives the settings and the log, before anything is opened
 * @throws SettingsError, ModelFileError or ProjectError with all faults of settings and model files
 */
export async function serve(
  { environment, config, configFile, faults }: ServeOptions,
  onLaunch: (launch: Launch) => void,
): Promise<RunningServer> {
  const launch = await checkedLaunch({ ...config, environment }, faults);
  onLaunch(launch);
  if (launch.settings.workers === 1) return serveAlone(launch);
  const { startPrimary } = await import('./primary.ts');
  return startPrimary(launch, { environment: { ...environment }, config: configFile });
}

/** The embedded store opens in its thread while this one loads the code of the server. */
async function serveAlone(launch: Launch): Promise<RunningServer> {
  const { settings, log } = launch;
  const closers: Closers = [];
  const storeUrl = settings.mongodb_url === undefined ? openStore(settings, launch, closers, log) : undefined;
  // a failure is thrown where the URL is awaited, which may be later
  storeUrl?.catch(() => undefined);
  try {
    const { startServer } = await import('../server.ts');
    const server = await startServer({ ...launch, storeUrl }, closers);
    return { ...server, failed: server.failed.then((): FailureCause => 'store') };
  } catch (error) {
    // without this, a server whose packages are missing would leave the thread of the store running
    await closeAll(closers).catch(() => undefined);
    throw error;
  }
}
