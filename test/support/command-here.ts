/** Runs `dossier` in this process, in a working folder of its own and on an embedded store, because a process takes seconds to start. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommand } from '../../src/cli/run.ts';
import type { Run } from './command.ts';

/** @param environment further variables; those of the test run do not count */
export async function runHere(
  folder: string,
  args: readonly string[],
  { input = '', environment = {} }: { input?: string; environment?: Readonly<Record<string, string>> } = {},
): Promise<Run> {
  const [output, messages] = [new PassThrough(), new PassThrough()];
  const [home, env] = [process.cwd(), process.env];
  process.chdir(folder);
  // a loaded machine has slow reads, which are logged
  process.env = { PATH: env['PATH'], LOG_LEVEL: 'warn', BCRYPT_COST: '4', SLOW_MS: '60000', ...environment };
  try {
    const stdin = new PassThrough();
    stdin.end(input);
    const read = Promise.all([text(output), text(messages)]);
    const code = await runCommand(args, { input: stdin, output, messages, onStop: () => undefined });
    output.end();
    messages.end();
    const [printed, said] = await read;
    return { code, output: printed, messages: said };
  } finally {
    process.chdir(home);
    process.env = env;
  }
}
