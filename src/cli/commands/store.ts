/** `dossier store`: serves the embedded store to other programs on this machine, as `dossier-store` does. */
import type { Command } from 'commander';
import { printLine, StoreEnded, type Terminal } from '../terminal.ts';
import { portFlag } from './flags.ts';

export const storeCommand = (program: Command, terminal: Terminal): Command => {
  const command = program
    .command('store')
    .description('Serves the embedded store to other programs on this machine')
    .option(portFlag[0], 'the port; 0 selects a free one (default: 27017)')
    .option('--data <folder>', 'the folder of the data (default: ./data)')
    .option('--host <address>', '127.0.0.1 or ::1 (default: both)')
    .option('--user <name>', 'the user, also DOSSIER_STORE_USER (default: dossier)')
    .option('--password <text>', 'a new password, also DOSSIER_STORE_PASSWORD; the first start generates one')
    .option('--max-bytes <size>', 'maximum size of all documents, such as 20gb (default: 0, as the disk allows)')
    .option('--history-hours <number>', 'hours for which changes are kept for change streams (default: 24)')
    .option('--history-bytes <size>', 'maximum size of these changes (default: 1gb)');
  return command.action((flags: Readonly<Record<string, string>>) => serve(flags, command, terminal));
};

async function serve(flags: Readonly<Record<string, string>>, command: Command, terminal: Terminal): Promise<void> {
  const { runStore, StoreStopped, UsageError } = await import('dossier-store/command');
  const { readEnvironment } = await import('../../settings/read.ts');
  const args = command.options.flatMap((option) => {
    const value = flags[option.attributeName()];
    return value === undefined ? [] : [`${option.long ?? ''}=${value}`];
  });
  try {
    await runStore(args, {
      environment: readEnvironment(),
      print: (line) => printLine(terminal.output, line),
      printError: (line) => printLine(terminal.messages, line),
      onStop: (stop) => terminal.onStop(() => stop().then(() => 0)),
    });
  } catch (error) {
    if (error instanceof UsageError) command.error(`error: ${error.message}`);
    throw error instanceof StoreStopped ? new StoreEnded(error.message, { cause: error }) : error;
  }
}
