import type { ModelTools } from '../world.ts';

export default ({ Schema }: ModelTools) =>
  new Schema({ label: String }, { perms: { all: 'r' }, advanced_queries: { query: false, aggregate: false } });
