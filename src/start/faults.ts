/** The faults that stop a start: those of settings, of the config file and of all model files, as one list. */
import { ModelFileError } from '../models/loading/files.ts';
import { readDespiteFaults, SettingsError } from '../settings/read.ts';
import { type Launch, launchFrom, type ServerOptions } from './launch.ts';

/** Sentences by what has the faults: a variable or the config file, and a model file. */
export interface ProjectFaults {
  readonly settings: readonly string[];
  readonly models: readonly string[];
}

/** Faults of settings and of model files together. `errors` has a SettingsError and a ModelFileError. */
export class ProjectError extends AggregateError {
  constructor({ settings, models }: ProjectFaults, cause?: unknown) {
    super([new SettingsError(settings), new ModelFileError(models)], [...settings, ...models].join('\n'), { cause });
    this.name = 'ProjectError';
  }
}

/** The error for faults, at least one: a SettingsError, a ModelFileError, or both as a ProjectError. */
export function projectError(faults: ProjectFaults): Error {
  if (faults.models.length === 0) return new SettingsError(faults.settings);
  return faults.settings.length === 0 ? new ModelFileError(faults.models) : new ProjectError(faults);
}

/** The faults of an error that `projectError` makes; undefined for others. */
export function projectFaults(error: unknown): ProjectFaults | undefined {
  if (error instanceof SettingsError) return { settings: error.faults, models: [] };
  if (error instanceof ModelFileError) return { settings: [], models: error.faults };
  if (!(error instanceof ProjectError)) return undefined;
  const parts = error.errors.map(projectFaults);
  return {
    settings: parts.flatMap((part) => part?.settings ?? []),
    models: parts.flatMap((part) => part?.models ?? []),
  };
}

/** Adds the faults of all model files to an error about settings, for which the models were not loaded. Other errors stay as they are. */
export async function withModelFaults(
  error: unknown,
  launch: Pick<Launch, 'settings' | 'config' | 'clock'>,
): Promise<unknown> {
  if (!(error instanceof SettingsError)) return error;
  const [{ openModels }, { unopenedConnection }] = await Promise.all([
    import('./models.ts'),
    import('../models/connect.ts'),
  ]);
  const models = await openModels(launch, unopenedConnection()).then(
    () => [],
    (fault: unknown) => (fault instanceof ModelFileError ? fault.faults : []),
  );
  return models.length === 0 ? error : new ProjectError({ settings: error.faults, models }, error);
}

/**
 * As `launchFrom`, with all faults.
 * @param faults those of the config file, if it has any
 * @throws SettingsError, or ProjectError where model files have faults too
 */
export async function checkedLaunch(options: ServerOptions, faults: readonly string[] = []): Promise<Launch> {
  try {
    return launchFrom(options, { faults });
  } catch (error) {
    const { environment = {}, clock = (): Date => new Date() } = options;
    throw await withModelFaults(error, {
      settings: readDespiteFaults(environment, options),
      config: {},
      clock,
    });
  }
}
