/** `dossier-store`, or another program of the sources, as a process: what it prints and how it ends. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { programOf } from '../../../../test/support/programs.ts';

/** A process that was started. */
export interface CommandProcess {
  readonly child: ChildProcess;
  /** The address that was printed; empty when it ended before that. */
  readonly url: string;
  /** Everything printed so far, to both outputs. */
  readonly printed: () => string;
  /** The exit code, once it has ended; null after a signal that kills. */
  readonly ended: Promise<number | null>;
}

/** What is started, and how. */
interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** What it prints when it listens; the first group is its address. */
  readonly ready: RegExp;
  /** No file may grow beyond so many blocks of 512 bytes: writing fails as on a full disk. */
  readonly blocks?: number | undefined;
}

/** Starts the command and waits until it listens or has ended. */
export const startCommand = (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  blocks?: number,
): Promise<CommandProcess> =>
  startProgram({ file: 'packages/store/src/command.ts', args, environment, ready: /^MONGODB_URL=(\S+)\n/m, blocks });

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
