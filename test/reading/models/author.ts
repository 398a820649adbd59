import type { ModelTools } from '../world.ts';

export default ({ Schema }: ModelTools) =>
  new Schema({ name: String, email: String, password: String }, { perms: { user: 'r' } });
