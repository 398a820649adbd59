/** The stamps of changed documents: the user, the time, and the deletion mark. */
import type { ModelActor } from '../../context.ts';
import { withOtherNames } from '../../models/loading/timestamps.ts';
import { ObjectId, type Row } from '../../models/mongoose.ts';
import type { Principal } from '../../policy/principal.ts';

/** The caller as `_updated_by_id`; null for an anonymous one, so that the change is not attributed to an earlier user. */
export const updatedBy = ({ user }: Principal): { readonly _updated_by_id: ObjectId | null } => ({
  _updated_by_id: user === undefined ? null : new ObjectId(user.id),
});

/** The stamps for updates in which Mongoose does not set them: the time and the user. */
export const stamps = ({ principal, services, model }: ModelActor): Row => ({
  ...withOtherNames(model.schema.timestampNames, { updatedAt: services.clock() }),
  ...updatedBy(principal),
});

/** The update of a soft deletion. */
export const softDeletion = (actor: ModelActor): Row => ({
  $set: { _deleted: true, ...stamps(actor) },
  $inc: { __v: 1 },
});
