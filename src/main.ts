/** The process: settings, server, signals, exit code. */
import { ModelFileError } from './models/files.ts';
import { fileLoader } from './models/load.ts';
import { createServer, type DossierServer } from './server.ts';
import { findConfigFile, loadConfigFile } from './settings/config-file.ts';
import { blaming, readEnvironment, SettingsError } from './settings/read.ts';

async function start(): Promise<DossierServer> {
  const environment = readEnvironment();
  const named = environment['DOSSIER_CONFIG'];
  const file = await findConfigFile(named, process.cwd());
  const loading = file === undefined ? Promise.resolve({}) : loadConfigFile(file, fileLoader());
  const config = await (named ? blaming('DOSSIER_CONFIG', loading) : loading);
  return createServer({ ...config, environment });
}

/** What stopped the start, in words; faults of the operator without a stack. */
function told(error: unknown): string {
  if (error instanceof SettingsError) return error.faults.map((fault) => `Setting ${fault}`).join('\n');
  if (error instanceof ModelFileError) return `Model file ${error.message}`;
  return error instanceof Error ? `Dossier cannot start: ${error.message}` : String(error);
}

let server: DossierServer | undefined;
let stopping = false;
/** Before it listens there is nothing to finish. */
function stop(): void {
  if (stopping) return;
  stopping = true;
  // the last lines of the log are written in a turn of their own
  const end = (code: number) => (): void => void setImmediate(() => process.exit(code));
  void Promise.resolve(server?.close()).then(end(0), end(1));
}

try {
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  server = await start();
  process.stdout.write(`${server.banner.join('\n')}\n`);
} catch (error) {
  process.stderr.write(`${told(error)}\n`);
  process.exitCode = 1;
}
