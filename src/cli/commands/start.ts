/** `dossier start`: serves the models of a folder. */
import type { Command } from 'commander';
import { exitCodes, printLine, type Terminal } from '../terminal.ts';
import { modelsFlag, portFlag } from './flags.ts';

interface Flags {
  readonly port?: string;
  readonly models?: string;
  readonly workers?: string;
}

export const startCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('start')
    .description('Starts the server; the default command')
    .option(...portFlag)
    .option(...modelsFlag)
    .option('--workers <number>', 'number of processes, as the setting WORKERS')
    .action((flags: Flags) => start(flags, terminal));

async function start({ port, models, workers }: Flags, terminal: Terminal): Promise<void> {
  let close = (): Promise<void> => Promise.resolve();
  // a signal before the server listens ends the process: there is nothing to finish
  terminal.onStop(() => close().then(() => 0));
  const [{ serve }, { UnhandledErrors }, { readProject }] = await Promise.all([
    import('../../workers/serve.ts'),
    import('../../workers/unhandled-errors.ts'),
    import('../options.ts'),
  ]);
  const unhandled = new UnhandledErrors();
  terminal.onUnhandled?.(unhandled.receive);
  const project = await readProject({ PORT: port, MODELS_DIR: models, WORKERS: workers });
  const server = await serve(project, (launch) => unhandled.logTo(launch));
  close = () => server.close();
  void server.failed.then((why) => {
    const end = (): void => terminal.end?.(why === 'store' ? exitCodes.storeStopped : exitCodes.failed);
    void server.close().then(end, end);
  });
  // one write, so that the lines arrive together
  printLine(terminal.output, server.banner.join('\n'));
}
