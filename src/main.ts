/** The process of `dossier`: arguments, output, signals, exit code. */
import { constants } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runCommand } from './cli/run.ts';
import type { Terminal } from './cli/terminal.ts';
import { onUnhandled } from './workers/process-errors.ts';

/** Ends the process. The last lines of the log are written in the next iteration of the event loop. */
const end = (code: number): void => void setImmediate(() => process.exit(code));

/** Ends the process of a command that has ended, where timers, connections or servers that the project's files have opened keep it. */
function endIfKept(code: number): void {
  const isWriting = (): boolean => process.stdout.writableLength + process.stderr.writableLength > 0;
  setTimeout(() => (isWriting() ? endIfKept(code) : process.exit(code)), graceMs).unref();
}
const graceMs = 500;

let stop: (() => Promise<number>) | undefined;
let isStopping = false;

const terminal: Terminal = {
  input: process.stdin,
  output: process.stdout,
  messages: process.stderr,
  onStop: (given) => (stop = given),
  onUnhandled,
  end,
  // read at each garbage collection, in threads too: by default a heap may grow to four times of what is used in it
  saveMemory: () => setFlagsFromString('--heap-growing-percent=30'),
};

/** Ends the process when the command has ended its work; at once when it has none that must be ended. */
function onSignal(signal: NodeJS.Signals): void {
  if (isStopping) return;
  isStopping = true;
  const killed = 128 + constants.signals[signal];
  void Promise.resolve(stop?.() ?? killed).then(end, () => end(1));
}

/**
 * The end of the shell in which npm has started the process counts as a signal: npm sends signals to that shell alone, and a shell such
 * as dash ends without sending them on.
 */
function followShell(): void {
  const shell = process.ppid;
  const isAlive = (): boolean => process.ppid === shell;
  setInterval(() => void (isAlive() || onSignal('SIGTERM')), shellCheckMs).unref();
}
const shellCheckMs = 250;

if (process.env['npm_lifecycle_event'] !== undefined) followShell();
process.on('SIGTERM', onSignal);
process.on('SIGINT', onSignal);
const code = await runCommand(process.argv.slice(2), terminal);
process.exitCode = code;
if (code !== 0 || stop === undefined) endIfKept(code);
