/** The process of `dossier-store`: signals and exit codes. */
import { exitCodeOf, exitCodes, runStore, UsageError } from './command.ts';
import { exitProcess } from './exit.ts';

let stop = (): Promise<void> => Promise.resolve();
const end = (): void =>
  void stop().then(
    () => exitProcess(0),
    () => exitProcess(exitCodes.failed),
  );
process.on('SIGTERM', end);
process.on('SIGINT', end);

const printError = (line: string): void => void process.stderr.write(`${line}\n`);

runStore(process.argv.slice(2), {
  environment: process.env,
  print: (line) => void process.stdout.write(`${line}\n`),
  printError,
  onStop: (given) => (stop = given),
}).catch((error: unknown) => {
  printError(error instanceof Error ? error.message : String(error));
  if (error instanceof UsageError) printError('`--help` lists the flags.');
  void exitProcess(exitCodeOf(error));
});
