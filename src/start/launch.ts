/** What a program that embeds Dossier may give, and what every part of a server starts with: settings, log and clocks. */
import type { DatabaseUse } from '../database.ts';
import { StoreStop } from '../embedded-store.ts';
import { type Log, type LogTarget, makeLog } from '../log.ts';
import { preload } from '../preload.ts';
import { type DossierConfig, faultsOf } from '../settings/config-file.ts';
import { readSettings, SettingsError } from '../settings/read.ts';
import type { Settings } from '../settings/types.ts';
import { unknownSettings } from '../settings/unknown-names.ts';
import type { Shared } from '../shared/contract.ts';
import { ProcessState } from '../shared/process.ts';
import type { Membership } from '../workers/contract.ts';

/** The options of a program that embeds Dossier, besides the settings. */
export interface ServerOptions extends DossierConfig {
  /** Environment variables to read settings from; by default none, so that only the config counts. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The target of log lines; standard output by default. */
  readonly logTarget?: LogTarget;
  readonly clock?: () => Date;
  /** Milliseconds by which short durations are measured, independent of the clock; `performance.now` by default. */
  readonly elapsed?: () => number;
  /** Keeps the embedded store in memory only; its data is lost on close. */
  readonly inMemory?: boolean;
}

export interface Launch extends DatabaseUse {
  readonly settings: Settings;
  /** Sentences about the settings for the log. */
  readonly warnings: readonly string[];
  readonly config: DossierConfig;
  readonly log: Log;
  readonly clock: () => Date;
  readonly elapsed: () => number;
  /** What the processes of the server share. */
  readonly shared: Shared;
  /** Undefined for a server that is one process. */
  readonly membership: Membership | undefined;
  readonly storeStop: StoreStop;
  /** Whether no other process uses the database. */
  readonly isAlone: boolean;
  /** Whether the database is used as it is: no index is created, and nothing is converted. False by default. */
  readonly readsOnly?: boolean;
}

/**
 * @param known faults of the config, which is not checked again then
 * @throws SettingsError with the faults of settings and config
 */
export function launchFrom(options: ServerOptions, membership?: Membership, known: readonly string[] = []): Launch {
  const { environment = {}, logTarget, clock, elapsed, inMemory = false, ...config } = options;
  const faults = [...(preload()?.variableFaults(environment) ?? []), ...(known.length > 0 ? known : faultsOf(config))];
  const settings = checkedSettings(options, faults);
  const now = clock ?? ((): Date => new Date());
  return {
    settings,
    warnings: unknownSettings(environment),
    config,
    log: makeLog(settings.log_level, logTarget, membership?.number),
    clock: now,
    elapsed: elapsed ?? (() => performance.now()),
    inMemory,
    storeUrl: membership?.storeUrl,
    storeStop: new StoreStop(),
    shared: membership?.peers ?? new ProcessState(() => now().getTime()),
    membership,
    isAlone: settings.mongodb_url === undefined && membership === undefined,
  };
}

/** @throws SettingsError with the faults of the settings and those that are given */
function checkedSettings(options: ServerOptions, faults: readonly string[]): Settings {
  try {
    const settings = readSettings(options.environment ?? {}, options);
    if (faults.length === 0) return settings;
  } catch (error) {
    if (error instanceof SettingsError) throw new SettingsError([...error.faults, ...faults]);
    throw error;
  }
  throw new SettingsError(faults);
}
