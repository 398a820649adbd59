/** The errors of a process that no code handles: what receives them, instead of Node, which ends the process at the first one. */

import { exitProcess } from 'dossier-store/exit';

/** The events of `process` that report them. */
type UnhandledEvent = 'unhandledRejection' | 'uncaughtException';

/** @param end ends the process with a failure */
export type Receive = (event: UnhandledEvent, error: unknown, end: () => void) => void;

/** Receives the errors of this process as long as it lives. A server inside of another program leaves them to that. */
export function onUnhandledError(receive: Receive): void {
  // the last lines of the log are written in the next iteration of the event loop
  const end = (): void => void setImmediate(() => void exitProcess(1));
  process.on('unhandledRejection', (error) => receive('unhandledRejection', error, end));
  process.on('uncaughtException', (error) => receive('uncaughtException', error, end));
}
