/** Runs `dossier-store`, or another program of the sources, as a process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { programOf } from '../../../../test/support/programs.ts';

/** A started process. */
export interface CommandProcess {
  readonly child: ChildProcess;
  /** The printed address; empty if the process ended before. */
  readonly url: string;
  /** The output so far, of both streams. */
  readonly printed: () => string;
  /** The exit code after the end; null after a killing signal. */
  readonly ended: Promise<number | null>;
}

/** The program and its options. */
interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Matches the output of a listening program; the first group is its address. */
  readonly ready: RegExp;
  /** Limits every file to this number of 512-byte blocks: further writes fail as on a full disk. */
  readonly blocks?: number | undefined;
}

/** Starts the command and waits until it listens or has ended. */
export const startCommand = (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  blocks?: number,
): Promise<CommandProcess> =>
  startProgram({ file: 'packages/store/src/cli.ts', args, environment, ready: /^MONGODB_URL=(\S+)\n/m, blocks });

/** Starts a program of the sources and waits until it listens or has ended. */
export async function startProgram({ file, args, environment, ready, blocks }: Program): Promise<CommandProcess> {
  const limit = `ulimit -f ${blocks ?? 0}; exec "$@"`;
  const [first = '', ...rest] = [
    ...(blocks === undefined ? [] : ['/bin/sh', '-c', limit, 'sh']),
    process.execPath,
    programOf(file),
    ...args,
  ];
  const child = spawn(first, rest, {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  let printed = '';
  child.stderr.on('data', (piece: Buffer) => (printed += piece.toString()));
  const listens = new Promise<string>((found) => {
    child.stdout.on('data', (piece: Buffer) => {
      printed += piece.toString();
      const url = ready.exec(printed)?.[1];
      if (url !== undefined) found(url);
    });
  });
  const url = await Promise.race([listens, ended.then(() => '')]);
  return { child, url, printed: () => printed, ended };
}
