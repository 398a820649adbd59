/** Who is written down as the one who changed a document last. */
import type { Principal } from '../policy/principal.ts';
import { ObjectId } from '../registry/mongoose.ts';

/** The caller as `_updated_by_id`; null where nobody is known, so that nobody else is named for it. */
export const changedBy = ({ user }: Principal): { readonly _updated_by_id: ObjectId | null } => ({
  _updated_by_id: user === undefined ? null : new ObjectId(user.id),
});
