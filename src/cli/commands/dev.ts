/** `dossier dev`: serves, and starts again when a model, a route, the config file or `.env` changes. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { programOf } from 'dossier-store/worker';
import { printLine, type Terminal } from '../terminal.ts';
import { modelsFlag, portFlag } from './flags.ts';

interface Flags {
  readonly port?: string;
  readonly models?: string;
}

export const devCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('dev')
    .description('Starts the server, and starts it again when a model, a route, the config file or .env changes')
    .option(...portFlag)
    .option(...modelsFlag)
    .action((flags: Flags) => serveAgain(flags, terminal));

/** Starts the first server and watches until a signal. */
async function serveAgain({ port, models }: Flags, terminal: Terminal): Promise<void> {
  const [{ watch }, { readEnvironment }, { configNames }] = await Promise.all([
    import('chokidar'),
    import('../../settings/read.ts'),
    import('../../settings/config-file.ts'),
  ]);
  const { MODELS_DIR, ROUTES_DIR = './routes', DOSSIER_CONFIG } = readEnvironment();
  const watched = [models ?? MODELS_DIR ?? './models', ROUTES_DIR, '.env', DOSSIER_CONFIG ?? '', ...configNames];
  const watcher = watch(
    watched.filter((path) => path !== '').map((path) => resolve(path)),
    // an editor may write a file in several steps
    { ignoreInitial: true, awaitWriteFinish: { stabilityThreshold: 100, pollInterval: 20 } },
  );
  const given = { '--port': port, '--models': models };
  const args = Object.entries(given).flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
  const server = new RestartedServer(['start', ...args]);
  terminal.onStop(async () => {
    await watcher.close();
    await server.stop();
    return 0;
  });
  watcher.on('all', (_event, path) => {
    printLine(terminal.messages, `Restarting: ${relative('.', path)} has changed`);
    void server.restart();
  });
  const failures = new Set<string>();
  watcher.on('error', (error) => {
    const message = error instanceof Error ? error.message : String(error);
    if (!failures.has(message)) printLine(terminal.messages, `Not watched: ${message}`);
    failures.add(message);
  });
  // not by once(), which the first error would end
  await new Promise<void>((resolveReady) => watcher.on('ready', resolveReady));
  server.start();
}

/** A server in a process of its own, since modules cannot be loaded again within one. */
class RestartedServer {
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  #restarting = false;
  #stopped = false;

  constructor(args: readonly string[]) {
    this.#args = args;
  }

  start(): void {
    this.#child = fork(program, this.#args, { execArgv: [...process.execArgv, '--import', parentWatch] });
  }

  /** Changes while a server stops cause no further restart. */
  async restart(): Promise<void> {
    if (this.#restarting) return;
    this.#restarting = true;
    await this.#end();
    this.#restarting = false;
    if (!this.#stopped) this.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#end();
  }

  /** A server whose thread is busy with a file of the project, such as an endless loop, is deaf to the first signal. */
  async #end(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill();
    const late = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await ended;
    clearTimeout(late);
  }
}

const graceMs = 5000;
const program = fileURLToPath(programOf('main', import.meta.url));
const parentWatch = programOf('parent-watch', import.meta.url).href;
