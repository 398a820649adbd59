/** The collection of backups. */
import { type InternalModel, internalSchema } from '../../core.ts';

/** A backup. `_id` is the name of its file in `dir`. Without an `outcome` it is being made, or its process has ended. */
export const backupModel = {
  name: 'backup',
  isOwn: true,
  collection: '_dossier_backups',
  schema: () => {
    const schema = internalSchema(
      {
        _id: { type: String, required: true },
        dir: { type: String, required: true, secret: true },
        at: { type: Date, required: true },
        planned: Date,
        outcome: String,
        bytes: Number,
        ms: Number,
        error: String,
      },
      { perms: { admin: 'r' }, label: 'Backups', title: '_id' },
    );
    schema.index({ dir: 1, at: -1 });
    return schema;
  },
} as const satisfies InternalModel;
