/** The settings of jobs. */
import type { FeatureConfig } from '../../settings/row.ts';

export const jobsConfig = {
  settingsAfter: 'AUDIT_DAYS',
  settings: [
    {
      variable: 'JOBS_CONCURRENCY',
      key: 'jobs.concurrency',
      kind: 'count',
      default: '4',
      min: 1,
      max: 1000,
      meaning: 'Maximum number of jobs that run at a time on a server, over all of its workers',
    },
    {
      variable: 'JOBS_RETRIES',
      key: 'jobs.retries',
      kind: 'durations',
      default: '10s,1m,10m',
      meaning: 'Pauses between the tries of a job that fails; the last one is repeated',
    },
  ],
} as const satisfies FeatureConfig;
