/** Reads the config file of a project: for the command, and for programs that name one. Loading it is not a reason to load Mongoose before. */
import { resolve } from 'node:path';
import { type ReadConfig, readConfigFile } from '../settings/config-file.ts';
import { SettingsError } from '../settings/read.ts';
import type { ServerOptions } from './launch.ts';

/** Loads a config file, in TypeScript or JavaScript, by its absolute path. */
export async function readConfig(file: string): Promise<ReadConfig> {
  const [{ defaultLoader }, { projectImports }] = await Promise.all([
    import('../models/author/file-loader.ts'),
    import('./project-imports.ts'),
  ]);
  return readConfigFile(file, defaultLoader(projectImports));
}

/**
 * The options with those of the config file that they name, over which they take precedence, key by key.
 * @returns the options, and the faults of the file
 * @throws SettingsError when `configFile` is not a path
 */
export async function withConfigFile({
  configFile,
  ...options
}: ServerOptions): Promise<{ readonly options: ServerOptions; readonly faults: readonly string[] }> {
  if (configFile === undefined) return { options, faults: [] };
  if (typeof configFile !== 'string' || configFile === '')
    throw new SettingsError([
      `configFile: must be a path such as ./dossier.config.ts, got ${JSON.stringify(configFile)}`,
    ]);
  const { config, faults } = await readConfig(resolve(configFile));
  return { options: { ...config, ...options }, faults };
}
