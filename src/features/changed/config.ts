/** The reactions of a config, by the names of models; `*` stands for all. */
import type { ChangedHandler } from '../../define/changed.ts';
import type { ConfigCheck, FeatureConfig } from '../../settings/row.ts';

type ChangedConfig = Readonly<Record<string, ChangedHandler | readonly ChangedHandler[]>>;

/** The faults of the functions, one sentence each. The start compares the names with those of the models. */
const changedFaults: ConfigCheck<ChangedConfig> = (config) => {
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    return ['changed must be an object: name of a model or * → function'];
  return Object.entries(config).flatMap(([name, given]: readonly [string, unknown]) =>
    handlersIn(given) === undefined ? [`changed.${name} must be a function or a list of functions`] : [],
  );
};

/** @returns undefined for what is neither a function nor a list of functions */
export function handlersIn(given: unknown): readonly ChangedHandler[] | undefined {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  return list.every((one) => typeof one === 'function') ? (list as readonly ChangedHandler[]) : undefined;
}

export const changedConfig = { sections: { changed: changedFaults } } as const satisfies FeatureConfig;
