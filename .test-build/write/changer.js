/** Who is written down as the one who changed a document last. */ import { ObjectId } from "../registry/mongoose.js";
/** The caller as `_updated_by_id`; null where nobody is known, so that nobody else is named for it. */ export const changedBy = ({ user })=>({
        _updated_by_id: user === undefined ? null : new ObjectId(user.id)
    });
