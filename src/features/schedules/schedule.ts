/** The schedules of a server: those of its models and of its config. */
import { type ModelEntry, modelOf, type Services, SettingsError } from '../../core.ts';
import { staticOf } from '../../models/mongoose.ts';
import type { ConfigSchedule } from './config.ts';
import { type ReadSchedule, schedulesOption } from './model-options.ts';
import { type ReadTiming, readTiming } from './timing.ts';

export interface Schedule extends ReadTiming {
  /** `film.nightly` for one of a model. */
  readonly name: string;
  readonly run: ConfigSchedule['run'];
  /** The model whose documents a run may have changed. */
  readonly model?: ModelEntry;
}

/** All schedules, by name. @throws SettingsError with the faults of those of the config */
export function schedulesOf({
  registry,
  config,
}: Pick<Services, 'registry' | 'config'>): ReadonlyMap<string, Schedule> {
  const ofModels = registry.served.flatMap((model) =>
    [...(model.options.added.valueOf(schedulesOption) ?? [])].map(([name, schedule]) => ofModel(model, name, schedule)),
  );
  const faults: string[] = [];
  const ofConfig = Object.entries(config.schedules ?? {}).flatMap(([name, given]) => {
    try {
      return [ofConfigNamed(name, given)];
    } catch (error) {
      faults.push((error as Error).message);
      return [];
    }
  });
  if (faults.length > 0) throw new SettingsError(faults);
  return new Map([...ofModels, ...ofConfig].map((schedule) => [schedule.name, schedule]));
}

const ofModel = (model: ModelEntry, name: string, { call, input, ...timing }: ReadSchedule): Schedule => ({
  ...timing,
  name: `${model.name}.${name}`,
  model,
  run: ({ api, log, signal }) => {
    const method = staticOf(model, call) as (this: unknown, ...given: unknown[]) => unknown;
    return method.call(modelOf(model), structuredClone(input), { api, log, signal });
  },
});

const ofConfigNamed = (name: string, given: ConfigSchedule): Schedule => ({
  ...readTiming(`schedules.${name}`, { ...given }),
  name,
  run: given.run,
});
