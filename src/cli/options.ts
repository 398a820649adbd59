/** The options of a server in the working folder: its settings and its config file. Neither is a reason to load Mongoose. */
import { findConfigFile } from '../settings/config-file.ts';
import { readEnvironment } from '../settings/read.ts';
import { readConfig } from '../start/config-file.ts';
import { checkedLaunch } from '../start/faults.ts';
import type { Launch, ServerOptions } from '../start/launch.ts';
import type { ServeOptions } from '../workers/serve.ts';

/** Settings by their variables, from the flags of a command; they take precedence over the environment. */
export type FlagSettings = Readonly<Record<string, string | undefined>>;

/** The settings and the config of the working folder, with the faults of the config file. */
export async function readProject(flags: FlagSettings): Promise<ServeOptions> {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  const environment = { ...readEnvironment(), ...Object.fromEntries(given) };
  const named = environment['DOSSIER_CONFIG'];
  const configFile = await findConfigFile(named, process.cwd());
  const { config, faults } = configFile === undefined ? { config: {}, faults: [] } : await readConfig(configFile);
  return {
    environment,
    config,
    configFile,
    faults: named ? faults.map((fault) => `DOSSIER_CONFIG: ${fault}`) : faults,
  };
}

/** Commands print sentences for people: of the log, they have lines of errors only. A level that is not valid stays as it is, to be refused. */
function errorsOnly(environment: FlagSettings, { log_level }: Pick<ServerOptions, 'log_level'>): FlagSettings {
  const given = environment['LOG_LEVEL'];
  const level = (given === undefined || given === '' ? log_level : given) ?? 'info';
  return ['warn', 'info', 'debug', 'trace'].includes(level.toLowerCase())
    ? { ...environment, LOG_LEVEL: 'error' }
    : environment;
}

/** What a server in the working folder starts with. @throws SettingsError or ProjectError with all faults */
export async function projectLaunch(flags: FlagSettings, more: Pick<ServerOptions, 'logTarget'> = {}): Promise<Launch> {
  const { environment, config, faults } = await readProject(flags);
  return checkedLaunch({ ...config, ...more, environment: errorsOnly(environment, config) }, faults);
}
