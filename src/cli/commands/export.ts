/** `dossier export`: models into a folder, as Extended JSON. */
import type { Command } from 'commander';
import { withProgress } from '../progress.ts';
import { countText, printLine, type Terminal } from '../terminal.ts';
import { requireFlag } from './flags.ts';

interface Flags {
  readonly out?: string;
  readonly withoutSecrets?: true;
  readonly json?: true;
}

export const exportCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('export')
    .description('Writes models into a folder, as MongoDB Extended JSON')
    .argument('[model...]', 'the models; all by default')
    .option('--out <folder>', 'required: the folder, which is created for its owner only')
    .option('--without-secrets', 'leave out every field named password')
    .option('--json', 'print the manifest')
    .action((models: readonly string[], { out, ...flags }: Flags, command: Command) =>
      run(models, { ...flags, out: requireFlag(out, '--out <folder>', command) }, terminal),
    );

async function run(models: readonly string[], flags: Flags & { out: string }, terminal: Terminal): Promise<void> {
  terminal.saveMemory?.();
  const [{ exportModels }, { withProject }] = await Promise.all([
    import('../../transfer/export.ts'),
    import('../project.ts'),
  ]);
  const logTarget = { write: (line: string) => void terminal.messages.write(line) };
  const work = withProject(
    {},
    ({ storage: { registry } }) => {
      const chosen = models.length === 0 ? registry.served : models.map((name) => registry.get(name));
      return withProgress(terminal, 'exporting', (update) =>
        exportModels([...new Set(chosen)], flags.out, {
          withoutSecrets: flags.withoutSecrets === true,
          onProgress: (model, documents) => update(`exporting ${model}: ${countText(documents, 'document')}`),
        }),
      );
    },
    { logTarget, readsOnly: true },
  );
  const manifest = await work;
  if (flags.json === true) return printLine(terminal.output, JSON.stringify(manifest));
  for (const [model, { file, count }] of Object.entries(manifest.models))
    printLine(terminal.output, `${model}: ${countText(count, 'document')} in ${flags.out}/${file}`);
}
