/** The process: settings, server, signals, exit code. */
import { ModelFileError } from './models/files.ts';
import { fileLoader } from './models/load.ts';
import { findConfigFile, loadConfigFile } from './settings/config-file.ts';
import { blaming, readEnvironment, SettingsError } from './settings/read.ts';
import { serve, type Serving } from './workers/serve.ts';

async function start(): Promise<Serving> {
  const environment = readEnvironment();
  const named = environment['DOSSIER_CONFIG'];
  const file = await findConfigFile(named, process.cwd());
  const loading = file === undefined ? Promise.resolve({}) : loadConfigFile(file, fileLoader());
  const config = await (named ? blaming('DOSSIER_CONFIG', loading) : loading);
  return serve({ environment, config, configFile: file });
}

/** The message of a failed start. Errors of the operator have no stack. */
function messageOf(error: unknown): string {
  if (error instanceof SettingsError) return error.faults.map((fault) => `Setting ${fault}`).join('\n');
  if (error instanceof ModelFileError) return `Model file ${error.message}`;
  return error instanceof Error ? `Dossier cannot start: ${error.message}` : String(error);
}

let server: Serving | undefined;
let stopping = false;
/** Stops before the server listens, when there is nothing to finish. */
function stop(): void {
  if (stopping) return;
  stopping = true;
  // the last lines of the log are written in the next iteration of the event loop
  const end = (code: number) => (): void => void setImmediate(() => process.exit(code));
  void Promise.resolve(server?.close()).then(end(0), end(1));
}

try {
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  server = await start();
  process.stdout.write(`${server.banner.join('\n')}\n`);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
