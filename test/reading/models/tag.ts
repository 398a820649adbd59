import type { ModelTools } from '../world.ts';

export default ({ Schema }: ModelTools) => new Schema({ label: String }, { perms: { user: 'r' } });
