/** Schedules: what runs by itself at planned times (docs/jobs.md). */
import type { Feature } from '../feature.ts';
import { schedulesConfig } from './config.ts';
import { schedulePaused, scheduleResumed, scheduleRun } from './events.ts';
import { schedulesOption } from './model-options.ts';
import { runModel, scheduleModel } from './models.ts';
import { scheduleOperations } from './operations.ts';
import { schedulesOf } from './schedule.ts';
import { scheduler } from './scheduler.ts';

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
  work: (services) => services.of(scheduler).begin(),
};
