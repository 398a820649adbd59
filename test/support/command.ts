/** The command `dossier` as a process that ends: what it prints, and its exit code. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';

export interface Run {
  readonly code: number | null;
  /** Standard output. */
  readonly output: string;
  /** Standard error. */
  readonly messages: string;
}

export interface RunOptions {
  /** The working folder; the repository by default. */
  readonly folder?: string;
  /** All variables of the environment, besides PATH. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Standard input; none by default. */
  readonly input?: string;
}

/** Runs `dossier` with arguments to its end. */
export async function runDossier(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { folder, environment = {}, input = '' } = options;
  const child = spawn(process.execPath, [resolve('bin/dossier.mjs'), ...args], {
    ...(folder === undefined ? {} : { cwd: folder }),
    // a loaded machine has slow reads, which are logged
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', SLOW_MS: '60000', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  const [output, messages, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, output, messages };
}
