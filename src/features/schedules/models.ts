/** The collections of schedules. */
import { type InternalModel, internalSchema } from '../../core.ts';

/**
 * A run (docs/jobs.md). `_id` is the name and the planned time, so that one server has it. `open` is what is left to do with it: the indexes
 * admit one that runs, one that waits and one that is to be repeated for each schedule. A planned time at which nothing ran is `skipped`.
 */
export const runModel = {
  name: 'schedule_run',
  isOwn: true,
  collection: '_dossier_schedule_runs',
  schema: () => {
    const schema = internalSchema(
      {
        _id: { type: String, required: true },
        name: { type: String, required: true },
        planned: { type: Date, required: true },
        attempt: Number,
        by_hand: Boolean,
        open: String,
        token: { type: String, secret: true },
        until: Date,
        server: String,
        process: { type: String, secret: true },
        started: Date,
        ended: Date,
        outcome: String,
        error: String,
        skipped: Date,
      },
      { perms: { admin: 'r' }, label: 'Schedule runs', title: 'name' },
      { run: { operation: 'schedules.run', params: ({ name }) => ({ name: String(name) }) } },
    );
    schema.index({ open: 1, name: 1 }, { unique: true, partialFilterExpression: { open: { $exists: true } } });
    schema.index({ name: 1, planned: -1 });
    schema.index({ name: 1, started: -1, _id: -1 });
    schema.index({ skipped: 1 }, { expireAfterSeconds: 86_400 });
    return schema;
  },
} as const satisfies InternalModel;

/** What servers keep of a schedule. Planned times up to `since` are none: it was not there, was another one, or was paused. */
export const scheduleModel = {
  name: 'schedule',
  collection: '_dossier_schedules',
  schema: () =>
    internalSchema({
      _id: { type: String, required: true },
      times: { type: String, required: true },
      since: { type: Date, required: true },
      paused: { type: Boolean, required: true },
    }),
} as const satisfies InternalModel;
