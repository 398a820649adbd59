/** `dossier types`: writes the TypeScript types of the models and routes, without a database. */
import type { Command } from 'commander';
import { type Terminal, writeText } from '../terminal.ts';
import { modelsFlag, outFlag } from './flags.ts';

interface Flags {
  readonly models?: string;
  readonly out?: string;
}

export const typesCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('types')
    .description('Writes the TypeScript types of the models, for dossier-client')
    .option(...modelsFlag)
    .option(...outFlag)
    .action((flags: Flags) => writeTypes(flags, terminal));

async function writeTypes({ models, out }: Flags, terminal: Terminal): Promise<void> {
  const [{ projectModels }, { typesModule }, { describedRoutes }] = await Promise.all([
    import('../project.ts'),
    import('../../typegen/index.ts'),
    import('../../operations/described-routes.ts'),
  ]);
  const { registry, groups } = await projectModels({ MODELS_DIR: models });
  await writeText(terminal, out, typesModule(registry.served, describedRoutes(groups)));
}
