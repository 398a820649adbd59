/** Schedules: what runs by itself at planned times (docs/jobs.md). */
import type { Feature } from '../feature.ts';
import { schedulesConfig } from './config.ts';
import { schedulePaused, scheduleResumed, scheduleRun } from './events.ts';
import { schedulesOption } from './model-options.ts';
import { runModel, scheduleModel } from './models.ts';
import { scheduleOperations } from './operations.ts';
import { scheduler } from './scheduler.ts';

export const schedules: Feature = {
  name: 'schedules',
  ...schedulesConfig,
  operations: [scheduleOperations],
  modelOptions: [schedulesOption],
  models: [runModel, scheduleModel],
  accountEvents: [scheduleRun, schedulePaused, scheduleResumed],
  services: [scheduler],
  work: (services) => services.of(scheduler).begin(),
};
