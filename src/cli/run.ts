/** Runs a command line: the default command, error messages and exit codes. */
import { type Command, CommanderError } from 'commander';
import { makeProgram } from './program.ts';
import { exitCodes, FaultsFound, printLine, StoreEnded, type Terminal } from './terminal.ts';

/** @returns the exit code; 0 also for a server that has started and keeps running */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  let running: Command | undefined;
  const program = makeProgram(terminal).hook('preAction', (_program, command) => {
    running = command;
  });
  try {
    await program.parseAsync(withDefault(args), { from: 'user' });
    return 0;
  } catch (error) {
    // the parser has printed its message
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.wrongUsage;
    if (error instanceof FaultsFound) return exitCodes.failed;
    // loaded only here, since it needs the settings: help and versions are printed at once
    const [{ messageOf }, { insteadOf }] = await Promise.all([import('./message.ts'), import('./beside-server.ts')]);
    printLine(terminal.messages, messageOf(error));
    const instead = insteadOf(running, error);
    if (instead !== undefined) printLine(terminal.messages, instead);
    if (!(error instanceof StoreEnded)) return exitCodes.failed;
    // what could not be closed would keep the process
    terminal.end?.(exitCodes.storeStopped);
    return exitCodes.storeStopped;
  }
}

const ofProgram = ['-h', '--help', '-V', '--version'];

/** Adds the default command to a command line without one. */
function withDefault(args: readonly string[]): readonly string[] {
  const [first] = args;
  const isNamed = first !== undefined && (!first.startsWith('-') || ofProgram.includes(first));
  return isNamed ? args : ['start', ...args];
}
