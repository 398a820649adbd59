/** The events of the audit log about schedules. `whom` is the name of the schedule. */
import type { AddedEvent } from '../../core.ts';

const about = { whom: 'the schedule', after: 'history.forgotten' } as const;

export const scheduleRun: AddedEvent = { name: 'schedule.run', meaning: 'An admin ran a schedule', ...about };
export const schedulePaused: AddedEvent = { name: 'schedule.paused', meaning: 'A schedule was paused', ...about };
export const scheduleResumed: AddedEvent = {
  name: 'schedule.resumed',
  meaning: 'A paused schedule was resumed',
  ...about,
};
