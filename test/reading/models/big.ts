import type { ModelTools } from '../world.ts';

export default ({ Schema }: ModelTools) =>
  new Schema(
    { n: Number, pad: String },
    { perms: { all: 'r' }, query_limits: { large_collection_threshold: 300, max: 200 } },
  );
