/** The command `dossier`: its subcommands, and what holds for all of them. */
import { Command } from 'commander';
import { packageVersion } from '../adapters/package-root.ts';
import { jobsCommand, schedulesCommand, webhooksCommand } from './commands/background.ts';
import { backupCommand, restoreCommand } from './commands/backup.ts';
import { checkCommand } from './commands/check.ts';
import { copyCommand } from './commands/copy.ts';
import { devCommand } from './commands/dev.ts';
import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import { indexesCommand } from './commands/indexes.ts';
import { initCommand } from './commands/init.ts';
import { mcpCommand } from './commands/mcp.ts';
import { openapiCommand } from './commands/openapi.ts';
import { purgeCommand } from './commands/purge.ts';
import { startCommand } from './commands/start.ts';
import { storeCommand } from './commands/store.ts';
import { typesCommand } from './commands/types.ts';
import { userCommand } from './commands/user.ts';
import type { Terminal } from './terminal.ts';

/** Adds a subcommand. Its code, besides the flags, is loaded when it runs. */
type AddCommand = (program: Command, terminal: Terminal) => Command;

/** The subcommands, in the order of the help. */
const subcommands: readonly AddCommand[] = [
  startCommand,
  devCommand,
  checkCommand,
  initCommand,
  openapiCommand,
  typesCommand,
  importCommand,
  exportCommand,
  backupCommand,
  restoreCommand,
  copyCommand,
  purgeCommand,
  indexesCommand,
  schedulesCommand,
  jobsCommand,
  webhooksCommand,
  userCommand,
  storeCommand,
  mcpCommand,
];

/** @returns the command, whose parser throws a `CommanderError` where it would end the process */
export function makeProgram(terminal: Terminal): Command {
  const program = new Command('dossier')
    .description('A REST API over MongoDB from a folder of Mongoose schemas. Without a command it starts the server.')
    .exitOverride()
    .hook('preAction', (_program, command) => refuseEmpty(command))
    .configureOutput({
      writeOut: (text) => void terminal.output.write(text),
      writeErr: (text) => void terminal.messages.write(text),
    });
  for (const add of subcommands) add(program, terminal);
  addVersion(program, packageVersion());
  return program;
}

/** An empty value is a variable of a shell that is not set: `--out "$FOLDER"`. @throws CommanderError */
function refuseEmpty(command: Command): void {
  const refuse = (what: string): never => command.error(`error: ${what} is empty`, { exitCode: 2 });
  command.registeredArguments.forEach((argument, at) => {
    if (hasEmpty(command.processedArgs[at])) refuse(`argument '${argument.name()}'`);
  });
  for (const option of command.options) {
    const name = option.attributeName();
    const isGiven = command.getOptionValueSource(name) === 'cli';
    if (isGiven && hasEmpty(command.getOptionValue(name))) refuse(`option '${option.flags}'`);
  }
}

const hasEmpty = (given: unknown): boolean => given === '' || (Array.isArray(given) && given.includes(''));

function addVersion(command: Command, version: string): void {
  command.version(version, '-V, --version', 'print the version');
  for (const subcommand of command.commands) addVersion(subcommand, version);
}
