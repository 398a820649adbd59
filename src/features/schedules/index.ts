/** Schedules: what runs by itself at planned times (docs/jobs.md). */
import { clockAdvice } from '../../planned-times.ts';
import type { Advice, Adviser } from '../../services.ts';
import type { Core, Feature } from '../feature.ts';
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
  ...schedulesConfig,
  operations: [scheduleOperations],
  modelOptions: [schedulesOption],
  models: [runModel, scheduleModel],
  accountEvents: [scheduleRun, schedulePaused, scheduleResumed],
  // those of the config are checked before a database is open, also by `dossier check`
  ofProject: (project) => {
    schedulesOf(project);
    return Promise.resolve([]);
  },
  services: [scheduler],
  advises: adviseOnSchedules,
  work: (services) => services.of(scheduler).begin(),
};
