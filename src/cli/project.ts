/** The project in the working folder with its database and models, for the commands that need them. */
import { unopenedConnection } from '../models/connect.ts';
import type { Registry } from '../models/registry.ts';
import type { OperationGroup } from '../operations/operation.ts';
import { closeAll, type Closers } from '../start/closers.ts';
import type { Launch, ServerOptions } from '../start/launch.ts';
import { loadModels } from '../start/models.ts';
import { operationsOf, projectOperations } from '../start/operations.ts';
import { openStorage, type Storage } from '../start/storage.ts';
import { commandLimits, openForReading } from '../transfer/snapshot.ts';
import { type FlagSettings, projectLaunch } from './options.ts';

/** A project whose database is open. */
export interface OpenProject {
  readonly launch: Launch;
  readonly storage: Storage;
  /** Receives what else must be closed after the work; it is closed in reverse. */
  readonly closers: Closers;
}

/** How a command uses the project. */
export interface ProjectUse extends Pick<ServerOptions, 'logTarget'> {
  /** Whether the work writes nothing, so that it may have a copy of the data of a server that runs, and prepares no database. */
  readonly readsOnly?: boolean;
  /** Whether the indexes of the models are not created. */
  readonly keepsIndexes?: boolean;
}

/**
 * Opens the database and the models as a server does, runs the work, and closes them.
 * @param logTarget where the log goes; standard output by default
 * @throws SettingsError and ModelFileError as `createServer` does, and what the work throws
 */
export async function withProject<T>(
  flags: FlagSettings,
  work: (project: OpenProject) => Promise<T>,
  { logTarget, readsOnly = false, keepsIndexes = false }: ProjectUse = {},
): Promise<T> {
  const launched = await projectLaunch(flags, logTarget === undefined ? {} : { logTarget });
  const launch = { ...launched, storeLimits: commandLimits, readsOnly, keepsIndexes };
  const closers: Closers = [];
  try {
    const { settings } = launch;
    const open = (dir: string): Promise<Storage> =>
      openStorage({ ...launch, settings: { ...settings, data_dir: dir } }, closers);
    const storage = await (readsOnly ? openForReading(settings, open, closers) : open(settings.data_dir));
    return await work({ launch, storage, closers });
  } finally {
    await closeAll(closers);
  }
}

/**
 * The models of a project, over a connection that is never opened, and its operations with those of its routes.
 * @throws SettingsError and ModelFileError as `createServer` does
 */
export async function projectModels(
  flags: FlagSettings,
): Promise<{ launch: Launch; registry: Registry; groups: readonly OperationGroup[] }> {
  const launch = await projectLaunch(flags);
  const models = await loadModels(launch, unopenedConnection());
  return { launch, registry: models.registry, groups: operationsOf(launch, await projectOperations(launch, models)) };
}
