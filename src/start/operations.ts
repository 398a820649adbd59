/** The operations of a server: those of the core and of its features. */
import { features } from '../features/index.ts';
import { operationGroupsWith } from '../operations/index.ts';
import type { OperationGroup } from '../operations/operation.ts';
import { interceptorsOf } from '../operations/source.ts';
import { SettingsError } from '../settings/read.ts';
import { settingRows, settingRowsWith } from '../settings/table.ts';
import { operationClashes } from './feature-clashes.ts';
import { featuresOf } from './features.ts';
import type { Launch } from './launch.ts';
import type { LoadedModels } from './models.ts';

export const operationGroups: readonly OperationGroup[] = operationGroupsWith(features, settingRows);
/** The interceptors of the features in the list. */
export const interceptors = interceptorsOf(features);

/**
 * @param project those that the project's own files add
 * @returns those of other features, where the server starts with others than the list has
 */
export function operationsOf(
  { features: own }: Pick<Launch, 'features'>,
  project: readonly OperationGroup[] = [],
): readonly OperationGroup[] {
  if (own === undefined && project.length === 0) return operationGroups;
  const sources = featuresOf({ features: own });
  const rows = own === undefined ? settingRows : settingRowsWith(sources.map(({ config = {} }) => config));
  return operationGroupsWith([...sources, { operations: project }], rows);
}

/**
 * The operations that the files of a project add, after which all of them are loaded. Nothing is written, and no database is needed.
 * @throws SettingsError
 */
export async function projectOperations(
  launch: Pick<Launch, 'settings' | 'config' | 'features'>,
  models: Omit<LoadedModels, 'warnings'>,
): Promise<readonly OperationGroup[]> {
  const { settings, config } = launch;
  const groups = operationsOf(launch);
  const clashes = launch.features === undefined ? [] : operationClashes(groups);
  if (clashes.length > 0) throw new SettingsError(clashes);
  const added = featuresOf(launch).map(async ({ ofProject }) => ofProject?.({ settings, config, groups, ...models }));
  const operations = (await Promise.all(added)).flatMap((found = []) => found);
  for (const timer of models.load.timers()) models.warn(timer);
  return operations;
}
