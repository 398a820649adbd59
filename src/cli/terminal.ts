/** The process that a command runs in, and what commands write to it. */
import { writeFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import type { Receive } from '../workers/process-errors.ts';

/** A stream of text, which may be a terminal. */
type Output = Writable & { readonly isTTY?: boolean };

export interface Terminal {
  readonly input: Readable;
  /** Standard output: results only, so that a program can read them. */
  readonly output: Output;
  /** Standard error: messages and progress. */
  readonly messages: Output;
  /**
   * Sets how SIGINT and SIGTERM end the command. Without it they end the process at once, as killed by the signal.
   * @param stop ends the command's work and gives the exit code; undefined when a command that has set it has ended its work
   */
  onStop(stop: (() => Promise<number>) | undefined): void;
  /**
   * Sets what receives the errors that no code of the process handles. Without it the first one ends the process. Undefined within
   * another process.
   */
  readonly onUnhandled?: (receive: Receive) => void;
  /** Ends the process, because what a command has started can't go on. Undefined within another process. */
  readonly end?: (code: number) => void;
  /** Prefers little memory to speed, for a command that goes through all documents once. Undefined within another process. */
  readonly saveMemory?: () => void;
}

export const printLine = (output: Writable, line: string): void => void output.write(`${line}\n`);

/** The exit codes besides 0. */
export const exitCodes = { failed: 1, wrongUsage: 2, storeStopped: 3 } as const;

/** The embedded store that a command has served has stopped permanently. The message is the reason. */
export class StoreEnded extends Error {}

/** A command that has done its work and found faults; it has reported them, and only the exit code remains. */
export class FaultsFound extends Error {}

/** @param file standard output when undefined */
export async function writeText({ output }: Terminal, file: string | undefined, text: string): Promise<void> {
  if (file === undefined) output.write(text);
  else await writeFile(file, text);
}

/** @returns such as `1 document` or `2 documents` */
export const countText = (count: number, thing: string, things = `${thing}s`): string =>
  `${count} ${count === 1 ? thing : things}`;
