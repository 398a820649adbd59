/** `dossier import`: documents from a folder, a file or standard input. */
import { type Command, Option } from 'commander';
import type { ImportOptions, ImportResult } from '../../transfer/import/import.ts';
import type { Source } from '../../transfer/import/source.ts';
import { withProgress } from '../progress.ts';
import { countText, FaultsFound, printLine, type Terminal } from '../terminal.ts';
import { serverAddress } from './flags.ts';

interface Flags {
  readonly model?: string;
  readonly on?: string;
  readonly delimiter?: string;
  readonly raw?: true;
  readonly strict?: true;
  readonly changed?: true;
  readonly url?: string;
  readonly key?: string;
  readonly json?: true;
}

export const importCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('import')
    .description('Stores the documents of an export, or of .ndjson, .json and .csv files that have the names of models')
    .argument('<path>', 'a folder, a file, or - for standard input')
    .option('--model <name>', 'the model of a file with another name, or of standard input')
    .option(
      '--on <fields>',
      'find existing documents by the fields of a unique index instead of _id: isbn, or title,year',
    )
    .option('--delimiter <character>', "what stands between the cells of .csv files: ';', '|' or tab", ',')
    .option('--raw', 'store the documents without validation')
    .option('--strict', 'stop at the first record that is refused')
    .option('--changed', 'call the functions "changed" of the project; a server that --url names always does')
    .option('--url <address>', 'the server to send them to; without it, the database of the project', serverAddress)
    .addOption(new Option('--key <key>', 'the API key by which they are sent').env('DOSSIER_KEY'))
    .option('--json', 'print the result as JSON')
    .action((path: string, flags: Flags, command: Command) => {
      if (flags.raw === true && flags.url !== undefined)
        command.error('error: --raw stores without validation, which no server does: leave out --url', { exitCode: 2 });
      return run(path, flags, terminal);
    });

async function run(path: string, flags: Flags, terminal: Terminal): Promise<void> {
  const { model, on = '', raw, strict, changed, json } = flags;
  terminal.saveMemory?.();
  const { delimiterFrom, sourcesOf } = await import('../../transfer/import/source.ts');
  const delimiter = delimiterFrom(flags.delimiter ?? ',');
  const sources = await sourcesOf({ path, model, delimiter, input: terminal.input });
  const store = flags.url === undefined ? storing(terminal) : sending(flags.url, flags.key);
  const result = await withProgress(terminal, 'importing', (update) =>
    store(sources, {
      on: on.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()])),
      raw: raw === true,
      strict: strict === true,
      callsChanged: changed === true,
      folder: '.',
      onProgress: (name, documents) => update(`importing ${name}: ${countText(documents, 'document')}`),
    }),
  );
  if (json === true) printLine(terminal.output, JSON.stringify(result));
  else
    for (const [name, count] of Object.entries(result.models))
      printLine(terminal.output, `${name}: ${countText(count, 'document')}`);
  if (result.refusedFile === undefined) return;
  printLine(
    terminal.messages,
    `${countText(result.refused, 'record')} ${result.refused === 1 ? 'was' : 'were'} refused; ${result.refusedFile} says why`,
  );
  throw new FaultsFound();
}

type Store = (sources: readonly Source[], options: ImportOptions) => Promise<ImportResult>;

/** Stores in the database of the project. */
const storing =
  (terminal: Terminal): Store =>
  async (sources, options) => {
    const [{ importSources }, { withServices }] = await Promise.all([
      import('../../transfer/import/import.ts'),
      import('../services.ts'),
    ]);
    return withServices(terminal, (services) => importSources(services, sources, options));
  };

/** Sends to a server, which serves the models of the project. */
const sending =
  (url: string, key: string | undefined): Store =>
  async (sources, options) => {
    const [{ importTo }, { serverAt, serverReceiver }, { projectModels }] = await Promise.all([
      import('../../transfer/import/import.ts'),
      import('../import/to-server.ts'),
      import('../project.ts'),
    ]);
    const { registry } = await projectModels({});
    return importTo(serverReceiver(await serverAt(url, key), registry, options), sources, options);
  };
