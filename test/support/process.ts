/** Dossier as a process of its own, from the sources: what it prints, what it listens on, how it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programOf } from './programs.ts';

export interface ServerProcess {
  readonly child: ChildProcess;
  /** Where it listens; empty when it ended before that. */
  readonly url: string;
  /** Everything printed so far, to both outputs. */
  readonly printed: () => string;
  /** Sends the signal and waits for the end. @returns the exit code; null after a signal that kills */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
  /** The exit code, once it has ended. */
  readonly ended: Promise<number | null>;
}

/** Another program than the one of this repository, and the folder to run it in. */
export interface OtherProgram {
  readonly program: string;
  readonly args?: readonly string[];
  readonly folder: string;
}

/** On a loaded machine requests wait: a test about shedding sets its limit. */
const usual = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', SHED_AFTER_MS: '60000', SLOW_MS: '60000' } as const;

/** @param environment all its variables, besides PATH and the usual ones; @param flags of node, in front of the program */
export async function startProcess(
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
  other?: OtherProgram,
): Promise<ServerProcess> {
  const { program = programOf('src/main.ts'), args = [], folder = '.' } = other ?? {};
  const child = spawn(process.execPath, [...flags, program, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...usual, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  let printed = '';
  child.stderr.on('data', (piece: Buffer) => (printed += piece.toString()));
  const listens = new Promise<string>((found) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      printed += `${line}\n`;
      const url = /listens on (\S+)/.exec(line)?.[1];
      if (url !== undefined) found(url);
    });
  });
  const url = await Promise.race([listens, ended.then(() => '')]);
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    return ended;
  };
  return { child, url, printed: () => printed, stop, ended };
}
