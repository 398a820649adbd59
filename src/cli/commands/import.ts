/** `dossier import`: documents from a folder, a file or standard input. */
import type { Command } from 'commander';
import { counted } from '../counted.ts';
import { withProgress } from '../progress.ts';
import { FaultsFound, printLine, type Terminal } from '../terminal.ts';

interface Flags {
  readonly model?: string;
  readonly on?: string;
  readonly delimiter?: string;
  readonly raw?: true;
  readonly strict?: true;
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
    .option('--json', 'print the result as JSON')
    .action((path: string, flags: Flags) => run(path, flags, terminal));

async function run(path: string, flags: Flags, terminal: Terminal): Promise<void> {
  const { model, on = '', raw, strict, json } = flags;
  terminal.saveMemory?.();
  const [{ importSources }, { delimiterFrom, sourcesOf }, { withServices }] = await Promise.all([
    import('../../transfer/import/import.ts'),
    import('../../transfer/import/source.ts'),
    import('../services.ts'),
  ]);
  const delimiter = delimiterFrom(flags.delimiter ?? ',');
  const sources = await sourcesOf({ path, model, delimiter, input: terminal.input });
  const result = await withServices(terminal, (services) =>
    withProgress(terminal, 'importing', (update) =>
      importSources(services, sources, {
        on: on.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()])),
        raw: raw === true,
        strict: strict === true,
        folder: '.',
        onProgress: (name, documents) => update(`importing ${name}: ${counted(documents, 'document')}`),
      }),
    ),
  );
  if (json === true) printLine(terminal.output, JSON.stringify(result));
  else
    for (const [name, count] of Object.entries(result.models))
      printLine(terminal.output, `${name}: ${counted(count, 'document')}`);
  if (result.refusedFile === undefined) return;
  printLine(
    terminal.messages,
    `${counted(result.refused, 'record')} ${result.refused === 1 ? 'was' : 'were'} refused; ${result.refusedFile} says why`,
  );
  throw new FaultsFound();
}
