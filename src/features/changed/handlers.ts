/** Which functions are called for each model. */
import { type ModelEntry, type Services, SettingsError, suggestion } from '../../core.ts';
import type { ChangedHandler } from '../../define/changed.ts';
import { handlersIn } from './config.ts';
import { changedOption } from './model-options.ts';

const everyModel = '*';

/**
 * Those of the model file, then those of plug-ins and of the config: for each, those of the model before those of all models.
 * @returns the models that have any @throws SettingsError for a name that is no model
 */
export function handlersByModel({
  registry: { served },
  config,
}: Pick<Services, 'registry' | 'config'>): ReadonlyMap<ModelEntry, readonly ChangedHandler[]> {
  const ofConfig = config.changed ?? {};
  const names = served.map(({ name }) => name);
  const faults = Object.keys(ofConfig)
    .filter((name) => name !== everyModel && !names.includes(name))
    .map((name) => `changed.${name}: there is no model ${name}${suggestion(name, names)}`);
  if (faults.length > 0) throw new SettingsError(faults);
  const all = served.map((model): readonly [ModelEntry, readonly ChangedHandler[]] => [
    model,
    [
      ...model.options.added.valueOf(changedOption),
      ...[ofConfig[model.name], ofConfig[everyModel]].flatMap((given = []) => handlersIn(given) ?? []),
    ],
  ]);
  return new Map(all.filter(([, handlers]) => handlers.length > 0));
}
