/** Schedules: what runs by itself at planned times (docs/jobs.md). */
import { clockAdvice } from '../../adapters/planned-times.ts';
import { type Adviser, adviser, type Core, type Feature, ownService, provide } from '../../core.ts';
import type { Advice } from '../../services.ts';
import { schedulesConfig } from './config.ts';
import { schedulePaused, scheduleResumed, scheduleRun } from './events.ts';
import { schedulesOption } from './model-options.ts';
import { runModel, scheduleModel } from './models.ts';
import { scheduleOperations } from './operations.ts';
import { schedulesOf } from './schedule.ts';
import { scheduler } from './scheduler.ts';

const adviseOnSchedules =
  ({ services }: Core): Adviser =>
  async () =>
    [...(await services.of(scheduler).ahead())].map(([about, at]): Advice => ({
      kind: 'schedule',
      about,
      advice: clockAdvice('a run', at),
    }));

export const schedules: Feature = {
  name: 'schedules',
  config: schedulesConfig,
  operations: [scheduleOperations],
  modelOptions: [schedulesOption],
  models: [runModel, scheduleModel],
  accountEvents: [scheduleRun, schedulePaused, scheduleResumed],
  provides: [provide(ownService, scheduler), provide(adviser, adviseOnSchedules)],
  // those of the config are checked before a database is open, also by `dossier check`
  ofProject: (project) => {
    schedulesOf(project);
    return Promise.resolve([]);
  },
  work: (services) => services.of(scheduler).begin(),
};
