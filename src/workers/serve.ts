/** Serves with the settings of the process: in this process, or with several workers. */
import { createServer } from '../server.ts';
import type { DossierConfig } from '../settings/config-file.ts';
import { readSettings } from '../settings/read.ts';
import { type Serving, startPrimary } from './primary.ts';

export type { Serving };

/** How a process is asked to serve. */
export interface ServeOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The config, and the path of its file. */
  readonly config: DossierConfig;
  readonly configFile: string | undefined;
}

/** @throws SettingsError for bad settings; ModelFileError for a bad model file */
export async function serve({ environment, config, configFile }: ServeOptions): Promise<Serving> {
  const settings = readSettings(environment, config);
  if (settings.workers === 1) return createServer({ ...config, environment });
  return startPrimary(settings, { environment: { ...environment }, config: configFile });
}
