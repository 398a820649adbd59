/** The process of `dossier`: arguments, output, signals, exit code. */
import { constants } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { exitProcess } from 'dossier-store/exit';
import { runCommand } from './cli/run.ts';
import { exitCodes, printLine, type Terminal } from './cli/terminal.ts';
import { onUnhandledError } from './workers/process-errors.ts';

/** Ends the process. The last lines of the log are written in the next iteration of the event loop. */
const end = (code: number): void => void setImmediate(() => void exitProcess(code));

/** Ends the process of a command that has ended, where timers, connections or servers that the project's files have opened keep it. */
function endIfKept(code: number): void {
  const isWriting = (): boolean => process.stdout.writableLength + process.stderr.writableLength > 0;
  setTimeout(() => (isWriting() ? endIfKept(code) : end(code)), graceMs).unref();
}
const graceMs = 500;

let stop: (() => Promise<number>) | undefined;
let isStopping = false;
/** The exit code of a command whose output is lost. */
let lost: number | undefined;

const terminal: Terminal = {
  input: process.stdin,
  output: process.stdout,
  messages: process.stderr,
  onStop: (given) => (stop = given),
  onUnhandled: onUnhandledError,
  end,
  // read at each garbage collection, in threads too: by default a heap may grow to four times of what is used in it
  saveMemory: () => setFlagsFromString('--heap-growing-percent=30'),
};

/** Ends the process when the command has ended its work; at once when it has none that must be ended. */
function onSignal(signal: NodeJS.Signals): void {
  if (isStopping) return;
  isStopping = true;
  if (stop === undefined) setImmediate(() => endBySignal(signal));
  else void stop().then(end, () => end(1));
}

/** Ends the process as the signal does by default: in the middle of any work, without waiting for threads, as a copy of a store is. */
function endBySignal(signal: NodeJS.Signals): void {
  process.off(signal, onSignal);
  if (process.platform !== 'win32') process.kill(process.pid, signal);
  // the first process of a container ignores such a signal of its own
  end(128 + constants.signals[signal]);
}

/**
 * Standard output cannot be written. For a server it is a log, without which it serves on. For others it is the result: without a
 * reader they end as by SIGPIPE, which Node ignores, and otherwise as failed, so that half a file does not pass for a whole one.
 */
function onLostOutput(error: NodeJS.ErrnoException): void {
  if (stop !== undefined || lost !== undefined) return;
  const hasNoReader = error.code === 'EPIPE';
  if (!hasNoReader) printLine(process.stderr, `error: standard output could not be written: ${error.message}`);
  lost = hasNoReader ? 128 + constants.signals.SIGPIPE : exitCodes.failed;
  end(lost);
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
process.stdout.on('error', onLostOutput);
// there is nowhere left to report it
process.stderr.on('error', () => undefined);
process.on('SIGTERM', onSignal);
process.on('SIGINT', onSignal);
const code = await runCommand(process.argv.slice(2), terminal);
process.exitCode = lost ?? code;
if (code !== 0 || stop === undefined) endIfKept(code);
