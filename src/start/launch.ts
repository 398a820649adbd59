/** What a program that embeds Dossier may give, and what every part of a server starts with: settings, log and clocks. */
import { StoreStop } from '../database/embedded-store.ts';
import type { DatabaseUse } from '../database/open-database.ts';
import type { Feature } from '../features/feature.ts';
import { preload } from '../models/preload.ts';
import { type Log, type LogTarget, makeLog } from '../ports/log.ts';
import { configTables, type DossierConfig, faultsOf } from '../settings/config-file.ts';
import { readSettings, SettingsError } from '../settings/read.ts';
import type { FeatureConfig, SettingRow } from '../settings/row.ts';
import { featureConfigs, settingRows, settingRowsWith } from '../settings/table.ts';
import type { Settings } from '../settings/types.ts';
import { idleSettings, unknownSettings } from '../settings/unknown-names.ts';
import type { Membership } from '../workers/contract.ts';
import { type Place, placeOf } from './place.ts';
import { pluginFeatures } from './plugin-features.ts';

/** The options of a program that embeds Dossier, besides the settings. */
export interface ServerOptions extends DossierConfig {
  /** Environment variables to read settings from; by default none, so that only the config counts. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The target of log lines; standard output by default. */
  readonly logTarget?: LogTarget;
  readonly clock?: () => Date;
  /** Milliseconds by which short durations are measured, independent of the clock; `performance.now` by default. */
  readonly elapsed?: () => number;
  /** The path of a config file, relative to the working folder; these options take precedence over its keys. By default none is read. */
  readonly configFile?: string;
  /** Keeps the embedded store in memory only; its data is lost on close. */
  readonly inMemory?: boolean;
}

/** The features of a server, besides the list of all, which is loaded later. */
interface LaunchFeatures {
  /** In place of the list, in tests. */
  readonly base?: readonly Feature[] | undefined;
  /** Those of plug-ins. */
  readonly added?: readonly Feature[];
}

export interface Launch extends DatabaseUse {
  readonly settings: Settings;
  /** Sentences about the settings for the log. */
  readonly warnings: readonly string[];
  readonly config: DossierConfig;
  readonly log: Log;
  readonly clock: () => Date;
  readonly elapsed: () => number;
  readonly place: Place;
  readonly storeStop: StoreStop;
  /** Whether the database is used as it is: no index is created, and nothing is converted. False by default. */
  readonly readsOnly?: boolean;
  /** Whether the indexes stay as they are, so that one which is not as its model declares it can be dropped. */
  readonly keepsIndexes?: boolean;
  /** Where they are not those of the list alone. */
  readonly features?: LaunchFeatures | undefined;
}

/** What else decides how a server starts. */
export interface LaunchUse {
  /** For one of several workers. */
  readonly membership?: Membership | undefined;
  /** The faults of the config, which is not checked again then. */
  readonly faults?: readonly string[];
  readonly features?: readonly Feature[] | undefined;
}

/** @throws SettingsError with the faults of settings and config */
export function launchFrom(options: ServerOptions, use: LaunchUse = {}): Launch {
  const { membership, features: base, faults: known = [] } = use;
  const { environment = {}, logTarget, clock, elapsed, inMemory = false, ...config } = options;
  const { features: added, faults: featureFaults } = pluginFeatures(config);
  const features = base === undefined && added.length === 0 ? undefined : { base, added };
  const faults = [
    ...(preload()?.variableFaults(environment) ?? []),
    ...(known.length > 0 ? known : configFaults(config, features)),
    ...featureFaults,
  ];
  const settings = checkedSettings(options, faults, features);
  const place = placeOf(settings, clock, membership);
  return {
    settings,
    warnings: [...unknownSettings(environment, rowsFor(features)), ...idleSettings(settings)],
    config: withPlugins(config),
    log: makeLog(settings.log_level, logTarget, place.number),
    clock: clock ?? ((): Date => new Date()),
    elapsed: elapsed ?? (() => performance.now()),
    inMemory,
    storeUrl: place.storeUrl,
    storeStop: new StoreStop(),
    place,
    features,
  };
}

const configsOf = ({ base, added = [] }: LaunchFeatures): readonly FeatureConfig[] => [
  ...(base === undefined ? featureConfigs : base.map(({ config = {} }) => config)),
  ...added.map(({ config = {} }) => config),
];

const configFaults = (config: DossierConfig, features: Launch['features']): readonly string[] =>
  features?.base === undefined ? faultsOf(config) : faultsOf(config, configTables(configsOf(features)));

const rowsFor = (features: Launch['features']): readonly SettingRow[] =>
  features === undefined ? settingRows : settingRowsWith(configsOf(features));

/** @throws SettingsError with the faults of the settings and those that are given */
function checkedSettings(options: ServerOptions, faults: readonly string[], features: Launch['features']): Settings {
  try {
    const settings = readSettings(options.environment ?? {}, options, rowsFor(features));
    if (faults.length === 0) return settings;
  } catch (error) {
    if (error instanceof SettingsError) throw new SettingsError([...error.faults, ...faults]);
    throw error;
  }
  throw new SettingsError(faults);
}

type Hooks = Readonly<Record<string, unknown>>;

/** The config with what its plug-ins bring. Hooks and reactions run in the order of the list, and those of the config last. */
function withPlugins(config: DossierConfig): DossierConfig {
  const { plugins = [] } = config;
  if (plugins.length === 0) return config;
  const parts: readonly Pick<DossierConfig, 'pre_hooks' | 'post_hooks' | 'changed' | 'schedules' | 'mails'>[] = [
    ...plugins,
    config,
  ];
  return {
    ...config,
    pre_hooks: joined(parts.map((part) => part.pre_hooks)) as NonNullable<DossierConfig['pre_hooks']>,
    post_hooks: joined(parts.map((part) => part.post_hooks)) as NonNullable<DossierConfig['post_hooks']>,
    changed: joined(parts.map((part) => part.changed)) as NonNullable<DossierConfig['changed']>,
    schedules: Object.assign({}, ...parts.map(({ schedules }) => schedules)) as NonNullable<DossierConfig['schedules']>,
    ...(parts.every(({ mails }) => mails === undefined)
      ? {}
      : { mails: Object.assign({}, ...parts.map(({ mails }) => mails)) as NonNullable<DossierConfig['mails']> }),
  };
}

/** The hooks of each name in one list. */
function joined(all: readonly (Hooks | undefined)[]): Hooks {
  const lists = new Map<string, unknown[]>();
  for (const hooks of all)
    for (const [name, given] of Object.entries(hooks ?? {}))
      lists.set(name, [...(lists.get(name) ?? []), given].flat());
  return Object.fromEntries(lists);
}
