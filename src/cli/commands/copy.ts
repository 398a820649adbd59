/** `dossier copy`: the whole database to a MongoDB, or into a data folder. */
import type { Command } from 'commander';
import type { CopyResult } from '../../transfer/copy/copy.ts';
import { withProgress } from '../progress.ts';
import { countText, printLine, type Terminal } from '../terminal.ts';
import { requireFlag } from './flags.ts';

interface Flags {
  readonly to?: string;
  readonly force?: true;
  readonly json?: true;
}

export const copyCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('copy')
    .description('Copies the whole database of MONGODB_URL, otherwise of DATA_DIR, or resumes an interrupted copy')
    .option('--to <place>', 'required: a mongodb:// URL, or a data folder')
    .option('--force', 'replace the collections of a target that is not empty')
    .option('--json', 'print the result as JSON')
    .action(({ to, ...flags }: Flags, command: Command) =>
      run({ ...flags, to: placeOf(requireFlag(to, '--to <place>', command), command) }, terminal),
    );

/** A misspelt scheme would become the name of a folder, together with a password. @throws CommanderError for another URL */
function placeOf(to: string, command: Command): string {
  const [, scheme = 'mongodb'] = /^([^/]*):\/\//.exec(to) ?? [];
  if (scheme === 'mongodb' || scheme === 'mongodb+srv') return to;
  return command.error(`error: --to must be a mongodb:// URL or a data folder, got a ${scheme}:// URL`, {
    exitCode: 2,
  });
}

async function run({ to, force, json }: Flags & { to: string }, terminal: Terminal): Promise<void> {
  terminal.saveMemory?.();
  const [{ copyPlaces }, { projectLaunch }] = await Promise.all([
    import('../../transfer/copy/copy.ts'),
    import('../options.ts'),
  ]);
  const logTarget = { write: (line: string) => void terminal.messages.write(line) };
  const { settings, log } = await projectLaunch({}, { logTarget });
  const from = settings.mongodb_url ?? settings.data_dir;
  const { result, secret } = await withProgress(terminal, 'copying', (update) =>
    copyPlaces(from, to, log, {
      force: force === true,
      onProgress: (collection, documents) => update(`copying ${collection}: ${countText(documents, 'document')}`),
    }),
  );
  print(result, json === true, terminal);
  if (secret !== undefined)
    printLine(
      terminal.messages,
      `Set SHARED_SECRET to the content of ${secret}: with another one, all sessions and keys end`,
    );
}

function print({ collections }: CopyResult, json: boolean, { output }: Terminal): void {
  if (json) return printLine(output, JSON.stringify({ collections }));
  for (const [name, { documents, indexes }] of Object.entries(collections))
    printLine(
      output,
      `${name}: ${countText(documents, 'document')}, ${indexes} ${indexes === 1 ? 'index' : 'indexes'}`,
    );
}
