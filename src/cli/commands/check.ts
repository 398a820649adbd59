/** `dossier check`: looks for faults in settings, models, database and stored documents. */
import type { Command } from 'commander';
import { withProgress } from '../progress.ts';
import { countText, FaultsFound, printLine, type Terminal } from '../terminal.ts';
import { modelsFlag } from './flags.ts';

interface Flags {
  readonly models?: string;
  readonly jxp?: true;
  readonly json?: true;
}

export const checkCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('check')
    .description('Checks settings, models, database, indexes, documents and links')
    .option(...modelsFlag)
    .option('--jxp', 'check model files of JXP, as the preload dossier/jxp serves them')
    .option('--json', 'print the result as JSON')
    .action((flags: Flags) => check(flags, terminal));

/** @throws FaultsFound when there are any */
async function check({ models, jxp, json }: Flags, terminal: Terminal): Promise<void> {
  terminal.saveMemory?.();
  // changes this process, as --import does: before any other code loads Mongoose
  if (jxp === true) await import('../../jxp.ts');
  const [{ checkProject }, { lineOf }, { linesOf }] = await Promise.all([
    import('../check/project.ts'),
    import('../check/faults.ts'),
    import('../check/details.ts'),
  ]);
  // the log of a server on standard output would stand between the results
  const settings = { MODELS_DIR: models, LOG_LEVEL: 'silent' };
  const result = await withProgress(terminal, 'checking', (update) => checkProject(settings, update));
  const { faults, notices, details, documents, advice } = result;
  if (json === true) printLine(terminal.output, JSON.stringify({ ok: faults.length === 0, ...result }));
  else
    for (const line of [
      ...[...faults, ...notices].map(lineOf),
      ...advice.map((one) => `Advice ${one.about}: ${one.advice}`),
      ...details.flatMap(linesOf),
    ])
      printLine(terminal.output, line);
  if (faults.length > 0) throw new FaultsFound();
  if (json !== true)
    printLine(
      terminal.output,
      `No faults in ${countText(result.models, 'model')} and ${countText(documents, 'document')}`,
    );
}
