/** `dossier purge`: removes at once what is due: documents from the trash, and entries of histories. */
import type { Command } from 'commander';
import type { RemovedDocument, Sweep } from '../../ports/parts.ts';
import { countText, printLine, type Terminal } from '../terminal.ts';

interface Flags {
  readonly dryRun?: true;
  readonly json?: true;
}

export const purgeCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('purge')
    .description('Removes deleted documents and entries of histories that are due, and lists them')
    .option('--dry-run', 'list what is due, and remove nothing')
    .option('--json', 'print each line as JSON')
    .action((flags: Flags) => purge(flags, terminal));

async function purge(
  { dryRun = false, json = false }: { dryRun?: boolean; json?: boolean },
  terminal: Terminal,
): Promise<void> {
  const { withServices } = await import('../services.ts');
  const { output } = terminal;
  const totals = { documents: 0, entries: 0 };
  const onRemoved = (removed: RemovedDocument): void => {
    if (removed.entries === undefined) totals.documents += 1;
    else totals.entries += removed.entries;
    printLine(output, json ? JSON.stringify(removed) : lineOf(removed));
  };
  const work = async (_services: unknown, sweeps: readonly Sweep[]): Promise<void> => {
    const { signal } = new AbortController();
    for (const sweep of sweeps) await sweep({ signal, dryRun, onRemoved });
  };
  await withServices(terminal, work, { readsOnly: dryRun });
  if (json) return;
  const all = `${countText(totals.documents, 'document')} and ${countText(totals.entries, 'entry', 'entries')}`;
  printLine(output, dryRun ? `${all} are due` : `${all} removed`);
}

const lineOf = ({ model, id, entries }: RemovedDocument): string =>
  entries === undefined ? `${model} ${id}` : `${model} ${id}: ${countText(entries, 'entry', 'entries')} of its history`;
