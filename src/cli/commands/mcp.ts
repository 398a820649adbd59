/** `dossier mcp`: the Model Context Protocol over standard input and output, for programs that start a server as a process. */
import { type Command, Option } from 'commander';
import type { Terminal } from '../terminal.ts';
import { serverAddress } from './flags.ts';

interface Flags {
  readonly url?: string;
  readonly key?: string;
}

export const mcpCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('mcp')
    .description('Speaks MCP over standard input and output, for programs that start it')
    .option(
      '--url <address>',
      'the server to pass messages on to; without it, the project in the working folder',
      serverAddress,
    )
    .addOption(new Option('--key <key>', 'the API key of the caller').env('DOSSIER_KEY'))
    .action((flags: Flags) => serve(flags, terminal));

async function serve({ url, key }: Flags, terminal: Terminal): Promise<void> {
  const [{ relay }, ways] = await Promise.all([import('../mcp/relay.ts'), import('../mcp/ways.ts')]);
  const stopped = new AbortController();
  const until = (): Promise<number> => {
    stopped.abort();
    return Promise.resolve(0);
  };
  terminal.onStop(until);
  // the program that has started it is gone
  terminal.output.once('error', () => stopped.abort());
  if (url === undefined) {
    const { withServices } = await import('../services.ts');
    await withServices(terminal, (services) => relay(terminal, ways.toProject(services, key), stopped.signal));
  } else await relay(terminal, ways.toServer(url, key), stopped.signal);
  terminal.onStop(undefined);
}
