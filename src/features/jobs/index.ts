/** Jobs: functions of models that run after the commit of the write which asks for them (docs/jobs.md). */
import { type Feature, provide } from '../../core.ts';
import { jobEntry } from '../../ports/core.ts';
import { outboxKind } from '../ports.ts';
import { jobsConfig } from './config.ts';
import { jobRemoved, jobRetried } from './events.ts';
import { later } from './later.ts';
import { jobOperations } from './operations.ts';
import { jobsOf } from './run.ts';

export const jobs: Feature = {
  name: 'jobs',
  config: jobsConfig,
  operations: [jobOperations],
  accountEvents: [jobRemoved, jobRetried],
  provides: [provide(outboxKind, jobsOf), provide(jobEntry, later)],
};
