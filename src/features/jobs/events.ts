/** The events of the audit log about jobs. `whom` is the id of the job. */
import type { AddedEvent } from '../../core.ts';

const about = { whom: 'the job', after: 'schedule.resumed' } as const;

export const jobRemoved: AddedEvent = { name: 'job.removed', meaning: 'A job that waited was removed', ...about };
export const jobRetried: AddedEvent = { name: 'job.retried', meaning: 'An admin had a job run again', ...about };
