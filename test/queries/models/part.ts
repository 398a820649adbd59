/** Parts: anything may be stored in them. */
import { Schema } from 'mongoose';

export default new Schema(
  { name: String, any: Schema.Types.Mixed, maker_id: { type: Schema.Types.ObjectId, link: 'maker' } },
  { perms: { all: 'r' }, strict: false, query_limits: { max: 5000 } } as object,
);
