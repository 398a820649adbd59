/** The options of a server in the working folder: its settings and its config file. Neither is a reason to load Mongoose. */
import { findConfigFile, loadConfigFile } from '../settings/config-file.ts';
import { blaming, readEnvironment } from '../settings/read.ts';
import type { ServerOptions } from '../start/launch.ts';
import type { ServeOptions } from '../workers/serve.ts';

/** Settings by their variables, from the flags of a command; they take precedence over the environment. */
export type FlagSettings = Readonly<Record<string, string | undefined>>;

/** The settings and the config of the working folder. @throws SettingsError for a bad config file */
export async function readProject(flags: FlagSettings): Promise<ServeOptions> {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  const environment = { ...readEnvironment(), ...Object.fromEntries(given) };
  const named = environment['DOSSIER_CONFIG'];
  const configFile = await findConfigFile(named, process.cwd());
  const loading = configFile === undefined ? Promise.resolve({}) : loaded(configFile);
  const config = await (named ? blaming('DOSSIER_CONFIG', loading) : loading);
  return { environment, config, configFile };
}

async function loaded(configFile: string): ReturnType<typeof loadConfigFile> {
  const { fileLoader } = await import('../models/load.ts');
  return loadConfigFile(configFile, fileLoader());
}

/** The options of a server in the working folder. @throws as `readProject` does */
export async function projectOptions(flags: FlagSettings): Promise<ServerOptions> {
  const { environment, config } = await readProject(flags);
  return { ...config, environment };
}
