/** `dossier openapi`: writes the OpenAPI document of a project, without a database. */
import type { Command } from 'commander';
import { inSlices } from '../../async/yield.ts';
import { type Terminal, writeText } from '../terminal.ts';
import { modelsFlag, outFlag } from './flags.ts';

interface Flags {
  readonly models?: string;
  readonly out?: string;
}

export const openapiCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('openapi')
    .description('Writes the OpenAPI 3.1 document, as a caller with all roles gets it')
    .option(...modelsFlag)
    .option(...outFlag)
    .action((flags: Flags) => describe(flags, terminal));

async function describe({ models, out }: Flags, terminal: Terminal): Promise<void> {
  const [
    { projectModels },
    { openApi },
    { interceptors },
    { everyRole },
    { isDescribed },
    { enabledGroups: switchedOn },
  ] = await Promise.all([
    import('../project.ts'),
    import('../../docs/openapi/document.ts'),
    import('../../start/operations.ts'),
    import('../../policy/roles.ts'),
    import('../../operations/operation.ts'),
    import('../../operations/switched-on.ts'),
  ]);
  const { launch, registry, groups: all } = await projectModels({ MODELS_DIR: models });
  const groups = switchedOn(all.filter(isDescribed), launch.settings);
  const principal = everyRole(registry.served);
  const document = await inSlices(
    openApi({ groups, interceptors, models: registry.served, principal, url: launch.settings.api_url }),
  );
  await writeText(terminal, out, `${JSON.stringify(document, undefined, 2)}\n`);
}
