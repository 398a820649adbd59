/** Adds to a config what its plug-ins bring to it. */
import type { DossierConfig } from '../settings/config-file.ts';

type Hooks = Readonly<Record<string, unknown>>;

/** The config with what its plug-ins bring. Hooks and reactions run in the order of the list, and those of the config last. */
export function withPlugins(config: DossierConfig): DossierConfig {
  const { plugins = [] } = config;
  if (plugins.length === 0) return config;
  const parts: readonly Pick<DossierConfig, 'pre_hooks' | 'post_hooks' | 'changed' | 'schedules' | 'mails'>[] = [
    ...plugins,
    config,
  ];
  return {
    ...config,
    pre_hooks: joined(parts.map((part) => part.pre_hooks)) as NonNullable<DossierConfig['pre_hooks']>,
    post_hooks: joined(parts.map((part) => part.post_hooks)) as NonNullable<DossierConfig['post_hooks']>,
    changed: joined(parts.map((part) => part.changed)) as NonNullable<DossierConfig['changed']>,
    schedules: Object.assign({}, ...parts.map(({ schedules }) => schedules)) as NonNullable<DossierConfig['schedules']>,
    ...(parts.every(({ mails }) => mails === undefined)
      ? {}
      : { mails: Object.assign({}, ...parts.map(({ mails }) => mails)) as NonNullable<DossierConfig['mails']> }),
  };
}

/** The hooks of each name in one list. */
function joined(all: readonly (Hooks | undefined)[]): Hooks {
  const lists = new Map<string, unknown[]>();
  for (const hooks of all)
    for (const [name, given] of Object.entries(hooks ?? {}))
      lists.set(name, [...(lists.get(name) ?? []), given].flat());
  return Object.fromEntries(lists);
}
